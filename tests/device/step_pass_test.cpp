// SPDX-License-Identifier: MIT
// Compares the loops of refinement, dither and neighbours with the plain device.
#include <gtest/gtest.h>

#include "device/cpu_device.hpp"
#include "device/rotate_points.hpp"
#include "support/generators.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

MonotoneKnots random_knots(Random& random) {
  Vector source(20);
  Vector target(20);
  for (Vector* values : {&source, &target}) {
    for (double& value : *values) value = random.normal();
    std::sort(values->begin(), values->end());
  }
  return {source, target, 0.7};
}

std::vector<StepTable> random_steps(Index n_features, Random& random) {
  std::vector<StepTable> steps;
  for (int s = 0; s < 3; ++s) {
    StepTable& step = steps.emplace_back();
    step.rotation = random_rotation(n_features, random);
    step.inverse = step.rotation.transpose();
    for (Index f = 0; f < n_features; ++f) step.axes.push_back(random_knots(random));
  }
  return steps;
}

TEST(StepPass, ProjectsEveryNumberOfSamplesOnEveryNumberOfAxes) {
  Random random(1);
  for (const Index n : {1, 15, 16, 255, 257, 5000}) {
    for (const Index n_axes : {1, 3, 7}) {
      const RowMatrix samples = random_normal_matrix(n, 5, random);
      const Matrix axes = random_normal_matrix(n_axes, 5, random);
      Matrix expected;
      Matrix found;
      plain_device().project(samples, axes, {1}, expected);
      cpu_device().project(samples, axes, {2}, found);
      EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm()) << n << " " << n_axes;
    }
  }
}

// So that a fit can keep its points as columns and has the bits of `apply_steps`.
TEST(StepPass, RotatesColumnsLikeTheSamplesOfAProjection) {
  Random random(6);
  for (const Index n : {1, 16, 17, 5000, 40000}) {
    for (const bool is_diagonal : {false, true}) {
      const RowMatrix samples = random_normal_matrix(n, 5, random);
      Matrix axes = random_normal_matrix(5, 5, random);
      if (is_diagonal) axes = Matrix(axes.diagonal().asDiagonal());
      RowMatrix points = RowMatrix::Zero(5, padded_points(n));
      points.leftCols(n) = samples.transpose();
      Matrix expected;
      RowMatrix found;
      cpu_device().project(samples, axes, {1}, expected);
      cpu_device().rotate(axes, points, {2}, found);
      EXPECT_EQ(RowMatrix(found.leftCols(n).transpose()), RowMatrix(expected)) << n;
    }
  }
}

TEST(StepPass, AppliesStepsAtAnyNumberOfThreads) {
  Random random(2);
  const std::vector<StepTable> steps = random_steps(4, random);
  const RowMatrix points = random_normal_matrix(20000, 4, random);
  RowMatrix expected = points;
  RowMatrix one = points;
  RowMatrix two = points;
  plain_device().apply_steps(steps, {1}, expected);
  cpu_device().apply_steps(steps, {1}, one);
  cpu_device().apply_steps(steps, {2}, two);
  EXPECT_LT((one - expected).norm(), 1e-10 * expected.norm());
  EXPECT_EQ(one, two);
}

TEST(StepPass, AppliesKnotsInPlaceAndElsewhere) {
  Random random(3);
  const MonotoneKnots knots = random_knots(random);
  const Matrix values = random_normal_matrix(30000, 1, random);
  std::vector<double> numbers(values.data(), values.data() + values.size());
  std::vector<double> expected(numbers.size());
  std::vector<double> found(numbers.size());
  plain_device().apply_knots(knots, numbers, {1}, expected);
  cpu_device().apply_knots(knots, numbers, {2}, found);
  cpu_device().apply_knots(knots, numbers, {2}, numbers);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(numbers, expected);
}

TEST(NoisePass, FillsWidthsAndCells) {
  Random random(4);
  const RowMatrix samples = (10.0 * random_normal_matrix(9000, 2, random)).array().round();
  std::vector<std::uint64_t> keys(9000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const std::vector<double> widths = {1.0, 0.0};
  const std::vector<double> lower = {-10.5, 0.0};
  const std::vector<double> upper = {-2.5, 7.0};
  for (const NoiseTable& noise :
       {NoiseTable{7, widths, {}}, NoiseTable{7, {}, {{lower, upper}, {{}, {}}}}}) {
    RowMatrix expected(9000, 2);
    RowMatrix found(9000, 2);
    plain_device().add_noise(samples, noise, keys, {1}, expected);
    cpu_device().add_noise(samples, noise, keys, {2}, found);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_GT((found - samples).cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(NeighborPass, FindsAllPointsAtTheDistanceOfTheLast) {
  Random random(5);
  const RowMatrix points = random_normal_matrix(2, 300, random).array().round();  // many are equal
  std::vector<bool> halves;
  for (Index i = 0; i < points.cols(); ++i) halves.push_back(random.uniform() < 0.5);
  for (const int n_neighbors : {1, 5, 40}) {
    EXPECT_EQ(cpu_device().nearest_across(points, halves, n_neighbors, {2}),
              plain_device().nearest_across(points, halves, n_neighbors, {1}));
  }
}

}  // namespace
}  // namespace lbw
