// SPDX-License-Identifier: MIT
#include "mixture/sample_spread.hpp"

#include <gtest/gtest.h>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(SampleSpread, IsTheWeightedCovarianceEvenFarFromTheOrigin) {
  const RowMatrix samples{{1e8 + 1.0, 0.0}, {1e8 - 1.0, 0.0}, {1e8, 2.0}};
  const std::vector<double> weights{1.0, 1.0, 2.0};
  const auto spread = [&](CovarianceType type) {
    const SampleSpread found = sample_spread({samples, weights}, type, {1});
    EXPECT_EQ(found.mean, Eigen::Vector2d(1e8, 1.0));
    return found.covariance;
  };
  EXPECT_LT(relative_error(spread(CovarianceType::full), Matrix{{0.5, 0.0}, {0.0, 1.0}}), 1e-15);
  EXPECT_LT(relative_error(spread(CovarianceType::tied), Matrix{{0.5, 0.0}, {0.0, 1.0}}), 1e-15);
  EXPECT_LT(relative_error(spread(CovarianceType::diagonal), Matrix{{0.5}, {1.0}}), 1e-15);
  EXPECT_LT(relative_error(spread(CovarianceType::spherical), Matrix{{0.75}}), 1e-15);
}

// The rough mean is that of every second sample, and these have no weight.
TEST(SampleSpread, MaySeeNoWeightAtFirst) {
  const RowMatrix samples = Vector::LinSpaced(2048, 0.0, 2047.0);
  std::vector<double> weights(2048, 0.0);
  for (std::size_t i = 1; i < weights.size(); i += 2) weights[i] = 1.0;
  const SampleSpread spread = sample_spread({samples, weights}, CovarianceType::full, {1});
  EXPECT_DOUBLE_EQ(spread.mean[0], 1024.0);
  EXPECT_DOUBLE_EQ(spread.covariance(0, 0), 4.0 * (1024.0 * 1024.0 - 1.0) / 12.0);
}

}  // namespace
}  // namespace lbw
