// SPDX-License-Identifier: MIT
#include "matching/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "support/each_instruction_set.hpp"

namespace lbw {
namespace {

using Row = std::vector<double>;

// Few distinct values, so that ties are common; some are +infinity. Lengths around those of
// vectors.
Row random_row(std::size_t size, Random& random) {
  Row row(size);
  for (double& value : row) {
    value = random.uniform() < 0.1 ? infinity : static_cast<double>(random.below(9)) - 4.0;
  }
  return row;
}

template <typename Check>
void for_each_row_length(const Check& check) {
  for_each_instruction_set([&] {
    Random random(1);
    for (std::size_t size = 1; size < 40; ++size) {
      for (int round = 0; round < 10; ++round) check(size, random);
    }
  });
}

TEST(Relax, ShortensLengthsAndFindsTheLowestOfTheLeast) {
  for_each_row_length([](std::size_t size, Random& random) {
    const Row costs = random_row(size, random);
    Row potentials(size);
    for (double& value : potentials) value = -static_cast<double>(random.below(3));
    potentials[random.below(size)] = -infinity;  // unreachable
    Row lengths = random_row(size, random);
    Row expected = lengths;
    for (std::size_t j = 0; j < size; ++j) {
      expected[j] = std::min(expected[j], costs[j] - potentials[j] - 2.0);
    }
    const auto least = std::min_element(expected.begin(), expected.end());
    const Nearest nearest = relax(costs, potentials, 2.0, lengths);
    EXPECT_EQ(lengths, expected);
    EXPECT_EQ(nearest.length, *least);
    EXPECT_EQ(nearest.column, *least == infinity ? -1 : least - expected.begin());
  });
}

TEST(TwoLeast, AreThoseOfTheSortedRow) {
  for_each_row_length([](std::size_t size, Random& random) {
    const Row costs = random_row(size, random);
    Row potentials(size);
    Row values(size);
    for (std::size_t j = 0; j < size; ++j) {
      potentials[j] = static_cast<double>(random.below(3));
      values[j] = costs[j] - potentials[j];
    }
    const TwoLeast result = two_least(costs, potentials);
    const auto least = std::min_element(values.begin(), values.end());
    EXPECT_EQ(result.column, *least == infinity ? -1 : least - values.begin());
    values.push_back(infinity);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(result.least, values[0]);
    EXPECT_EQ(result.second, values[1]);
  });
}

TEST(LowerMinima, KeepsTheFirstRowOfTheLeast) {
  for_each_row_length([](std::size_t size, Random& random) {
    Row minima(size, infinity);
    Row rows(size, -1.0);
    Row expected_minima = minima;
    Row expected_rows = rows;
    for (const double row : {0.0, 1.0, 2.0, 3.0}) {
      const Row costs = random_row(size, random);
      lower_minima(costs, row, minima, rows);
      for (std::size_t j = 0; j < size; ++j) {
        if (costs[j] < expected_minima[j]) expected_rows[j] = row;
        expected_minima[j] = std::min(expected_minima[j], costs[j]);
      }
    }
    EXPECT_EQ(minima, expected_minima);
    EXPECT_EQ(rows, expected_rows);
  });
}

TEST(ExtentOf, IsTheLargestFiniteMagnitude) {
  for_each_row_length([](std::size_t size, Random& random) {
    const Row row = random_row(size, random);
    double expected = 0.0;
    for (const double value : row) {
      if (value < infinity) expected = std::max(expected, std::abs(value));
    }
    EXPECT_EQ(extent_of(row).largest_magnitude, expected);
    EXPECT_TRUE(extent_of(row).valid);
  });
}

TEST(ExtentOf, SeesNanAndMinusInfinityAnywhere) {
  for_each_row_length([](std::size_t size, Random& random) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -infinity}) {
      Row row = random_row(size, random);
      row[random.below(size)] = bad;
      EXPECT_FALSE(extent_of(row).valid);
    }
  });
}

}  // namespace
}  // namespace lbw
