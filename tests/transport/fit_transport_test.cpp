// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include <algorithm>
#include <functional>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

struct ThreeGroups {
  std::vector<RowMatrix> samples;
  std::vector<Group> groups;

  ThreeGroups() {
    for (std::uint64_t g = 0; g < 3; ++g) {
      samples.push_back(sample(random_mixture({.seed = g}), 600, g).samples);
    }
    groups = {{"a", samples[0]}, {"b", samples[1]}, {"c", samples[2]}};
  }
};

TransportOptions options_of(int n_components) {
  TransportOptions options;
  options.mixture.n_components = n_components;
  return options;
}

TEST(FitTransport, FitsEveryGroupAsFitMixtureDoes) {
  const ThreeGroups data;
  const TransportModel model = fit_transport(data.groups, options_of(3));
  check_model(model, "fit_transport");
  for (std::size_t g = 0; g < 3; ++g) {
    const MixtureFit fit = fit_mixture(data.samples[g], options_of(3).mixture);
    EXPECT_EQ(model.mixtures[g].means, fit.mixture.means);
    EXPECT_EQ(model.reports[g].iterations, fit.iterations);
    EXPECT_EQ(model.reports[g].mean_log_likelihood, fit.mean_log_likelihood);
    EXPECT_EQ(model.reports[g].n_samples, 600);
  }
  EXPECT_EQ(model.coupling.reference, 0);
  EXPECT_EQ(model.mixture_options.n_components, 3);
}

TEST(FitTransport, DoesNotDependOnTheOrderOfTheGroups) {
  const ThreeGroups data;
  TransportOptions options = options_of(4);
  options.reference = std::string("b");
  const TransportModel forward = fit_transport(data.groups, options);
  std::vector<Group> reversed(data.groups.rbegin(), data.groups.rend());
  const TransportModel backward = fit_transport(reversed, options);
  EXPECT_EQ(forward.coupling.reference, 1);
  const RowMatrix points = data.samples[0];
  EXPECT_EQ(transport(map_between(forward, "a", "c"), points),
            transport(map_between(backward, "a", "c"), points));
}

TEST(FitTransport, TransportsHeldOutPointsToTheOtherGroup) {
  const Mixture left = random_mixture({.spread = 8.0, .seed = 50});
  Mixture right = left;  // the same shape, shifted and scaled
  right.means.rowwise() += Eigen::RowVector2d(20.0, 5.0);
  for (Matrix& covariance : right.covariances) covariance *= 2.0;
  const RowMatrix left_samples = sample(left, 3000, 1).samples;
  const RowMatrix right_samples = sample(right, 3000, 2).samples;
  const Group groups[] = {{"left", left_samples}, {"right", right_samples}};
  const TransportModel model = fit_transport(groups, options_of(3));
  const RowMatrix held_out = sample(left, 3000, 3).samples;
  const double carried =
      mean_log_likelihood(right, transport(map_between(model, "left", "right"), held_out));
  const double own = mean_log_likelihood(right, sample(right, 3000, 4).samples);
  const double not_carried = mean_log_likelihood(right, held_out);
  EXPECT_NEAR(carried, own, 0.15);  // fitted means and covariances have errors of a few per cent
  EXPECT_LT(not_carried, own - 10.0);
}

TEST(FitTransport, UsesSampleWeightsAndReportsProgressByGroup) {
  const ThreeGroups data;
  std::vector<double> weights(600, 1.0);
  std::fill(weights.begin(), weights.begin() + 300, 0.0);
  std::vector<Group> groups = data.groups;
  groups[1].sample_weights = weights;
  std::set<std::string> seen;
  TransportOptions options = options_of(2);
  options.on_iteration = [&](std::string_view group, const FitProgress&) { seen.emplace(group); };
  const TransportModel model = fit_transport(groups, options);
  EXPECT_EQ(seen, (std::set<std::string>{"a", "b", "c"}));
  const MixtureFit half = fit_mixture(data.samples[1].bottomRows(300), options_of(2).mixture);
  EXPECT_NEAR(model.reports[1].mean_log_likelihood, half.mean_log_likelihood, 0.2);
  EXPECT_NE(model.mixtures[1].means,
            fit_mixture(data.samples[1], options_of(2).mixture).mixture.means);
}

TEST(FitTransport, CouplesByPlanWithANumberOfComponentsForEachGroup) {
  const ThreeGroups data;
  TransportOptions options = options_of(3);
  options.coupling = CouplingMethod::plan;
  options.cost = ComponentCost::bures;
  options.n_components_per_group = {2, 5, 3};
  const TransportModel model = fit_transport(data.groups, options);
  check_model(model, "fit_transport");
  EXPECT_EQ(model.coupling.method, CouplingMethod::plan);
  EXPECT_EQ(model.coupling.cost, ComponentCost::bures);
  EXPECT_EQ(model.mixtures[0].n_components(), 2);
  EXPECT_EQ(model.mixtures[1].n_components(), 5);
  EXPECT_EQ(model.mixtures[1].means,
            fit_mixture(data.samples[1], options_of(5).mixture).mixture.means);
  // the same mixtures in another order give the same map, whichever group the reference is
  options.reference = std::string("c");
  const TransportModel other = fit_transport(data.groups, options);
  EXPECT_EQ(other.coupling.reference, 2);
  EXPECT_EQ(transport(map_between(model, "a", "c"), data.samples[0]),
            transport(map_between(other, "a", "c"), data.samples[0]));
}

