// SPDX-License-Identifier: MIT
#include "core/weights.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

using Weights = std::vector<double>;

Weights normalized(const Weights& weights) {
  return normalized_weights(weights, std::ssize(weights), "f", "w");
}

TEST(NormalizedWeights, AreDividedByTheirSum) {
  EXPECT_EQ(normalized({1.0, 3.0}), (Weights{0.25, 0.75}));
  EXPECT_EQ(normalized({1.0, 1.0, 1.0}), (Weights{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}));
  EXPECT_EQ(normalized({0.0, 7.0, 0.0}), (Weights{0.0, 1.0, 0.0}));
  EXPECT_EQ(normalized({0.5, 0.25}), (Weights{2.0 / 3.0, 1.0 / 3.0}));
}

TEST(NormalizedWeights, NeitherOverflowNorVanish) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(normalized({most, most, most, most}), (Weights{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(normalized({0.5e308, 1.5e308}), (Weights{0.25, 0.75}));
  EXPECT_EQ(normalized({least, 3.0 * least}), (Weights{0.25, 0.75}));
  EXPECT_EQ(normalized({most, least}), (Weights{1.0, 0.0}));
}

TEST(NormalizedWeights, KeepWeightsThatSumToOneBitByBit) {
  const Weights tenths(10, 0.1);  // their sum is not 1 to the last bit
  EXPECT_EQ(normalized(tenths), tenths);
  for (const Weights& weights : {Weights{0.3, 1.1, 0.7}, {1e-3, 17.0, 5.0}, {2.0, 3.0, 6.0, 9.0}}) {
    EXPECT_EQ(normalized(normalized(weights)), normalized(weights));
  }
  EXPECT_NE(normalized({0.5, 0.5 + 5e-10}), (Weights{0.5, 0.5 + 5e-10}));
}

TEST(NormalizedWeights, RefuseWhatIsNoWeight) {
  const auto refused = [](const Weights& weights, Index expected_size, const char* expected) {
    expect_error<InvalidArgument>(
        [&] { (void)normalized_weights(weights, expected_size, "f", "w"); }, expected);
  };
  refused({1.0}, 2, "f: w has 1 entry, expected 2");
  refused({1.5, -0.5}, 2, "f: w[1] is -0.5, expected a number >= 0");
  refused({std::numeric_limits<double>::quiet_NaN(), 1.0}, 2,
          "f: w[0] is nan, expected a number >= 0");
  refused({1.0, std::numeric_limits<double>::infinity()}, 2,
          "f: w[1] is inf, expected a finite number");
  refused({0.0, 0.0}, 2, "f: w are all 0, expected at least one above 0");
  refused({}, 0, "f: w are all 0, expected at least one above 0");
}

}  // namespace
}  // namespace lbw
