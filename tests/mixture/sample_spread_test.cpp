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

}  // namespace
}  // namespace lbw
