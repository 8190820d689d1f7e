// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace lbw {
namespace {

QuantileMap random_map(Random& random) {
  Vector source(9);
  Vector target(9);
  for (Index j = 0; j < 9; ++j) {
    source[j] = (j == 0 ? -2.0 : source[j - 1]) + random.uniform();
    target[j] = (j == 0 ? -1.0 : target[j - 1]) + random.uniform();
  }
  return {{source}, {target}};
}

std::vector<SlicedStep> random_steps(int n_steps, Index n_features, Random& random) {
  std::vector<SlicedStep> steps;
  for (int s = 0; s < n_steps; ++s) {
    SlicedStep step{random_rotation(n_features, random), {}};
    for (Index f = 0; f < n_features; ++f) step.axes.push_back(random_map(random));
    steps.push_back(step);
  }
  return steps;
}

// The definition: rotate, map every axis, rotate back.
Vector oracle(const std::vector<SlicedStep>& steps, Vector point) {
  for (const SlicedStep& step : steps) {
    Vector turned = step.rotation * point;
    for (Index f = 0; f < turned.size(); ++f) {
      const double value = turned[f];
      turned[f] = apply_quantile_map(step.axes[static_cast<std::size_t>(f)], {&value, 1})[0];
    }
    point = step.rotation.transpose() * turned;
  }
  return point;
}

TEST(Refiner, RotatesMapsAndRotatesBack) {
  Random random(1);
  const std::vector<SlicedStep> steps = random_steps(3, 4, random);
  const RowMatrix points = random_normal_matrix(200, 4, random);
  RowMatrix carried = points;
  Refiner(steps).apply(carried, {});
  for (Index i = 0; i < points.rows(); ++i) {
    const Vector expected = oracle(steps, points.row(i).transpose());
    // sums in another order, through maps that stretch by at most a hundred
    EXPECT_LT((carried.row(i).transpose() - expected).norm(), 1e-11);
  }
}

TEST(Refiner, WithoutStepsLeavesPointsAlone) {
  Random random(2);
  const RowMatrix points = random_normal_matrix(10, 3, random);
  RowMatrix carried = points;
  const Refiner refiner({});
  EXPECT_TRUE(refiner.empty());
  refiner.apply(carried, {});
  EXPECT_EQ(carried, points);
}

TEST(Refiner, TransportsAPointEquallyAtAnyPosition) {
  Random random(3);
  const Refiner refiner(random_steps(4, 5, random));
  const Vector point = random_normal_vector(5, random);
  RowMatrix points = point.transpose().replicate(1003, 1);
  refiner.apply(points, {});
  for (Index i = 1; i < points.rows(); ++i) ASSERT_EQ(points.row(i), points.row(0)) << i;
}

TEST(Refiner, GivesTheSameBitsAtAnyNumberOfThreads) {
  Random random(4);
  const Refiner refiner(random_steps(3, 3, random));
  const RowMatrix points = random_normal_matrix(30'000, 3, random);
  RowMatrix alone = points;
  refiner.apply(alone, {.n_threads = 1});
  for (const int n_threads : {2, 5}) {
    RowMatrix carried = points;
    refiner.apply(carried, {.n_threads = n_threads});
    EXPECT_EQ(carried, alone);
  }
}

TEST(Refiner, TransportsRowsBetweenOtherColumns) {
  Random random(5);
  const Refiner refiner(random_steps(2, 2, random));
  RowMatrix wide = random_normal_matrix(50, 5, random);
  const RowMatrix before = wide;
  RowMatrix narrow = wide.middleCols(1, 2);
  refiner.apply(wide.middleCols(1, 2), {});
  refiner.apply(narrow, {});
  EXPECT_EQ(wide.middleCols(1, 2), narrow);
  EXPECT_EQ(wide.col(0), before.col(0));
  EXPECT_EQ(wide.rightCols(2), before.rightCols(2));
}

}  // namespace
}  // namespace lbw
