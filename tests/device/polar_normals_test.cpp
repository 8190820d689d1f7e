// SPDX-License-Identifier: MIT
#include "device/polar_normals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <lbw/types.hpp>

namespace lbw {
namespace {

TEST(PolarNormals, AreCoordinatesTimesTheScaleOfTheirRadius) {
  constexpr Index n = 4 * normals_at_once;
  Random random(3);
  Vector coordinates(n);
  Vector radii(n);
  for (Index i = 0; i < n; ++i) {
    coordinates[i] = 2.0 * random.uniform() - 1.0;
    radii[i] = random.uniform();
  }
  radii[0] = 1e-300;
  radii[1] = 1.0 - 1e-16;
  Vector draws = coordinates;
  finish_polar_normals(n, radii.data(), draws.data());
  for (Index i = 0; i < n; ++i) {
    const double expected = coordinates[i] * std::sqrt(-2.0 * std::log(radii[i]) / radii[i]);
    // a few units in the last place from log, division, root and product
    EXPECT_NEAR(draws[i], expected, 1e-15 * std::abs(expected));
  }
}

TEST(PolarNormals, HaveTheSameBitsWhereverTheyLie) {
  const Vector radii = Vector::Constant(normals_at_once, 0.3);
  Vector draws = Vector::Constant(normals_at_once, 0.4);
  finish_polar_normals(normals_at_once, radii.data(), draws.data());
  EXPECT_EQ(draws, Vector::Constant(normals_at_once, draws[0]));
}

}  // namespace
}  // namespace lbw
