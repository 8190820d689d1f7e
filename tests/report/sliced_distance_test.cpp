// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/report.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

/// Oracle: samples are repeated to equal sizes, sorted and compared one to one.
double squared_distance_on_line(const Vector& first, const Vector& second) {
  std::vector<double> a;
  std::vector<double> b;
  for (const double value : first)
    a.insert(a.end(), static_cast<std::size_t>(second.size()), value);
  for (const double value : second)
    b.insert(b.end(), static_cast<std::size_t>(first.size()), value);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

TEST(SlicedDistance, IsThatOfTheDefinition) {
  for (const auto& [n, m] : std::vector<std::pair<Index, Index>>{{7, 7}, {12, 5}, {1, 4}}) {
    const RowMatrix first = normal_rows(n, 3, 1);
    const RowMatrix second = normal_rows(m, 3, 2).array() + 0.5;
    SlicedDistanceOptions options;
    options.directions = normal_rows(9, 3, 3);
    options.directions.rowwise().normalize();
    double sum = 0.0;
    for (Index d = 0; d < 9; ++d) {
      const Vector direction = options.directions.row(d).transpose();
      sum += squared_distance_on_line(first * direction, second * direction);
    }
    EXPECT_NEAR(sliced_distance(first, second, options).distance, std::sqrt(sum / 9.0), 1e-14);
  }
}

// Along every direction v the distance is |v . shift|, whose mean square is |shift|^2 / d.
TEST(SlicedDistance, OfAShiftIsItsLengthOverTheRootOfTheDimension) {
  const RowMatrix first = normal_rows(50, 4, 4);
  RowMatrix second = first;
  second.col(2).array() += 3.0;
  SlicedDistanceOptions options;
  options.n_directions = 20000;
  // the mean of so many squares of a coordinate has a relative error of sqrt(2 / 20000) = 1 %
  EXPECT_NEAR(sliced_distance(first, second, options).distance, 1.5, 1.5 * 0.02);
}

TEST(SlicedDistance, HasOneDirectionOnTheLine) {
  const RowMatrix first = normal_rows(11, 1, 5);
  const RowMatrix second = normal_rows(6, 1, 6);
  EXPECT_NEAR(sliced_distance(first, second).distance,
              std::sqrt(squared_distance_on_line(first.col(0), second.col(0))), 1e-14);
}

TEST(SlicedDistance, IsZeroOfASampleFromItself) {
  const RowMatrix samples = normal_rows(20, 3, 7);
  EXPECT_EQ(sliced_distance(samples, samples).distance, 0.0);
}

// Under the null the p-value is uniform: of 100 pairs about 5 are below 0.05.
TEST(SlicedDistance, HasAUniformPValueUnderTheNull) {
  SlicedDistanceOptions options;
  options.n_directions = 16;
  options.n_permutations = 39;
  int n_rejected = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    options.seed = seed;
    const SlicedDistance equal = sliced_distance(normal_rows(40, 2, 2 * seed + 100),
                                                 normal_rows(30, 2, 2 * seed + 101), options);
    n_rejected += equal.null.p_value <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(n_rejected, 14);  // beyond four standard deviations of 2.2
  EXPECT_GE(n_rejected, 1);
  const RowMatrix far = normal_rows(30, 2, 9).array() + 1.5;
  const SlicedDistance apart = sliced_distance(normal_rows(40, 2, 8), far, options);
  EXPECT_EQ(apart.null.p_value, 1.0 / 40.0);
  EXPECT_GT(apart.distance, 2.0 * apart.null.quantile);
}

TEST(SlicedDistance, HasTheSameBitsOnAnyNumberOfThreads) {
  const RowMatrix first = normal_rows(300, 3, 10);
  const RowMatrix second = normal_rows(200, 3, 11);
  SlicedDistanceOptions options;
  options.n_permutations = 19;
  options.execution.n_threads = 1;
  const SlicedDistance one = sliced_distance(first, second, options);
  options.execution.n_threads = 3;
  const SlicedDistance three = sliced_distance(first, second, options);
  EXPECT_EQ(one.distance, three.distance);
  EXPECT_EQ(one.null.mean, three.null.mean);
  EXPECT_EQ(one.null.quantile, three.null.quantile);
}

TEST(SlicedDistance, AcceptsFloats) {
  const RowMatrix first = normal_rows(30, 2, 12);
  const RowMatrixF rounded = first.cast<float>();
  EXPECT_EQ(sliced_distance(rounded, first).distance,
            sliced_distance(RowMatrix(rounded.cast<double>()), first).distance);
}

TEST(SlicedDistance, RefusesBadArguments) {
  const RowMatrix flat = normal_rows(5, 2, 13);
  const RowMatrix deep = normal_rows(5, 3, 13);
  expect_error<InvalidArgument>(
      [&] { (void)sliced_distance(flat, deep); },
      "sliced_distance: first has 2 features and second 3, expected equal numbers");
  SlicedDistanceOptions options;
  options.n_permutations = -1;
  expect_error<InvalidArgument>([&] { (void)sliced_distance(flat, flat, options); },
                                "sliced_distance: n_permutations is -1, expected 0 (none) or more");
  options = {};
  options.n_directions = 0;
  expect_error<InvalidArgument>([&] { (void)sliced_distance(flat, flat, options); },
                                "sliced_distance: n_directions is 0, expected 1 or more");
  options = {};
  options.directions = RowMatrix::Constant(1, 2, 2.0);
  expect_error<InvalidArgument>([&] { (void)sliced_distance(flat, flat, options); },
                                "sliced_distance: directions row 0 has length "
                                "2.8284271247461903, expected 1 within 1e-6");
  options.directions = RowMatrix::Ones(1, 1);
  expect_error<InvalidArgument>([&] { (void)sliced_distance(flat, flat, options); },
                                "sliced_distance: directions have 1 feature, the samples have 2");
}

}  // namespace
}  // namespace lbw
