// SPDX-License-Identifier: MIT
#include "transport/fit_refinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/ks_distance.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

double ks_at_barycenter(const TransportModel& model, const RowMatrix& first,
                        const RowMatrix& second) {
  return ks_distance_along_axes(transport(map_to_barycenter(model, "a", halves), first),
                                transport(map_to_barycenter(model, "b", halves), second));
}

TEST(FitRefinement, ReducesTheDistanceOfGroupsThatAreNotGaussian) {
  const TwoArcs data;
  const TransportModel plain = fit_transport(data.groups(), refine_options(0, 5));
  const TransportModel refined = fit_transport(data.groups(), refine_options(20, 5));
  EXPECT_GT(ks_at_barycenter(plain, data.first, data.second), 0.15);
  EXPECT_LT(ks_at_barycenter(refined, data.first, data.second), 0.03);
}

TEST(FitRefinement, HoldsForHeldOutPoints) {
  const TwoArcs data;
  const RowMatrix first = arc(3000, 3.0, 11);
  const RowMatrix second = arc(2000, -2.0, 12);
  const TransportModel plain = fit_transport(data.groups(), refine_options(0, 5));
  const TransportModel refined = fit_transport(data.groups(), refine_options(20, 5));
  EXPECT_GT(ks_at_barycenter(plain, first, second), 0.15);
  // 3000 and 2000 samples of one distribution have a distance of 0.03, like those of the fit
  EXPECT_LT(ks_at_barycenter(refined, first, second), 0.07);
}

TEST(FitRefinement, HelpsEveryKindOfMap) {
  const TwoArcs data;
  for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
    TransportOptions options = refine_options(0, 2);
    options.map = kind;
    const double before =
        ks_at_barycenter(fit_transport(data.groups(), options), data.first, data.second);
    options.refine = 15;
    const double after =
        ks_at_barycenter(fit_transport(data.groups(), options), data.first, data.second);
    // samples of one distribution have a distance of about .03, and such differences remain
    EXPECT_LT(after, std::max(0.035, 0.5 * before)) << to_string(kind);
  }
}

/// Normal values, a twentieth of them replaced by a code that is far away.
RowMatrix coded_values(Index n_samples, double mean, std::uint64_t seed) {
  Random random(seed);
  RowMatrix samples(n_samples, 1);
  for (double& value : samples.reshaped()) {
    const double own = mean + random.normal();
    value = random.uniform() < 0.05 ? -999.0 : own;
  }
  return samples;
}

// The noise of the number of codes hides the difference of all other values from sums of squares.
TEST(FitRefinement, SeesDifferencesBesideACodeThatIsFarAway) {
  TransportOptions options = refine_options(30, 1);
  options.scale_features = true;
  options.group_shrinkage.automatic = true;
  const auto model_of = [&](double shift, std::uint64_t seed) {
    const RowMatrix first = coded_values(3000, 0.0, seed);
    const RowMatrix second = coded_values(3000, shift, seed + 1);
    const std::vector<Group> groups = {{"a", first}, {"b", second}};
    const TransportModel model = fit_transport(groups, options);
    return std::pair(ks_distance_along_axes(first, second), ks_at_barycenter(model, first, second));
  };
  const auto [before, after] = model_of(0.5, 1);
  EXPECT_GT(before, 0.15);
  EXPECT_LT(after, 0.05);
  const auto [equal_before, equal_after] = model_of(0.0, 3);
  EXPECT_EQ(equal_after, equal_before);
}

// The value multiplies the standard deviation of its feature by 10000. Rotated axes would then mix
// the noise of the other feature, in these units, into all values.
TEST(FitRefinement, IsNotDisturbedByOneWrongValue) {
  Random random(3);
  RowMatrix first(2000, 2);
  for (double& value : first.reshaped()) value = random.normal();
  RowMatrix second(2000, 2);
  for (double& value : second.reshaped()) value = random.normal();
  second.col(0).array() += 0.5;
  first(0, 0) = 1e6;
  TransportOptions options = refine_options(30, 1);
  options.scale_features = true;
  options.group_shrinkage.automatic = true;
  const std::vector<Group> groups = {{"a", first}, {"b", second}};
  const TransportModel model = fit_transport(groups, options);
  EXPECT_GT(ks_distance_along_axes(first, second), 0.15);
  EXPECT_LT(ks_at_barycenter(model, first, second), 0.06);
}

double correlation(const Vector& first, const Vector& second) {
  const Vector a = first.array() - first.mean();
  const Vector b = second.array() - second.mean();
  return a.dot(b) / (a.norm() * b.norm());
}

