// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/report.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

/// x -> stretch x on the line, as a map of one Gaussian.
LocalMap stretching(double stretch) {
  const Mixture source{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 1), {Matrix::Ones(1, 1)}};
  const AffineMap map{Vector::Zero(1), Matrix::Constant(1, 1, stretch), Vector::Zero(1)};
  return {source, {{0, 1.0, map}}};
}

Mixture gaussian_on_line(double mean, double variance) {
  return {CovarianceType::full,
          Vector::Ones(1),
          RowMatrix::Constant(1, 1, mean),
          {Matrix::Constant(1, 1, variance)}};
}

TEST(Displacement, IsMeasuredFromTheDefinition) {
  RowMatrix samples(4, 1);
  samples << -3.0, -1.0, 1.0, 3.0;
  const Displacement moved = displacement(stretching(3.0), gaussian_on_line(4.0, 9.0), samples);
  EXPECT_EQ(moved.n_samples, 4);
  EXPECT_DOUBLE_EQ(moved.rms, 2.0 * std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(moved.largest, 6.0);
  EXPECT_DOUBLE_EQ(moved.reach, 4.0 + std::sqrt(5.0) + 3.0);
  EXPECT_DOUBLE_EQ(moved.farthest_reach, 4.0 + 3.0 + 3.0 * 3.0 / std::sqrt(5.0));
  EXPECT_FALSE(moved.out_of_proportion());
}

TEST(Displacement, LetsEqualSamplesFillTheTarget) {
  const RowMatrix samples = RowMatrix::Constant(5, 1, 1.0);
  const Displacement moved = displacement(stretching(3.0), gaussian_on_line(4.0, 9.0), samples);
  EXPECT_DOUBLE_EQ(moved.reach, 3.0 + 3.0);
  EXPECT_DOUBLE_EQ(moved.farthest_reach, 3.0 + 3.0);
}

TEST(Displacement, TakesTheSpreadOfAllTypesOfMixtures) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture target = random_mixture({.n_features = 3, .covariance_type = type, .seed = 3});
    Vector mean = Vector::Zero(3);
    for (Index i = 0; i < 3; ++i) mean += target.weights[i] * target.means.row(i).transpose();
    double square = 0.0;
    for (Index i = 0; i < 3; ++i) {
      const Gaussian component = target.component(i);
      square += target.weights[i] *
                (component.covariance.trace() + (component.mean - mean).squaredNorm());
    }
    const Mixture source = random_mixture({.n_components = 1, .n_features = 3});
    const AffineMap identity{Vector::Zero(3), Matrix::Identity(3, 3), Vector::Zero(3)};
    const Displacement moved = displacement({source, {{0, 1.0, identity}}}, target,
                                            RowMatrix(mean.transpose().replicate(2, 1)));
    EXPECT_EQ(moved.rms, 0.0);
    EXPECT_NEAR(moved.reach, std::sqrt(square), 1e-12);
  }
}

// no map to the target has larger displacements, even one that reverses the samples
TEST(Displacement, IsInProportionIfTheMapReachesItsTarget) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TransportModel model = random_model({.n_components = 3, .seed = seed});
    const RowMatrix samples = sample(model.mixtures[0], 2000, seed).samples;
    EXPECT_FALSE(
        displacement(map_between(model, "a", "b"), model.mixtures[1], samples).out_of_proportion())
        << seed;
  }
}

TEST(Displacement, IsOutOfProportionForLargeDisplacements) {
  RowMatrix samples(4, 1);
  samples << -1.0, 0.0, 0.0, 1.0;
  EXPECT_TRUE(
      displacement(stretching(500.0), gaussian_on_line(0.0, 1.0), samples).out_of_proportion());
  // one point of many: the mean square is small, but its displacement is large
  RowMatrix many = RowMatrix::Zero(10000, 1);
  for (Index i = 0; i < 10000; ++i) many(i, 0) = i % 2 == 0 ? -1.0 : 1.0;
  Mixture source = gaussian_on_line(0.0, 1.0);
  LocalMap map = stretching(1.0);
  const Displacement calm = displacement(map, source, many);
  EXPECT_FALSE(calm.out_of_proportion());
  Displacement one = calm;
  one.largest = 3.1 * one.farthest_reach;
  EXPECT_TRUE(one.out_of_proportion());
  one.largest = 2.9 * one.farthest_reach;
  EXPECT_FALSE(one.out_of_proportion());
}

