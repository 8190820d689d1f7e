// SPDX-License-Identifier: MIT
#include "core/point_draw.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace lbw {
namespace {

using Point = std::array<double, 3>;

PointDraw draw_of(const Point& point, std::uint64_t seed = 1) {
  return PointDraws(seed, 3).of(point.data());
}

// Computed with Python integers from the recurrences. They fix the results of all random maps.
TEST(PointDraws, GivesTheDocumentedNumbers) {
  const PointDraw odd = draw_of({1.5, -2.0, 0.25}, 5);
  EXPECT_EQ(odd.first, 0x1.8c3e1bbe08b29p-1);
  EXPECT_EQ(odd.second, 0x1.086df2f1c9d64p-3);
  const std::array<double, 2> point{0.0, 1.0};
  const PointDraw even = PointDraws(0, 2).of(point.data());
  EXPECT_EQ(even.first, 0x1.eb917fd179072p-2);
  EXPECT_EQ(even.second, 0x1.caf20b084ea08p-3);
}

TEST(PointDraws, DependOnSeedAndOnEveryCoordinateToTheLastBit) {
  const Point point{1.0, -2.5, 1e-9};
  const double drawn = draw_of(point).first;
  EXPECT_EQ(draw_of(point).first, drawn);
  EXPECT_NE(draw_of(point, 2).first, drawn);
  for (std::size_t f = 0; f < 3; ++f) {
    Point moved = point;
    moved[f] = std::nextafter(moved[f], 2.0);
    EXPECT_NE(draw_of(moved).first, drawn) << f;
  }
  EXPECT_NE(draw_of({-2.5, 1.0, 1e-9}).first, drawn);
}

TEST(PointDraws, SeeValuesNotTypesAndOneZero) {
  const Point doubles{0.5, -0.0, 3.25};
  const std::array<float, 3> floats{0.5F, 0.0F, 3.25F};
  EXPECT_EQ(PointDraws(1, 3).of(floats.data()).first, draw_of(doubles).first);
}

// Small whole numbers have mostly zero bits and differ in few.
TEST(PointDraws, AreUniformAndIndependentOnAGrid) {
  constexpr int side = 40;
  constexpr int n = side * side * side;
  constexpr int n_bins = 16;
  std::array<std::array<int, n_bins>, n_bins> counts{};
  double previous = 0.5;
  double correlation = 0.0;
  for (int a = 0; a < side; ++a) {
    for (int b = 0; b < side; ++b) {
      for (int c = 0; c < side; ++c) {
        const PointDraw draw = draw_of({double(a), double(b), double(c)});
        ASSERT_TRUE(draw.first >= 0.0 && draw.first < 1.0);
        ASSERT_TRUE(draw.second >= 0.0 && draw.second < 1.0);
        ++counts[static_cast<std::size_t>(draw.first * n_bins)]
                [static_cast<std::size_t>(draw.second * n_bins)];
        correlation += (draw.first - 0.5) * (previous - 0.5) * 12.0;
        previous = draw.first;
      }
    }
  }
  double chi_squared = 0.0;
  for (const auto& row : counts) {
    for (const int count : row) {
      const double expected = double(n) / (n_bins * n_bins);
      chi_squared += (count - expected) * (count - expected) / expected;
    }
  }
  EXPECT_NEAR(chi_squared, 255.0, 4.0 * std::sqrt(2.0 * 255.0));
  EXPECT_LT(std::abs(correlation), 4.0 * std::sqrt(n));
}

}  // namespace
}  // namespace lbw
