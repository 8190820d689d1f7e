// SPDX-License-Identifier: MIT
#include "transport/shrink_groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

double deviation(const RowMatrix& points) {
  const Eigen::RowVectorXd mean = points.colwise().mean();
  return std::sqrt((points.rowwise() - mean).squaredNorm() / static_cast<double>(points.size()));
}

/// The options of GroupRepair.
TransportOptions repair_options() {
  TransportOptions options;
  options.mixture.covariance_floor = 0.0;
  options.mixture.relative_covariance_floor = 0.1;
  options.refine = 10;
  options.group_shrinkage = {.automatic = true};
  return options;
}

// All samples are of one distribution, so nothing needs repair. Without shrinkage the deviation of
// five features is 7.2 (5 samples), 5.0 (10), 2.9 (30) and 1.4 (100).
TEST(SmallGroup, OfTheSameDistributionHardlyMoves) {
  for (const Index d : {1, 2, 5, 10, 20}) {
    for (const Index n : {2, 5, 10, 30, 100}) {
      const auto seed = static_cast<std::uint64_t>(1000 * d + n);
      const RowMatrix large = normals(1000, d, seed);
      const RowMatrix small = normals(n, d, seed + 500'000);
      const std::vector<Group> groups = {{"a", large}, {"b", small}};
      const TransportModel model = fit_transport(groups, repair_options());
      const RowMatrix fresh = normals(1000, d, seed + 900'000);
      const double own = deviation(transport(map_to_barycenter(model, "b", halves), fresh));
      const double other = deviation(transport(map_to_barycenter(model, "a", halves), fresh));
      EXPECT_LT(own, 1.5) << d << " features, " << n << " samples";
      EXPECT_GT(own, 0.6) << d << " features, " << n << " samples";
      EXPECT_LT(other, 1.25) << d << " features, " << n << " samples";
      EXPECT_GT(other, 0.8) << d << " features, " << n << " samples";
    }
  }
}

// The noise of the variances of such samples is far larger than their kurtosis suggests.
TEST(HeavyTails, OfOneDistributionHardlyMove) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    const Index n = seed % 2 == 0 ? 5000 : 300;
    const RowMatrix first = (2.0 * normals(n, 3, seed).array()).exp();
    const RowMatrix second = (2.0 * normals(n, 3, seed + 100).array()).exp();
    const std::vector<Group> groups = {{"a", first}, {"b", second}};
    const TransportModel model = fit_transport(groups, repair_options());
    EXPECT_EQ(transport(map_to_barycenter(model, "a", halves), first), first) << seed;
    EXPECT_EQ(transport(map_to_barycenter(model, "b", halves), second), second) << seed;
  }
}

TEST(HeavyTails, InOneFeatureAreLeftWhereAnotherIsRepaired) {
  RowMatrix first = normals(500, 2, 1);
  RowMatrix second = normals(500, 2, 2);
  first.col(1) = (2.0 * first.col(1).array()).exp();
  second.col(1) = (2.0 * second.col(1).array()).exp();
  second.col(0).array() += 3.0;
  const std::vector<Group> groups = {{"a", first}, {"b", second}};
  TransportOptions options = repair_options();
  options.refine = 0;
  const TransportModel model = fit_transport(groups, options);
  const RowMatrix moved = transport(map_to_barycenter(model, "b", halves), second);
  EXPECT_NEAR((moved.col(0) - second.col(0)).mean(), -1.5, 0.2);
  const double spread = std::sqrt((moved.col(1).array() - moved.col(1).mean()).square().sum() /
                                  (second.col(1).array() - second.col(1).mean()).square().sum());
  EXPECT_NEAR(spread, 1.0, 0.02);
}

