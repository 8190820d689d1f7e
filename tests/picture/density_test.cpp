// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/picture.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

// The definition: every point adds a product of two truncated Gaussians around its bin.
RowMatrix direct_density(const RowMatrix& points, const Vector& weights, Index size,
                         double bandwidth) {
  const auto reach = static_cast<Index>(std::ceil(4 * bandwidth));
  const auto kernel = [&](Index offset) {
    const double t = static_cast<double>(offset) / bandwidth;
    return std::abs(offset) > reach ? 0.0 : std::exp(-t * t / 2);
  };
  double kernel_sum = 0.0;
  for (Index offset = -reach; offset <= reach; ++offset) kernel_sum += kernel(offset);
  RowMatrix density = RowMatrix::Zero(size, size);
  double total = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    const double x = points(i, 0);
    const double y = points(i, 1);
    if (x < 0 || x > 1 || y < 0 || y > 1) continue;
    total += weights[i];
    const auto column = std::min(size - 1, static_cast<Index>(std::floor(x * double(size))));
    const auto row = std::min(size - 1, static_cast<Index>(std::floor(y * double(size))));
    for (Index r = 0; r < size; ++r) {
      for (Index c = 0; c < size; ++c) {
        density(r, c) += weights[i] * kernel(r - row) * kernel(c - column);
      }
    }
  }
  return density / (total * kernel_sum * kernel_sum);
}

TEST(PointDensity, IsTheSumOfKernelsOfItsDefinition) {
  Random random(8);
  RowMatrix points(40, 2);
  Vector weights(40);
  for (Index i = 0; i < 40; ++i) {
    points.row(i) << 1.4 * random.uniform() - 0.2, 1.4 * random.uniform() - 0.2;  // some outside
    weights[i] = random.uniform();
  }
  points.row(0) << 1.0, 1.0;  // the far corner counts
  for (const double bandwidth : {0.3, 2.0, 7.5}) {
    const RowMatrix density = point_density(points, weights, {.size = 30, .bandwidth = bandwidth});
    // sums of 40 terms in another order
    EXPECT_LT((density - direct_density(points, weights, 30, bandwidth)).cwiseAbs().maxCoeff(),
              1e-15);
  }
}

TEST(PointDensity, SumsToOneAwayFromTheBorder) {
  const RowMatrix density = point_density(RowMatrix{{0.5, 0.25}});
  EXPECT_EQ(density.rows(), 200);
  EXPECT_EQ(density.cols(), 200);
  EXPECT_NEAR(density.sum(), 1.0, 1e-13);  // 40000 additions
  Index row = 0;
  Index column = 0;
  density.maxCoeff(&row, &column);
  EXPECT_EQ(row, 50);  // y downwards
  EXPECT_EQ(column, 100);
}

TEST(PointDensity, IgnoresPointsOutside) {
  const RowMatrix inside{{0.3, 0.6}};
  const RowMatrix both{{0.3, 0.6}, {1.5, 0.5}};
  EXPECT_EQ(point_density(both), point_density(inside));
}

TEST(PointDensity, RefusesInvalidArguments) {
  const RowMatrix point{{0.5, 0.5}};
  const auto refused = [](const RowMatrix& points, const Vector& weights,
                          const DensityOptions& options, const char* expected_message) {
    expect_error<InvalidArgument>([&] { (void)point_density(points, weights, options); },
                                  expected_message);
  };
  refused(RowMatrix(0, 2), {}, {}, "point_density: points has no rows");
  refused(RowMatrix{{0.5, 0.5, 0.5}}, {}, {}, "point_density: points has 3 columns, expected 2");
  refused(point, Vector::Ones(2), {}, "point_density: point_weights has 2 entries, expected 1");
  refused(point, Vector::Constant(1, -1), {},
          "point_density: point_weights[0] is -1, expected a finite number >= 0");
  refused(point, Vector::Constant(1, INFINITY), {},
          "point_density: point_weights[0] is inf, expected a finite number >= 0");
  refused(point, {}, {.size = 0}, "point_density: size is 0, expected 1 to 16384");
  refused(point, {}, {.size = 16385}, "point_density: size is 16385, expected 1 to 16384");
  refused(point, {}, {.bandwidth = 0.0},
          "point_density: bandwidth is 0 pixels, expected > 0 and <= 200 (size)");
  refused(point, {}, {.size = 10, .bandwidth = 11.0},
          "point_density: bandwidth is 11 pixels, expected > 0 and <= 10 (size)");
  refused(RowMatrix{{2, 2}}, {}, {},
          "point_density: no point of positive weight lies in the unit square");
  refused(point, Vector::Zero(1), {},
          "point_density: no point of positive weight lies in the unit square");
}

}  // namespace
}  // namespace lbw
