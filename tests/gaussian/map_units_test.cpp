// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <lbw/gaussian.hpp>

#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

/// The largest error of T S T = R, entry (f, g) relative to the deviations of f and g under R.
double largest_error_by_unit(const Matrix& map, const Matrix& source, const Matrix& target) {
  const oracle::LongMatrix reached =
      oracle::widened(map) * oracle::widened(source) * oracle::widened(map);
  double largest = 0.0;
  for (Index f = 0; f < target.rows(); ++f) {
    for (Index g = 0; g < target.rows(); ++g) {
      const auto unit = static_cast<double>(std::sqrt(target(f, f)) * std::sqrt(target(g, g)));
      largest =
          std::max(largest, std::abs(static_cast<double>(reached(f, g) - target(f, g))) / unit);
    }
  }
  return largest;
}

// There is one symmetric positive definite T with T S T = R. Features are correlated at random.
TEST(MapMatrix, ReachesTheTargetInEveryFeatureWhateverItsUnit) {
  Random random(18);
  for (const Vector& units :
       {Vector{{2e6, 10.0, 0.01}}, Vector{{0.01, 2e6, 10.0}}, Vector{{1.0, 1e-12, 1e12}},
        Vector{{1.0, 1e3, 1e-3, 1e6, 1e-6, 1.0, 1.0, 30.0}}, Vector{{1.0, 1.0, 1e-7}}}) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      const auto covariance = [&]() -> Matrix {
        return units.asDiagonal() * random_gaussian(units.size(), random).covariance *
               units.asDiagonal();
      };
      const Matrix source = covariance();
      const Matrix target = covariance();
      const Matrix map = map_matrix(source, target);
      EXPECT_EQ(map, Matrix(map.transpose()));
      EXPECT_LT(largest_error_by_unit(map, source, target), 1e-12) << units.transpose();
      const Vector roots = map.diagonal().cwiseSqrt().cwiseInverse();
      EXPECT_GT(oracle::smallest_eigenvalue(roots.asDiagonal() * map * roots.asDiagonal()), 0.0);
    }
  }
}

}  // namespace
}  // namespace lbw
