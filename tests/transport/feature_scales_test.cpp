// SPDX-License-Identifier: MIT
#include "transport/feature_scales.hpp"

#include <gtest/gtest.h>

#include <lbw/transport.hpp>

#include "support/expect_error.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

const Eigen::RowVector3d unequal_units(2e6, 10.0, 0.01);

/// Two groups with different shapes and correlations.
struct TwoClouds {
  RowMatrix first = normals(300, 3, 1) * shape(0.4, -0.3);
  RowMatrix second = ((normals(200, 3, 2) * shape(-0.6, 0.5)).array() + 0.7).matrix();

  static Eigen::Matrix3d shape(double above, double below) {
    Eigen::Matrix3d matrix = Eigen::Matrix3d::Identity();
    matrix(0, 1) = above;
    matrix(2, 0) = below;
    return matrix;
  }
};

TransportOptions options_of(CovarianceType type, int n_components, bool scale_features) {
  TransportOptions options;
  options.mixture.covariance_type = type;
  options.mixture.covariance_floor = 0.0;
  options.mixture.n_components = n_components;
  options.scale_features = scale_features;
  options.cost = ComponentCost::bures;
  options.map = MapKind::hard;
  return options;
}

// Oracle: couple mixtures of features that are divided by their spread, without scales.
TEST(ScaleFeatures, IsTheModelOfFeaturesDividedByTheirSpread) {
  const TwoClouds clouds;
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied}) {
    const TransportOptions scaling = options_of(type, 3, true);
    const RowMatrix first = clouds.first * unequal_units.asDiagonal();
    const RowMatrix second = clouds.second * unequal_units.asDiagonal();
    const TransportModel model =
        fit_transport(std::vector<Group>{{"a", first}, {"b", second}}, scaling);
    ASSERT_EQ(model.scales.size(), 3);
    const std::vector<Mixture> divided = scaled(model.mixtures, model.scales);
    const TransportModel oracle =
        couple_mixtures(model.group_names, divided, options_of(type, 3, false));
    EXPECT_EQ(model.coupling.tuples, oracle.coupling.tuples);
    EXPECT_NEAR(coupling_cost(model).cost / coupling_cost(oracle).cost, 1.0, 1e-12);
    const RowMatrix as_divided = first * model.scales.cwiseInverse().asDiagonal();
    for (const std::vector<double>& weights : {std::vector{0.5, 0.5}, std::vector{0.0, 1.0}}) {
      const RowMatrix expected = transport(map_to_barycenter(oracle, "a", weights), as_divided);
      const RowMatrix moved = transport(map_to_barycenter(model, "a", weights), first) *
                              model.scales.cwiseInverse().asDiagonal();
      EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-11) << to_string(type);
    }
  }
}

/// Two clusters per group that lie apart along the second feature.
RowMatrix two_clusters(Index n, std::uint64_t seed, double distance) {
  RowMatrix samples = normals(n, 2, seed);
  for (Index i = 0; i < n; ++i) samples(i, 1) += i % 2 == 0 ? distance : -distance;
  return samples;
}

// Powers of two change no digits, so each fit takes the same steps in any units.
TEST(ScaleFeatures, FitsTheSameMixturesInAnyUnits) {
  const RowMatrix first = two_clusters(400, 1, 4.0);
  const RowMatrix second = two_clusters(300, 2, 2.0);
  const Eigen::RowVector2d units(0x1p20, 0x1p-10);
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal}) {
    for (const MixtureStart start :
         {MixtureStart::kmeans, MixtureStart::kmeans_plusplus, MixtureStart::random_points}) {
      TransportOptions options = options_of(type, 2, true);
      options.mixture.relative_covariance_floor = 1e-6;
      options.mixture.start = start;
      const TransportModel plain =
          fit_transport(std::vector<Group>{{"a", first}, {"b", second}}, options);
      const RowMatrix other_first = first * units.asDiagonal();
      const RowMatrix other_second = second * units.asDiagonal();
      const TransportModel other =
          fit_transport(std::vector<Group>{{"a", other_first}, {"b", other_second}}, options);
      for (std::size_t g = 0; g < 2; ++g) {
        const RowMatrix means = other.mixtures[g].means * units.cwiseInverse().asDiagonal();
        EXPECT_LT((means - plain.mixtures[g].means).cwiseAbs().maxCoeff(), 1e-9)
            << to_string(type) << ", start " << static_cast<int>(start);
      }
    }
  }
}