TEST(SmallGroup, ThatIsShiftedFarIsRepaired) {
  const RowMatrix large = normals(1000, 3, 1);
  const RowMatrix small = normals(20, 3, 2).array() + 5.0;
  const std::vector<Group> groups = {{"a", large}, {"b", small}};
  const TransportModel model = fit_transport(groups, repair_options());
  const RowMatrix fresh = normals(1000, 3, 3);
  const RowMatrix first = transport(map_to_barycenter(model, "a", halves), fresh);
  const RowMatrix moved = fresh.array() + 5.0;
  const RowMatrix second = transport(map_to_barycenter(model, "b", halves), moved);
  // means of 20 samples are known to 1 / sqrt(20)
  EXPECT_LT((first.colwise().mean() - second.colwise().mean()).cwiseAbs().maxCoeff(), 0.7);
}

TEST(GroupShrinkage, VanishesForLargeGroups) {
  const RowMatrix a = normals(40'000, 2, 4);
  const RowMatrix b = (2.0 * normals(30'000, 2, 5)).array() + 1.0;
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  TransportOptions options;
  const TransportModel plain = fit_transport(groups, options);
  options.group_shrinkage = {.automatic = true};
  const TransportModel shrunk = fit_transport(groups, options);
  const RowMatrix fresh = normals(100, 2, 6);
  EXPECT_LT((transport(map_to_barycenter(shrunk, "a", halves), fresh) -
             transport(map_to_barycenter(plain, "a", halves), fresh))
                .cwiseAbs()
                .maxCoeff(),
            0.02);  // three deviations of a correlation of 30000 samples, which is noise alone
}

TEST(GroupShrinkage, ByAFixedAmountDrawsMomentsTowardsThoseOfAll) {
  const RowMatrix a = normals(300, 2, 7);
  const RowMatrix b = (2.0 * normals(100, 2, 8)).array() + 1.0;
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  TransportOptions options;
  const TransportModel plain = fit_transport(groups, options);
  options.group_shrinkage = {.amount = 0.25};
  const TransportModel quarter = fit_transport(groups, options);
  const Eigen::RowVectorXd mean =
      0.75 * plain.mixtures[0].means.row(0) + 0.25 * plain.mixtures[1].means.row(0);
  EXPECT_LT((quarter.mixtures[1].means.row(0) - 0.75 * plain.mixtures[1].means.row(0) - 0.25 * mean)
                .cwiseAbs()
                .maxCoeff(),
            1e-12);
  options.group_shrinkage = {.amount = 1.0};
  const TransportModel all = fit_transport(groups, options);
  EXPECT_LT((all.mixtures[0].covariances[0] - all.mixtures[1].covariances[0]).norm(), 1e-12);
  const Matrix expected =
      0.75 * plain.mixtures[0].covariances[0] + 0.25 * plain.mixtures[1].covariances[0];
  EXPECT_LT((all.mixtures[0].covariances[0] - expected).norm(), 1e-12);
}

TEST(GroupShrinkage, TakesMixturesOfEveryCovarianceType) {
  const RowMatrix a = normals(200, 3, 9);
  const RowMatrix b = normals(20, 3, 10).array() + 1.0;
  const std::vector<Group> groups = {{"a", a}, {"b", b}};
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied,
                                    CovarianceType::diagonal, CovarianceType::spherical}) {
    for (const int k : {1, 2}) {
      TransportOptions options = repair_options();
      options.mixture.covariance_type = type;
      options.mixture.n_components = k;
      options.refine = 2;
      const TransportModel model = fit_transport(groups, options);
      EXPECT_NO_THROW(check_model(model, "f"));
      EXPECT_TRUE(transport(map_to_barycenter(model, "b", halves), b).allFinite());
    }
  }
}

TEST(GroupShrinkage, RefusesAmountsBeyondOne) {
  const RowMatrix a = normals(20, 2, 11);
  const std::vector<Group> groups = {{"a", a}, {"b", a}};
  TransportOptions options;
  options.group_shrinkage = {.amount = 1.5};
  expect_error<InvalidArgument>(
      [&] { (void)fit_transport(groups, options); },
      "fit_transport: group_shrinkage is 1.5, expected auto or a number from 0 to 1");
}

// Powers of two change no digits.
TEST(GroupShrinkage, MovesComponentsTheSameInAnyUnits) {
  const Vector units{{1024.0, 0.25}};
  Mixture mixture{
      CovarianceType::full, Vector{{0.5, 0.5}}, RowMatrix{{-1.0, 0.5}, {1.0, -0.5}}, {}};
  mixture.covariances = {Matrix{{1.0, 0.6}, {0.6, 2.0}}, Matrix{{3.0, -0.8}, {-0.8, 0.5}}};
  const auto in_units = [&](Mixture own) {
    own.means = own.means * units.asDiagonal();
    for (Matrix& covariance : own.covariances) {
      covariance = (units.asDiagonal() * covariance * units.asDiagonal()).eval();
    }
    return own;
  };
  Mixture second = mixture;
  second.covariances[0] *= 4.0;
  const RowMatrix rows = normals(50, 2, 1);
  const std::vector<Group> groups = {{"a", rows}, {"b", rows}};
  TransportOptions options;
  options.group_shrinkage = {.amount = 0.5};
  std::vector<Mixture> plain{mixture, second};
  std::vector<Mixture> other{in_units(mixture), in_units(second)};
  shrink_groups(plain, groups, options);
  shrink_groups(other, groups, options);
  for (std::size_t g = 0; g < 2; ++g) {
    const Mixture expected = in_units(plain[g]);
    EXPECT_EQ(other[g].means, expected.means) << g;
    EXPECT_EQ(other[g].covariances, expected.covariances) << g;
    EXPECT_GT((plain[g].means - mixture.means).norm(), 0.01) << g;
  }
}

// A loan, an age and a rate.
TEST(Repair, DoesNotDependOnUnits) {
  const Eigen::RowVector3d units(2e6, 10.0, 0.01);
  const RowMatrix a = normals(400, 3, 12);
  RowMatrix b = normals(150, 3, 13).array().cube() + 1.0;
  b.col(2) += 0.7 * b.col(0);
  const RowMatrix scaled_a = a * units.asDiagonal();
  const RowMatrix scaled_b = b * units.asDiagonal();
  TransportOptions options = repair_options();
  options.map = MapKind::hard;
  options.scale_features = true;
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal}) {
    options.mixture.covariance_type = type;
    const TransportModel model = fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, options);
    const TransportModel scaled =
        fit_transport(std::vector<Group>{{"a", scaled_a}, {"b", scaled_b}}, options);
    const RowMatrix expected = transport(map_to_barycenter(model, "b", halves), b);
    const RowMatrix moved = transport(map_to_barycenter(scaled, "b", halves), scaled_b) *
                            units.cwiseInverse().asDiagonal();
    EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-9) << to_string(type);
  }
}