// The Gaussian maps move the groups apart by the mean of the value, and the first step brings them
// together again. If this distance counted in the scale of the feature, later steps would replace
// the feature by noise of the others.
TEST(FitRefinement, KeepsTheOtherValuesBesideAWrongOne) {
  TransportOptions options = refine_options(50, 1);
  options.scale_features = true;
  options.group_shrinkage.automatic = true;
  for (const double wrong : {1e3, 1e6, 1e9}) {
    RowMatrix first = normals(500, 3, 1);
    RowMatrix second = normals(500, 3, 2);
    second.array() += 0.5;
    first(0, 0) = wrong;
    const std::vector<Group> groups = {{"a", first}, {"b", second}};
    const TransportModel model = fit_transport(groups, options);
    const RowMatrix moved =
        transport(map_to_barycenter(model, "a", std::vector<double>{0.5, 0.5}), first);
    EXPECT_GT(correlation(first.col(0).tail(499), moved.col(0).tail(499)), 0.99) << wrong;
  }
}

TEST(FitRefinement, OfNoStepsChangesNothing) {
  const TwoArcs data;
  const TransportModel plain = fit_transport(data.groups(), refine_options(0, 3));
  TransportModel refined = fit_transport(data.groups(), refine_options(4, 3));
  EXPECT_TRUE(plain.refinement.empty());
  EXPECT_TRUE(plain.refinement.barycentric_weights.empty());
  EXPECT_EQ(refined.refinement.steps.size(), 4U);
  refined.refinement = {};
  EXPECT_EQ(model_to_bytes(refined), model_to_bytes(plain));
  EXPECT_EQ(transport(map_to_barycenter(refined, "a", halves), data.first),
            transport(map_to_barycenter(plain, "a", halves), data.first));
}

std::vector<double> sorted(const RowMatrix& values) {
  std::vector<double> all(values.data(), values.data() + values.size());
  std::sort(all.begin(), all.end());
  return all;
}

// On the line the barycenter of groups of one size is the mean of their sorted samples, here after
// transport by the affine maps.
TEST(FitRefinement, OfOneStepOnTheLineGivesTheBarycenterOfTransportedSamples) {
  const RowMatrix first = arc(2000, 3.0, 3).col(1);
  const RowMatrix second = arc(2000, -1.0, 4).col(1);
  const std::vector<Group> groups = {{"a", first}, {"b", second}};
  const TransportModel plain = fit_transport(groups, refine_options(0));
  TransportModel refined = fit_transport(groups, refine_options(1));
  EXPECT_LT(refined.refinement.steps[0].shrinkage[0], 0.3);  // the noise is small
  refined.refinement.steps[0].shrinkage.assign(2, 0.0);
  const std::vector<double> a = sorted(transport(map_to_barycenter(plain, "a", halves), first));
  const std::vector<double> b = sorted(transport(map_to_barycenter(plain, "b", halves), second));
  for (const auto& [name, samples] : {std::pair{"a", first}, {"b", second}}) {
    const std::vector<double> carried =
        sorted(transport(map_to_barycenter(refined, name, halves), samples));
    for (std::size_t i = 8; i < 1992; ++i) {
      // a table resolves the position of a value to one of its levels, 8 samples
      ASSERT_GE(carried[i], 0.5 * (a[i - 8] + b[i - 8])) << name << i;
      ASSERT_LE(carried[i], 0.5 * (a[i + 8] + b[i + 8])) << name << i;
    }
  }
}