/// Group a has no variance along y except the floor, and b has, so the map of a stretches y.
TransportModel flat_model(double floor) {
  TransportModel model = random_model({.n_components = 1});
  for (Mixture& mixture : model.mixtures) {
    mixture.means.setZero();
    mixture.covariances[0] = Matrix::Identity(2, 2);
  }
  model.mixtures[0].covariances[0](1, 1) = floor;
  model.mixture_options.covariance_floor = floor;
  return model;
}

/// (-1, -1), (0, 0) and (1, 1), four times each, because new points may differ from the fitted
/// ones.
RowMatrix diagonal_samples() {
  RowMatrix samples(12, 2);
  for (Index i = 0; i < 12; ++i) samples.row(i).setConstant(static_cast<double>(i % 3) - 1.0);
  return samples;
}

TEST(DisplacementWarning, SaysNothingOfFewSamples) {
  const RowMatrix few = diagonal_samples().topRows(9);
  EXPECT_FALSE(displacement_warning(flat_model(1e-6), std::vector<Group>{{"a", few}}).has_value());
}

TEST(DisplacementWarning, NamesTheGroupsTheNumbersAndTheRemedy) {
  const RowMatrix samples = diagonal_samples();
  const std::vector<Group> groups = {{"a", samples}};
  const std::optional<std::string> text = displacement_warning(flat_model(1e-6), groups);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text,
            "Samples of 'a' are moved too far in the transport to 'b': the root mean square "
            "displacement is 816 and the largest 999, where 2.57 and 3.15 would be in proportion "
            "to the distance and spread of the groups. "
            "The cause is components with almost no variance in some direction: increase "
            "relative_covariance_floor (0) or covariance_floor (1e-06), or set shrinkage to auto.");
  EXPECT_FALSE(displacement_warning(flat_model(0.1), groups).has_value());
}

// the samples have no spread in y, so only new samples would have large displacements
TEST(DisplacementWarning, PredictsDisplacementsNearTheFittedSamples) {
  RowMatrix flat(1000, 2);
  RowMatrix round(1000, 2);
  Random random(5);
  for (double& value : flat.reshaped()) value = random.normal();
  for (double& value : round.reshaped()) value = random.normal();
  flat.col(1).setZero();
  const std::vector<Group> groups = {{"a", flat}, {"b", round}};
  const std::optional<std::string> text = displacement_warning(flat_model(1e-6), groups);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(
      text->find(
          "New samples of 'a' are moved too far in the transport to 'b': a tenth of a standard "
          "deviation away from the training samples, the root mean square displacement is 66.8"),
      0U)
      << *text;
  EXPECT_FALSE(displacement_warning(flat_model(0.1), groups).has_value());
  EXPECT_FALSE(displacement_warning(flat_model(1e-6), std::vector<Group>()).has_value());
}

TEST(DisplacementWarning, LooksAtTheBarycenterWhereThereAreWeights) {
  const RowMatrix samples = diagonal_samples();
  const std::vector<Group> groups = {{"a", samples}};
  const std::vector<double> half = {0.5, 0.5};
  const std::optional<std::string> text = displacement_warning(flat_model(1e-6), groups, half);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->find("Samples of 'a' are moved too far in the transport to the barycenter: the "
                       "root mean square displacement is 408"),
            0U)
      << *text;
  EXPECT_FALSE(displacement_warning(flat_model(1e-6), groups, corner(2, 0)).has_value());
}

TEST(Displacement, RefusesATargetOfAnotherDimension) {
  expect_error<InvalidArgument>(
      [&] {
        (void)displacement(stretching(1.0), random_mixture({}), RowMatrix(RowMatrix::Zero(3, 1)));
      },
      "displacement: target has 2 features, the samples have 1");
}

}  // namespace
}  // namespace lbw
