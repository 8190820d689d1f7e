// SPDX-License-Identifier: MIT
#include "mixture/random_shares.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(RandomShares, AddUpToTheMomentsOfAllSamples) {
  const RowMatrix samples = sample(random_mixture({.n_features = 3, .seed = 4}), 700, 5).samples;
  std::vector<double> weights(700);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 3);
  const Eigen::Map<const Vector> weight(weights.data(), 700);
  const Vector mean = samples.transpose() * weight / weight.sum();
  const RowMatrix centered = samples.rowwise() - mean.transpose();
  const Matrix second = centered.transpose() * weight.asDiagonal() * centered;
  for (const CovarianceType type : all_covariance_types) {
    Random random(1);
    const MomentSums sums = random_shares({samples, weights}, 4, type, random, {});
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

}  // namespace
}  // namespace lbw
