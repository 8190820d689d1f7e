// SPDX-License-Identifier: MIT
#include "mixture/subsample.hpp"

#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>

#include "mixture/fit_stages.hpp"
#include "support/recording_storage.hpp"

namespace lbw {
namespace {

RowMatrix counting(Index n) { return RowMatrix(Vector::LinSpaced(n, 0.0, double(n - 1))); }

TEST(Subsample, TakesOneSampleOfEveryInterval) {
  const RowMatrix samples = counting(1000);
  const Subsample subsample({samples, {}}, 40, 3);
  const WeightedSamples view = subsample.view();
  ASSERT_EQ(view.samples.n_samples(), 40);
  EXPECT_TRUE(view.weights.empty());
  bool moved = false;
  for (Index i = 0; i < 40; ++i) {
    const double value = view.samples(i, 0);
    EXPECT_GE(value, 25.0 * static_cast<double>(i));
    EXPECT_LT(value, 25.0 * static_cast<double>(i + 1));
    moved |= value != 25.0 * static_cast<double>(i);
  }
  EXPECT_TRUE(moved);
}

TEST(Subsample, IsAFunctionOfTheSeedAndKeepsWeights) {
  const RowMatrix samples = counting(500);
  std::vector<double> weights(500);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 2.0 * static_cast<double>(i);
  const Subsample one({samples, weights}, 30, 1);
  const Subsample same({samples, weights}, 30, 1);
  const Subsample other({samples, weights}, 30, 2);
  bool differs = false;
  for (Index i = 0; i < 30; ++i) {
    EXPECT_EQ(one.view().samples(i, 0), same.view().samples(i, 0));
    EXPECT_EQ(one.view().weight(i), 2.0 * one.view().samples(i, 0));
    differs |= one.view().samples(i, 0) != other.view().samples(i, 0);
  }
  EXPECT_TRUE(differs);
}

TEST(Subsample, GivesSamplesBackOnTheWay) {
  const RowMatrix samples = counting(400'000);
  const RecordingStorage storage(samples);
  const Subsample subsample({storage.view(), {}}, 100, 1);
  EXPECT_LE(storage.largest(), std::size_t{2} << 20U);
  EXPECT_EQ(subsample.view().samples.n_samples(), 100);
}

TEST(StartSampleSize, IsATwentiethWithinItsBounds) {
  EXPECT_EQ(start_sample_size(1'000'000, 10, 20), 50'000);
  EXPECT_EQ(start_sample_size(10'000, 2, 20), 2048);           // at least 2048
  EXPECT_EQ(start_sample_size(8191, 2, 20), 8191);             // all: less than four times that
  EXPECT_EQ(start_sample_size(100'000'000, 10, 20), 131'072);  // at most 2^17
  EXPECT_EQ(start_sample_size(200'000, 10, 20), 21'120);       // 16 for each of 1320 parameters
}

// 2048 effective samples are wanted, by a larger subsample if fewer than a quarter count.
TEST(SamplesToStartOn, GrowWithUnevenWeightsUntilHalfOfAllSamples) {
  const auto samples_of = [](double effective) {
    return samples_to_start_on(40'000, effective, 3, {.n_components = 4});
  };
  EXPECT_EQ(samples_of(40'000.0), 2048);
  EXPECT_EQ(samples_of(10'000.0), 2048);
  EXPECT_EQ(samples_of(5000.0), 8 * 2048);
  EXPECT_EQ(samples_of(2500.0), 40'000);  // all instead of 16 * 2048
}

}  // namespace
}  // namespace lbw
