// SPDX-License-Identifier: MIT
#include "device/random_pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(RandomPass, SharesAddUpToTheMomentsOfAllSamples) {
  const RowMatrix samples = sample(random_mixture({.n_features = 3, .seed = 4}), 700, 5).samples;
  std::vector<double> weights(700);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 3);
  const Eigen::Map<const Vector> weight(weights.data(), 700);
  const Vector mean = samples.transpose() * weight / weight.sum();
  const RowMatrix centered = samples.rowwise() - mean.transpose();
  const Matrix second = centered.transpose() * weight.asDiagonal() * centered;
  for (const CovarianceType type : all_covariance_types) {
    Random random(1);
    const MomentSums sums = random_sums({samples, weights}, mean, 4, type, random);
    EXPECT_EQ(sums.n_samples, 466);  // one in three has weight 0
    EXPECT_NEAR(sums.weight, weight.sum(), 1e-10);
    EXPECT_NEAR(sums.component_weight.sum(), weight.sum(), 1e-10);
    EXPECT_GT(sums.component_weight.minCoeff(), 0.2 * weight.sum());
    EXPECT_LT(sums.component_weight.maxCoeff(), 0.3 * weight.sum());
    EXPECT_LT((sums.centers.row(2).transpose() - mean).norm(), 1e-12);
    EXPECT_LT(sums.first.colwise().sum().norm(), 1e-9);
    Matrix together = sums.second.front();
    for (std::size_t k = 1; k < sums.second.size(); ++k) together += sums.second[k];
    Matrix expected = second;
    if (type == CovarianceType::diagonal) expected = second.diagonal();
    if (type == CovarianceType::spherical) expected = Matrix::Constant(1, 1, second.trace());
    EXPECT_LT(relative_error(together, expected), 1e-12);
  }
}

// Masses 0, 2, 0, 6: the cumulative sum passes fractions below 1/4 at sample 1, others at sample 3.
TEST(RandomPass, DrawsInProportionToWeightAndDistance) {
  const RowMatrix samples = RowMatrix::Zero(4, 1);
  const std::vector<double> weights = {0.0, 1.0, 3.0, 2.0};
  const Vector distances{{5.0, 2.0, 0.0, 3.0}};
  const std::vector<double> fractions = {0.0, 0.2499, 0.25, 0.9999};
  EXPECT_EQ(draws_by_distance({samples, weights}, distances, fractions),
            (std::vector<Index>{1, 1, 3, 3}));
  EXPECT_TRUE(draws_by_distance({samples, weights}, Vector::Zero(4), fractions).empty());
}

// Masses are whole numbers, so that sums are exact in any order.
TEST(RandomPass, DrawsWhereTheCumulativeSumPassesFractionsOfManySamples) {
  constexpr Index n = 1500;
  const RowMatrix samples = RowMatrix::Zero(n, 1);
  Vector distances(n);
  Random random(3);
  for (double& distance : distances) distance = static_cast<double>(random.below(4));
  distances.segment(200, 600).setZero();  // whole blocks without mass
  distances.tail(300).setZero();
  std::vector<double> fractions;
  for (int i = 0; i < 1000; ++i) fractions.push_back(random.uniform());
  fractions.push_back(std::nextafter(1.0, 0.0));
  const std::vector<Index> drawn = draws_by_distance({samples, {}}, distances, fractions);
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    Index expected = 0;
    double cumulative = distances[0];
    while (cumulative <= fractions[i] * distances.sum()) cumulative += distances[++expected];
    EXPECT_EQ(drawn[i], expected) << fractions[i];
  }
}

}  // namespace
}  // namespace lbw