TEST(FitTransport, NamesEveryBadArgument) {
  struct Input {
    ThreeGroups data;
    TransportOptions options = options_of(2);
  };
  struct Row {
    std::function<void(Input&)> spoil;
    const char* expected;
  };
  const Row rows[] = {
      {[](Input& i) { i.data.groups.resize(1); },
       "fit_transport: 1 group given, expected 2 or more"},
      {[](Input& i) { i.data.groups[2].name.clear(); },
       "fit_transport: a group name is empty, expected a non-empty name"},
      {[](Input& i) { i.data.groups[2].name = std::string("a"); },
       "fit_transport: two groups are named 'a'"},
      {[](Input& i) { i.data.groups[1].samples = i.data.samples[1].leftCols(1); },
       "fit_transport: group 'b' has 1 feature, group 'a' has 2"},
      {[](Input& i) { i.options.reference = std::string("x"); },
       "group 'x' is not in the model, expected one of 'a', 'b', 'c'"},
      {[](Input& i) {
         i.options.feature_names = {"u", "v", "w"};
       },
       "fit_transport: feature_names has 3 entries for 2 features, expected one per feature"},
      {[](Input& i) {
         i.options.n_components_per_group = {2, 3};
       },
       "fit_transport: n_components_per_group has 2 entries for 3 groups, expected one per group"},
      {[](Input& i) {
         i.options.coupling = CouplingMethod::matching;
         i.options.n_components_per_group = {2, 3, 2};
       },
       "fit_transport: n_components_per_group has 2 and 3 components, but a matching needs equal "
       "numbers; set coupling to plan"},
      {[](Input& i) { i.options.mixture.initial = random_mixture({}); },
       "fit_transport: mixture.initial is set, but each group needs a separate start; leave it "
       "empty"},
      {[](Input& i) {
         i.data.groups[1].samples = i.data.samples[1].topRows(2);
         i.options.mixture.n_components = 3;
       },
       "group 'b': fit_mixture: n_components = 3 exceeds the number of samples (2). Reduce "
       "n_components or provide more samples"},
      {[](Input& i) { i.data.groups[1].samples = i.data.samples[1].topRows(1); },
       "fit_transport: group 'b' has 1 sample, expected 2 or more: the spread of one sample is "
       "unknown; merge the group with another, remove it, or set small_groups to keep"},
  };
  for (const Row& row : rows) {
    Input input;
    row.spoil(input);
    expect_error<InvalidArgument>([&] { (void)fit_transport(input.data.groups, input.options); },
                                  row.expected);
  }
}

TEST(FitTransport, SaysWhichGroupIsSingular) {
  const ThreeGroups data;
  RowMatrix flat = data.samples[2];
  flat.col(1) = 2.0 * flat.col(0);
  std::vector<Group> groups = data.groups;
  groups[2].samples = flat;
  TransportOptions options = options_of(2);
  options.mixture.covariance_floor = 0.0;
  try {
    (void)fit_transport(groups, options);
    FAIL() << "nothing was thrown";
  } catch (const NumericalError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("group 'c': fit_mixture: the samples do not span", 0),
              0U);
  }
}

TEST(FitTransport, ShrinkageLimitsDisplacementsOfManyFeatures) {
  const Mixture from = random_mixture({.n_components = 2, .n_features = 40, .seed = 1});
  const Mixture to = random_mixture({.n_components = 2, .n_features = 40, .seed = 2});
  const RowMatrix seen = sample(from, 60, 1).samples;
  const RowMatrix other = sample(to, 60, 2).samples;
  const RowMatrix unseen = sample(from, 300, 3).samples;
  const auto farthest = [&](const Shrinkage& shrinkage) {
    TransportOptions options;
    options.mixture.n_components = 2;
    options.mixture.shrinkage = shrinkage;
    const std::vector<Group> groups{{"from", seen}, {"to", other}};
    const TransportModel model = fit_transport(groups, options);
    const RowMatrix carried = transport(map_between(model, "from", "to"), unseen);
    EXPECT_TRUE(carried.allFinite());
    double most = 0.0;  // distance to the nearest mean of the target
    for (const auto& point : carried.rowwise()) {
      most = std::max(most, (to.means.rowwise() - point).rowwise().norm().minCoeff());
    }
    return most;
  };
  // components of 30 samples span 29 of 40 features, and a floor alone leaves the others to noise
  const double shrunk = farthest({.automatic = true});
  EXPECT_LT(shrunk, 20.0);  // variances are at most 3, so about twice the deviation sqrt(3 * 40)
  EXPECT_GT(farthest({}), 2.0 * shrunk);
}

TEST(FitTransport, RelativeFloorIsAFractionOfTheVarianceOverAllGroups) {
  Random random(3);
  RowMatrix still = random_normal_matrix(400, 2, random);
  still.col(1).setZero();  // varies in the other group only
  const RowMatrix lively = (2.0 * random_normal_matrix(300, 2, random)).array() + 1.0;
  const Group groups[] = {{"still", still}, {"lively", lively}};
  TransportOptions options;
  options.mixture.covariance_floor = 0.0;
  options.mixture.relative_covariance_floor = 0.1;
  const TransportModel model = fit_transport(groups, options);
  const auto centered = [](const RowMatrix& samples) {
    return RowMatrix(samples.rowwise() - samples.colwise().mean());
  };
  const double spread = centered(lively).col(1).squaredNorm() / 300.0;
  const double mean = lively.col(1).mean();
  const double common = 0.5 * spread + 0.25 * mean * mean;
  EXPECT_NEAR(model.mixtures[0].covariances[0](1, 1), 0.1 * common, 1e-12);
  EXPECT_NEAR(model.mixtures[1].covariances[0](1, 1), spread + 0.1 * common, 1e-12);
  options.mixture.floor_variances = Vector{{0.0, 1.0}};
  EXPECT_NEAR(fit_transport(groups, options).mixtures[0].covariances[0](1, 1), 0.1, 1e-12);
  EXPECT_FALSE(model.mixture_options.floor_variances.has_value());
}

}  // namespace
}  // namespace lbw