// Oracle: shrink the covariance of samples divided by the spread over both groups.
TEST(ScaleFeatures, ShrinksCovariancesOfFeaturesDividedByTheirSpread) {
  const TwoClouds clouds;
  const RowMatrix first = clouds.first * unequal_units.asDiagonal();
  const RowMatrix second = clouds.second * unequal_units.asDiagonal();
  const auto covariance_of = [](const RowMatrix& samples) {
    const RowMatrix centered = samples.rowwise() - samples.colwise().mean();
    return Matrix(centered.transpose() * centered / static_cast<double>(samples.rows()));
  };
  const Vector half_way = 0.5 * (first.colwise().mean() - second.colwise().mean()).transpose();
  const Vector spread =
      (0.5 * (covariance_of(first) + covariance_of(second)).diagonal() + half_way.cwiseAbs2())
          .cwiseSqrt();
  const Matrix divided = covariance_of(first * spread.cwiseInverse().asDiagonal());
  TransportOptions options = options_of(CovarianceType::full, 1, true);
  options.mixture.shrinkage = {.amount = 0.3};
  const TransportModel model =
      fit_transport(std::vector<Group>{{"a", first}, {"b", second}}, options);
  const Matrix shrunk = 0.7 * divided + 0.3 * divided.trace() / 3.0 * Matrix::Identity(3, 3);
  const Matrix fitted = spread.cwiseInverse().asDiagonal() * model.mixtures[0].covariances[0] *
                        spread.cwiseInverse().asDiagonal();
  EXPECT_LT((fitted - shrunk).cwiseAbs().maxCoeff(), 1e-13);
}

// Powers of two change no digits.
TEST(ScaleFeatures, ShrinksTheSameInAnyUnits) {
  const TwoClouds clouds;
  const Eigen::RowVector3d units(0x1p20, 0x1p-10, 1.0);
  const RowMatrix other_first = clouds.first * units.asDiagonal();
  const RowMatrix other_second = clouds.second * units.asDiagonal();
  const std::vector<Group> groups{{"a", clouds.first}, {"b", clouds.second}};
  const std::vector<Group> others{{"a", other_first}, {"b", other_second}};
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal}) {
    for (const int n_components : {1, 2}) {
      for (const Shrinkage shrinkage : {Shrinkage{.automatic = true}, Shrinkage{.amount = 0.3}}) {
        TransportOptions options = options_of(type, n_components, true);
        options.mixture.shrinkage = shrinkage;
        const TransportModel plain = fit_transport(groups, options);
        const TransportModel other = fit_transport(others, options);
        const RowMatrix expected = transport(map_between(plain, "a", "b"), clouds.first);
        const RowMatrix moved = transport(map_between(other, "a", "b"), other_first) *
                                units.cwiseInverse().asDiagonal();
        EXPECT_LT((moved - expected).cwiseAbs().maxCoeff(), 1e-12)
            << to_string(type) << ", " << n_components << ", automatic " << shrinkage.automatic;
      }
    }
  }
}

TEST(ScaleFeatures, TransportsTheMomentsOfTheSource) {
  const TwoClouds clouds;
  const RowMatrix first = clouds.first * unequal_units.asDiagonal();
  const RowMatrix second = clouds.second * unequal_units.asDiagonal();
  const TransportModel model = fit_transport(std::vector<Group>{{"a", first}, {"b", second}},
                                             options_of(CovarianceType::full, 1, true));
  const Matrix map = map_between(model, "a", "b").pieces[0].map.matrix;
  const Matrix carried = map * model.mixtures[0].covariances[0] * map.transpose();
  const Matrix& target = model.mixtures[1].covariances[0];
  const Vector deviations = target.diagonal().cwiseSqrt();
  const Matrix error = (carried - target).cwiseQuotient(deviations * deviations.transpose());
  EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FeatureSpread, IsTheDeviationOfAllMixturesTogether) {
  Mixture left{{}, Vector::Constant(1, 1.0), RowMatrix::Constant(1, 2, -1.0), {}};
  left.covariance_type = CovarianceType::diagonal;
  left.covariances = {Vector{{3.0, 0.0}}};
  Mixture right = left;
  right.means << 1.0, -1.0;
  const Vector spread = feature_spread(std::vector<Mixture>{left, right});
  EXPECT_DOUBLE_EQ(spread[0], 2.0);  // 3 within, 1 between
  EXPECT_DOUBLE_EQ(spread[1], 1.0);  // constant
}

}  // namespace
}  // namespace lbw
