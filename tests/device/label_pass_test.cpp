// SPDX-License-Identifier: MIT
#include "device/label_pass.hpp"

#include <gtest/gtest.h>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

Mixture two_circles() {
  return {CovarianceType::full,
          Vector::Constant(2, 0.5),
          RowMatrix{{-1.0, 0.0}, {1.0, 0.0}},
          {Matrix::Identity(2, 2), Matrix::Identity(2, 2)}};
}

TEST(LabelPass, ScreensOrdinaryMixturesAndNotOthers) {
  EXPECT_TRUE(LabelTables(density_table(two_circles())).has_screen);
  Mixture tiny = two_circles();
  tiny.covariances[0] *= 1e-14;  // single precision does not resolve its shape at this distance
  EXPECT_FALSE(LabelTables(density_table(tiny)).has_screen);
}

// The boundary is x = 0. Double precision resolves a distance of 1e-9 from it, single does not.
TEST(LabelPass, IsExactForSamplesThatNeedDoublePrecision) {
  const DensityTable table = density_table(two_circles());
  RowMatrix samples(600, 2);
  Random random(1);
  for (Index i = 0; i < samples.rows(); ++i) {
    samples(i, 0) = static_cast<double>(i % 3 - 1) * 1e-9;
    samples(i, 1) = random.normal();
  }
  for_each_instruction_set([&] {
    Labels labels;
    cpu_device().labels(samples, table, {1}, labels);
    for (Index i = 0; i < samples.rows(); ++i) {
      EXPECT_EQ(labels[i], samples(i, 0) > 0.0 ? 1 : 0);  // ties at 0 select the lowest index
    }
  });
}

// Single precision does not hold such points, and clamping them would change their direction.
TEST(LabelPass, IsExactForPointsBeyondSinglePrecision) {
  const DensityTable table =
      density_table(random_mixture({.n_components = 6, .n_features = 3, .spread = 1.0, .seed = 4}));
  ASSERT_TRUE(LabelTables(table).has_screen);
  Random random(2);
  RowMatrix samples(400, 3);
  for (double& value : samples.reshaped<Eigen::RowMajor>()) value = 1e16 * random.normal();
  Labels expected;
  plain_device().labels(samples, table, {1}, expected);
  for_each_instruction_set([&] {
    Labels labels;
    cpu_device().labels(samples, table, {1}, labels);
    EXPECT_EQ(labels, expected);
  });
}

TEST(LabelPass, IsExactWhereComponentsOverlapAndFarOut) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Mixture mixture =
        random_mixture({.n_components = 12, .n_features = 6, .spread = 0.5, .seed = seed});
    const DensityTable table = density_table(mixture);
    ASSERT_TRUE(LabelTables(table).has_screen);
    RowMatrix samples = sample(mixture, 20'000, seed).samples;
    samples.topRows(100) *= 1e4;
    samples.row(100).setConstant(1e99);
    Labels expected;
    plain_device().labels(samples, table, {1}, expected);
    for_each_instruction_set([&] {
      Labels labels;
      cpu_device().labels(samples, table, {2}, labels);
      EXPECT_EQ(labels, expected);
    });
  }
}

TEST(LabelPass, DoesNotDependOnTheBatch) {
  const Mixture mixture = random_mixture({.n_components = 5, .n_features = 3, .seed = 6});
  const DensityTable table = density_table(mixture);
  const RowMatrix samples = sample(mixture, 700, 1).samples;
  Labels all;
  cpu_device().labels(samples, table, {1}, all);
  for (Index i = 0; i < samples.rows(); i += 37) {
    Labels one;
    cpu_device().labels(samples.middleRows(i, 1), table, {1}, one);
    EXPECT_EQ(one[0], all[i]);
  }
}

}  // namespace
}  // namespace lbw