TEST(Repair, CountsAWeightOfTwoAsTheSampleTwice) {
  const RowMatrix a = normals(200, 2, 14);
  const RowMatrix b = arc(60, 3.0, 15);
  std::vector<double> weights;
  RowMatrix copies(120, 2);
  Index row = 0;
  for (Index i = 0; i < 60; ++i) {
    const Index count = 1 + i % 3;
    weights.push_back(static_cast<double>(count));
    for (Index c = 0; c < count; ++c) copies.row(row++) = b.row(i);
  }
  const TransportModel weighted =
      fit_transport(std::vector<Group>{{"a", a}, {"b", b, weights}}, repair_options());
  const TransportModel repeated =
      fit_transport(std::vector<Group>{{"a", a}, {"b", copies}}, repair_options());
  const RowMatrix fresh = arc(200, 3.0, 16);
  for (const char* name : {"a", "b"}) {
    const RowMatrix expected = transport(map_to_barycenter(repeated, name, halves), fresh);
    const RowMatrix moved = transport(map_to_barycenter(weighted, name, halves), fresh);
    EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-8) << name;
  }
}

TEST(Repair, DoesNotCountSamplesWithoutWeight) {
  TransportOptions options = repair_options();
  options.dither = Dither::automatically();
  const RowMatrix a = normals(200, 2, 20);
  const RowMatrix b = normals(60, 2, 21);
  RowMatrix more(360, 2);  // 300 integers, for which a column would have cells
  more << b, RowMatrix::Constant(150, 2, 1.0), RowMatrix::Constant(150, 2, -1.0);
  std::vector<double> weights(360, 0.0);
  std::fill(weights.begin(), weights.begin() + 60, 1.0);
  const TransportModel plain = fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, options);
  const TransportModel weighted =
      fit_transport(std::vector<Group>{{"a", a}, {"b", more, weights}}, options);
  EXPECT_EQ(weighted.dither_cells, plain.dither_cells);
  const RowMatrix fresh = normals(200, 2, 22);
  const RowMatrix moved = transport(map_to_barycenter(weighted, "b", halves), fresh);
  const RowMatrix expected = transport(map_to_barycenter(plain, "b", halves), fresh);
  EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-8);
}

