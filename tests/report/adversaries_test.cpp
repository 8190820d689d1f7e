// SPDX-License-Identifier: MIT
// Measures of reports at the ends of double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/fit_transport.hpp>
#include <lbw/report.hpp>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

RowMatrix first_samples() { return sample(random_mixture({.seed = 7}), 120, 3).samples; }
RowMatrix second_samples() { return sample(random_mixture({.seed = 8}), 100, 4).samples; }

TEST(ReportAdversaries, DistancesScaleAndSeparationsDoNot) {
  const SlicedDistance distance =
      sliced_distance(first_samples(), second_samples(), {.n_permutations = 9});
  const Separation apart = separation(first_samples(), second_samples());
  for (const int power : {-1000, -600, -490, -100, 100, 320}) {  // 1e-301 to 1e96
    const double scale = std::ldexp(1.0, power);
    const RowMatrix first = scale * first_samples();
    const RowMatrix second = scale * second_samples();
    const SlicedDistance scaled_distance = sliced_distance(first, second, {.n_permutations = 9});
    EXPECT_NEAR(scaled_distance.distance / scale, distance.distance, 1e-12) << power;
    EXPECT_NEAR(scaled_distance.null.mean / scale, distance.null.mean, 1e-12);
    EXPECT_EQ(separation(first, second).auc, apart.auc) << power;
  }
}

// 1e9 standard deviations away, coordinates are rounded to 1e-7.
TEST(ReportAdversaries, MeasuresDoNotDependOnADistantOrigin) {
  const SlicedDistance distance =
      sliced_distance(first_samples(), second_samples(), {.n_permutations = 9});
  const RowMatrix first = first_samples().array() + 1e9;
  const RowMatrix second = second_samples().array() + 1e9;
  EXPECT_NEAR(sliced_distance(first, second, {.n_permutations = 9}).distance, distance.distance,
              1e-5);
  EXPECT_NEAR(separation(first, second).auc, separation(first_samples(), second_samples()).auc,
              1e-3);
}

TransportModel model_of(const RowMatrix& first, const RowMatrix& second) {
  TransportOptions options;
  options.mixture.n_components = 2;
  options.mixture.covariance_floor = 0.0;
  options.mixture.relative_covariance_floor = 1e-3;
  options.map = MapKind::soft;
  const std::vector<Group> groups{{"a", first}, {"b", second}};
  return fit_transport(groups, options);
}

TEST(ReportAdversaries, OfAModelScaleWithTheSamples) {
  const auto report_of = [](const RowMatrix& first, const RowMatrix& second) {
    const std::vector<Group> groups{{"a", first}, {"b", second}};
    return report(model_of(first, second), groups, {.n_permutations = 19});
  };
  const Report expected = report_of(first_samples(), second_samples());
  for (const int power : {-490, -100, 100, 300}) {
    const double scale = std::ldexp(1.0, power);
    const Report result = report_of(scale * first_samples(), scale * second_samples());
    EXPECT_NEAR(result.pairs[0].mixture_distance / scale / expected.pairs[0].mixture_distance, 1.0,
                1e-8);
    ASSERT_EQ(result.carries.size(), expected.carries.size());
    for (std::size_t i = 0; i < result.carries.size(); ++i) {
      const Displacement& moved = result.carries[i].displacement;
      const Displacement& reference = expected.carries[i].displacement;
      EXPECT_NEAR(moved.rms / scale / reference.rms, 1.0, 1e-7);
      EXPECT_NEAR(moved.reach / scale / reference.reach, 1.0, 1e-8);
      EXPECT_NEAR(moved.farthest_reach / scale / reference.farthest_reach, 1.0, 1e-8);
    }
    for (std::size_t i = 0; i < result.components.size(); ++i) {
      EXPECT_NEAR(result.components[i].condition / expected.components[i].condition, 1.0, 1e-8);
    }
    ASSERT_EQ(result.verdict.size(), expected.verdict.size());
    for (std::size_t i = 0; i < result.verdict.size(); ++i) {
      EXPECT_EQ(result.verdict[i].warning, expected.verdict[i].warning);
    }
  }
}

}  // namespace
}  // namespace lbw