TEST(FitRefinement, GivesTheSameBitsAtAnyNumberOfThreads) {
  const TwoArcs data(20'000, 9000);
  TransportOptions options = refine_options(3, 2);
  options.mixture.execution.n_threads = 1;
  const TransportModel alone = fit_transport(data.groups(), options);
  for (const int n_threads : {2, 5}) {
    options.mixture.execution.n_threads = n_threads;
    EXPECT_EQ(model_to_bytes(fit_transport(data.groups(), options)), model_to_bytes(alone));
  }
}

TEST(FitRefinement, RotatesByTheSeed) {
  const TwoArcs data(300, 200);
  TransportOptions options = refine_options(2);
  const TransportModel first = fit_transport(data.groups(), options);
  EXPECT_EQ(model_to_bytes(fit_transport(data.groups(), options)), model_to_bytes(first));
  EXPECT_NE(first.refinement.steps[0].rotation, first.refinement.steps[1].rotation);
  options.mixture.seed = 1;
  const TransportModel second = fit_transport(data.groups(), options);
  EXPECT_NE(first.refinement.steps[1].rotation, second.refinement.steps[1].rotation);
  EXPECT_EQ(second.refinement.steps[0].rotation, Matrix(Matrix::Identity(2, 2)));
}

TEST(FitRefinement, TakesFeaturesThatAreConstant) {
  TwoArcs data(500, 400);
  data.first.col(0).setConstant(2.0);
  data.second.col(0).setConstant(2.0);
  const TransportModel model = fit_transport(data.groups(), refine_options(5));
  const RowMatrix carried = transport(map_to_barycenter(model, "a", halves), data.first);
  EXPECT_TRUE(carried.allFinite());
  EXPECT_LT(ks_at_barycenter(model, data.first, data.second), 1.0);
  for (const int side : {0, 1}) {  // constant in one group only, with another value
    data.first.col(0).setConstant(2.0 + side);
    data.second = arc(400, -2.0, 2);
    const TransportModel other = fit_transport(data.groups(), refine_options(5));
    EXPECT_TRUE(transport(map_to_barycenter(other, "a", halves), data.first).allFinite());
    EXPECT_TRUE(transport(map_to_barycenter(other, "b", halves), data.second).allFinite());
  }
}

TEST(FitRefinement, TakesGroupsOfVeryDifferentSize) {
  const TwoArcs data(6000, 200);
  const TransportModel plain = fit_transport(data.groups(), refine_options(0));
  const TransportModel refined = fit_transport(data.groups(), refine_options(10));
  EXPECT_LT(ks_at_barycenter(refined, data.first, data.second),
            ks_at_barycenter(plain, data.first, data.second));
}

TEST(FitRefinement, FitsManySamplesOnSomeOfThem) {
  const TwoArcs data(most_refinement_samples + 40'000, 2000);
  const TransportModel model = fit_transport(data.groups(), refine_options(8));
  EXPECT_LT(ks_at_barycenter(model, data.first.topRows(5000), data.second), 0.08);
}

TEST(FitRefinement, UsesSampleWeights) {
  const TwoArcs data(1000, 1000);
  // samples of weight 0 have no effect
  RowMatrix more(1500, 2);
  more << data.first, RowMatrix::Constant(500, 2, 40.0);
  std::vector<double> weights(1500, 1.0);
  std::fill(weights.begin() + 1000, weights.end(), 0.0);
  const TransportModel plain = fit_transport(data.groups(), refine_options(2));
  const std::vector<Group> weighted = {{"a", more, weights}, {"b", data.second}};
  const TransportModel model = fit_transport(weighted, refine_options(2));
  const RowMatrix expected = transport(map_to_barycenter(plain, "a", halves), data.first);
  const RowMatrix carried = transport(map_to_barycenter(model, "a", halves), data.first);
  EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), 1e-6);  // EM sums in different chunks
}

TEST(FitRefinement, RefusesInvalidOptions) {
  const TwoArcs data(100, 100);
  const auto refused = [&](int refine, std::vector<double> weights, const char* expected_message) {
    TransportOptions options = refine_options(refine);
    options.refine_weights = std::move(weights);
    expect_error<InvalidArgument>([&] { (void)fit_transport(data.groups(), options); },
                                  expected_message);
  };
  refused(-1, {}, "fit_transport: refine is -1, expected a whole number >= 0");
  refused(0, {0.5, 0.5},
          "fit_transport: refine_weights are given, but refine is 0; set refine to a positive "
          "number of steps");
  refused(1, {1.0}, "fit_transport: refine_weights has 1 entry, expected 2");
  refused(1, {0.5, -0.6}, "fit_transport: refine_weights[1] is -0.6, expected a number >= 0");
  refused(1, {0.0, 0.0}, "fit_transport: refine_weights are all 0, expected at least one above 0");
}

TEST(FitRefinement, DividesItsWeightsByTheirSum) {
  const TwoArcs data(100, 100);
  TransportOptions options = refine_options(2);
  options.refine_weights = {1.0, 3.0};
  const TransportModel model = fit_transport(data.groups(), options);
  EXPECT_EQ(model.refinement.barycentric_weights, (std::vector{0.25, 0.75}));
  const std::string& from = model.group_names.front();
  const RowMatrix points = RowMatrix::Random(20, model.n_features());
  EXPECT_EQ(transport(map_to_barycenter(model, from, std::vector{2.0, 6.0}), points),
            transport(map_to_barycenter(model, from, std::vector{0.25, 0.75}), points));
}

}  // namespace
}  // namespace lbw
