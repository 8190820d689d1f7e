// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "report/noise.hpp"
#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "transport/couple.hpp"

namespace lbw {
namespace {

/// Two groups, coupled by a plan, whose points are drawn from the model itself.
struct Truth {
  TransportModel model = random_plan_model({.n_components = 3, .seed = 4});
  std::vector<RowMatrix> samples;
  std::vector<Group> groups;

  Truth() {
    model.map = MapKind::random;
    for (std::size_t g = 0; g < 2; ++g) {
      samples.push_back(sample(model.mixtures[g], 300, 10 + g).samples);
    }
    for (std::size_t g = 0; g < 2; ++g) groups.push_back({model.group_names[g], samples[g]});
  }
};

TEST(HeldOutReport, HasTheValuesOfTheSeparateMeasures) {
  const Truth truth;
  ReportOptions options;
  options.n_permutations = 19;
  options.n_directions = 8;
  options.seed = 3;
  const Report result = report(truth.model, truth.groups, options);
  ASSERT_EQ(result.carries.size(), 4U);  // a to b, b to a, and both to the barycenter
  EXPECT_EQ(result.barycentric_weights, (std::vector<double>{0.5, 0.5}));
  const CarryReport& back = result.carries[1];
  EXPECT_EQ(back.from, "b");
  EXPECT_EQ(back.to, "a");
  const LocalMap map = map_between(truth.model, "b", "a");
  const RowMatrix carried = transport(map, truth.samples[1]);
  SlicedDistanceOptions sliced;
  sliced.n_directions = 8;
  sliced.n_permutations = 19;
  sliced.seed = 3;
  EXPECT_EQ(back.after->distance, sliced_distance(carried, truth.samples[0], sliced).distance);
  EXPECT_EQ(back.before->distance,
            sliced_distance(truth.samples[1], truth.samples[0], sliced).distance);
  EXPECT_EQ(back.log_likelihood, mean_log_likelihood(truth.model.mixtures[0], carried));
  EXPECT_EQ(back.target_log_likelihood,
            mean_log_likelihood(truth.model.mixtures[0], truth.samples[0]));
  EXPECT_EQ(back.displacement.rms,
            displacement(map, truth.model.mixtures[0], truth.samples[1]).rms);
  EXPECT_EQ(back.mixture_distance, result.pairs[0].mixture_distance);
}

TEST(HeldOutReport, LooksAtTheBarycenter) {
  const Truth truth;
  ReportOptions options;
  options.n_permutations = 19;
  options.barycentric_weights = {1.0, 3.0};  // divided by their sum
  const Report result = report(truth.model, truth.groups, options);
  const CarryReport& carry = result.carries[2];
  EXPECT_EQ(carry.from, "a");
  EXPECT_EQ(carry.to, "");
  EXPECT_FALSE(carry.after.has_value());
  const Mixture target = barycenter(truth.model, options.barycentric_weights);
  const LocalMap map = map_to_barycenter(truth.model, "a", options.barycentric_weights);
  const RowMatrix carried = transport(map, truth.samples[0]);
  EXPECT_EQ(carry.log_likelihood, mean_log_likelihood(target, carried));
  EXPECT_EQ(carry.target_log_likelihood,
            mean_log_likelihood(target, sample(target, 300, 0).samples));
  EXPECT_EQ(carry.mixture_distance, mixture_distance(truth.model.mixtures[0], target));
  ASSERT_EQ(result.separations.size(), 1U);
  SeparationOptions separated;
  separated.n_permutations = 19;
  EXPECT_EQ(result.separations[0].before.auc,
            separation(truth.samples[0], truth.samples[1], separated).auc);
  const RowMatrix other =
      transport(map_to_barycenter(truth.model, "b", options.barycentric_weights), truth.samples[1]);
  EXPECT_EQ(result.separations[0].after.auc, separation(carried, other, separated).auc);
}

TEST(HeldOutReport, LimitsTheSeparationByTheParametersOfTheLargerMixture) {
  TransportModel model = random_plan_model({.n_components = 1, .seed = 4});
  std::vector<RowMatrix> samples;
  std::vector<Group> groups;
  for (std::size_t g = 0; g < 2; ++g) {
    model.reports[g].n_samples = 400;
    samples.push_back(sample(model.mixtures[g], 300, 10 + g).samples);
  }
  for (std::size_t g = 0; g < 2; ++g) groups.push_back({model.group_names[g], samples[g]});
  const SeparationReport pair = report(model, groups, {.n_permutations = 19}).separations[0];
  const SampleSizes sizes{.held_out = 300.0, .fitted = 400.0};
  // two components of 2 + 3 parameters and one free weight, fewer than the neighbourhoods
  EXPECT_EQ(pair.auc_limit,
            auc_limit(pair.after, sizes, sizes, 11.0, critical_deviations(2).separation));
  EXPECT_LT(pair.auc_limit, 1.0);
}

TEST(HeldOutReport, SeparatesEveryPairOfGroups) {
  const TransportModel model = random_plan_model({.n_groups = 4, .n_components = 2, .seed = 4});
  std::vector<RowMatrix> samples;
  for (const Mixture& mixture : model.mixtures) {
    samples.push_back(sample(mixture, 50, 10 + samples.size()).samples);
  }
  std::vector<Group> groups;
  for (std::size_t g = 0; g < 4; ++g) groups.push_back({model.group_names[g], samples[g]});
  const Report result = report(model, groups, {.n_directions = 4, .n_permutations = 0});
  std::string pairs;
  for (const SeparationReport& pair : result.separations) pairs += pair.first + pair.second + " ";
  EXPECT_EQ(pairs, "ab ac ad bc bd cd ");
}

// Samples of the mixtures, transported by random maps along a plan, follow the target.
TEST(HeldOutReport, FindsNoProblemsWithTheTrueModel) {
  const Truth truth;
  const Report result = report(truth.model, truth.groups);
  for (const CarryReport& carry : result.carries) {
    EXPECT_FALSE(carry.displacement.out_of_proportion());
    EXPECT_NEAR(carry.log_likelihood, carry.target_log_likelihood, 0.3);
    if (!carry.after) continue;
    EXPECT_GT(carry.after->null.p_value, 0.01);
    EXPECT_EQ(carry.before->null.p_value, 0.005);
  }
  const SeparationReport& pair = result.separations[0];
  EXPECT_GT(pair.before.auc, 0.8);
  EXPECT_GT(pair.after.null.p_value, 0.01);
  EXPECT_LT(pair.distance_after.distance, 0.3 * pair.distance_before.distance);
}

TEST(HeldOutReport, UsesASubsampleOfManySamples) {
  const Truth truth;
  ReportOptions options;
  options.most_samples = 100;
  options.n_permutations = 0;
  const Report result = report(truth.model, truth.groups, options);
  EXPECT_EQ(result.carries[0].displacement.n_samples, 100);
  EXPECT_EQ(result.carries[0].after->null.n_permutations, 0);
}

TEST(HeldOutReport, HasTheSameBitsOnAnyNumberOfThreads) {
  const Truth truth;
  ReportOptions options;
  options.n_permutations = 9;
  options.execution.n_threads = 1;
  const std::string one = describe(report(truth.model, truth.groups, options));
  options.execution.n_threads = 3;
  EXPECT_EQ(describe(report(truth.model, truth.groups, options)), one);
}

TEST(HeldOutReport, AcceptsSomeOfTheGroups) {
  const Truth truth;
  const std::vector<Group> alone = {truth.groups[1]};
  const Report result = report(truth.model, alone);
  ASSERT_EQ(result.carries.size(), 1U);
  EXPECT_EQ(result.carries[0].from, "b");
  EXPECT_EQ(result.carries[0].to, "");
  EXPECT_TRUE(result.separations.empty());
}

TEST(HeldOutReport, RefusesBadArguments) {
  const Truth truth;
  const auto refused = [&](std::vector<Group> groups, const ReportOptions& options,
                           std::string_view text) {
    expect_error<InvalidArgument>([&] { (void)report(truth.model, groups, options); }, text);
  };
  refused({{"c", truth.samples[0]}}, {}, "group 'c' is not in the model, expected one of 'a', 'b'");
  refused({truth.groups[0], truth.groups[0]}, {}, "report: group 'a' is given twice");
  refused({{"a", truth.samples[0].topRows(9)}}, {},
          "report: group 'a' has 9 samples, expected 10 or more; provide more held-out samples of "
          "this group");
  const RowMatrix deep = RowMatrix::Zero(20, 3);
  refused({{"a", deep}}, {}, "report: group 'a' has 3 features, the model has 2");
  const std::vector<double> weights(3, 1.0);
  refused(
      {{"a", truth.samples[0], weights}}, {},
      "report: group 'a': sample_weights has 3 entries for 300 samples, expected one per sample");
  std::vector<double> heavy(300, 1e-6);
  heavy[7] = 1.0;
  refused({{"a", truth.samples[0], heavy}}, {},
          "report: the sample_weights of group 'a' have an effective sample size of 1, expected 10 "
          "or more; provide more held-out samples of this group");
  refused(truth.groups, {.most_samples = 5}, "report: most_samples is 5, expected 10 or more");
  refused(truth.groups, {.n_directions = 0}, "report: n_directions is 0, expected 1 or more");
  refused(truth.groups, {.n_permutations = -2},
          "report: n_permutations is -2, expected 0 (none) or more");
  refused(truth.groups, {.barycentric_weights = {0.5, -0.6}},
          "report: barycentric_weights[1] is -0.6, expected a number >= 0");
}

}  // namespace
}  // namespace lbw