RowMatrix booleans(Index n_samples, const std::vector<double>& rates, std::uint64_t seed) {
  Random random(seed);
  RowMatrix points(n_samples, std::ssize(rates));
  for (Index i = 0; i < n_samples; ++i) {
    for (Index f = 0; f < points.cols(); ++f) {
      points(i, f) = random.uniform() < rates[static_cast<std::size_t>(f)] ? 1.0 : 0.0;
    }
  }
  return points;
}

// An atom moves as a whole, so any map would separate equal groups.
TEST(Repair, DoesNotMoveEqualGroupsOfBooleans) {
  for (std::uint64_t seed = 20; seed < 60; seed += 2) {
    const RowMatrix a = booleans(2000, {0.3, 0.5, 0.8}, seed);
    const RowMatrix b = booleans(2000, {0.3, 0.5, 0.8}, seed + 1);
    const TransportModel model =
        fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, repair_options());
    const RowMatrix moved = transport(map_to_barycenter(model, "a", halves), a);
    EXPECT_EQ(moved, a) << seed;
  }
}

// One co-occurrence of rare values is a large correlation, and even a small map splits atoms.
TEST(Repair, HardlyMovesEqualGroupsOfRareBooleans) {
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RowMatrix a = booleans(300, {0.01, 0.02, 0.03}, 2 * seed);
    const RowMatrix b = booleans(300, {0.01, 0.02, 0.03}, 2 * seed + 1);
    const TransportModel model =
        fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, repair_options());
    if (transport(map_to_barycenter(model, "a", halves), a) != a) ++moved;
  }
  EXPECT_LE(moved, 1);
}

// Rounding in a map that should be diagonal would split atoms, and steps would separate them.
TEST(Repair, OfWholeNumbersDoesNotDependOnUnits) {
  TransportOptions options = repair_options();
  options.scale_features = true;
  options.map = MapKind::hard;
  Random random(7);
  RowMatrix a(2500, 4);
  for (double& value : a.reshaped()) value = std::floor(4.0 * random.uniform());
  RowMatrix b(2500, 4);
  for (double& value : b.reshaped()) value = 2.0 * std::floor(4.0 * random.uniform());
  const RowMatrix thrice_a = 3.0 * a;
  const RowMatrix thrice_b = 3.0 * b;
  const TransportModel model = fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, options);
  const TransportModel other =
      fit_transport(std::vector<Group>{{"a", thrice_a}, {"b", thrice_b}}, options);
  const RowMatrix expected = transport(map_to_barycenter(model, "a", halves), a);
  const RowMatrix moved = transport(map_to_barycenter(other, "a", halves), thrice_a) / 3.0;
  EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Repair, KeepsTheSpreadOfABoolean) {
  const RowMatrix a = booleans(3000, std::vector{0.3}, 19);
  const RowMatrix b = booleans(3000, std::vector{0.6}, 20);
  const TransportModel model =
      fit_transport(std::vector<Group>{{"a", a}, {"b", b}}, repair_options());
  const double expected = 0.5 * (deviation(a) + deviation(b));
  EXPECT_NEAR(deviation(transport(map_to_barycenter(model, "a", halves), a)), expected, 0.03);
  EXPECT_NEAR(deviation(transport(map_to_barycenter(model, "b", halves), b)), expected, 0.03);
}

}  // namespace
}  // namespace lbw
