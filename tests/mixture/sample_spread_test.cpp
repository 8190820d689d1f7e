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

TEST(SampleSpread, DoesNotDependOnFarSamplesOfNegligibleWeight) {
  Random random(1);
  RowMatrix samples(1000, 1);
  std::vector<double> weights(1000);
  for (Index i = 0; i < 1000; ++i) {
    samples(i, 0) = random.normal();
    weights[static_cast<std::size_t>(i)] = 0.5 + random.uniform();
  }
  const RowMatrix others = samples.bottomRows(999);
  const std::vector<double> weights_of_others(weights.begin() + 1, weights.end());
  samples(0, 0) = 1e60;
  weights[0] = 1e-300;
  const SampleSpread spread = sample_spread({samples, weights}, CovarianceType::full, {1});
  const SampleSpread expected =
      sample_spread({others, weights_of_others}, CovarianceType::full, {1});
  EXPECT_NEAR(spread.mean[0], expected.mean[0], 1e-14);
  EXPECT_NEAR(spread.covariance(0, 0), expected.covariance(0, 0), 1e-14);
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
