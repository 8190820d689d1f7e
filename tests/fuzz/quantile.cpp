// SPDX-License-Identifier: MIT
// Monotone maps on the line.
#include <algorithm>
#include <lbw/quantile.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

/// Numbers below are multiples of the smallest one, and have fewer digits.
constexpr double denormal = std::numeric_limits<double>::min();

double largest(const Vector& values) { return values.cwiseAbs().maxCoeff(); }

/// The barycenter has the weighted mean of all quantiles.
void check_target(const std::vector<QuantileMap>& maps, const std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Vector mean = Vector::Zero(maps.front().source.n_levels());
  double scale = 0.0;
  for (std::size_t g = 0; g < maps.size(); ++g) {
    mean += weights[g] / sum * maps[g].source.values;
    scale = std::max(scale, largest(maps[g].source.values));
  }
  for (const QuantileMap& map : maps) {
    fuzz::require(largest(map.target.values - mean) <= 1e-12 * scale + denormal,
                  "quantiles of the barycenter are means");
  }
}

/// A quantile that is no atom moves to the quantile of the target at the same level, so that the
/// mass between two quantiles is that between their images.
void check_quantiles(const QuantileMap& map) {
  const Vector& source = map.source.values;
  const Vector moved =
      apply_quantile_map(map, {source.data(), static_cast<std::size_t>(source.size())});
  const double scale = std::max(largest(source), largest(map.target.values));
  const auto is_apart = [&](Index i) { return source[i + 1] - source[i] > 1e-6 * scale; };
  for (Index i = 1; i + 1 < source.size(); ++i) {
    if (!is_apart(i - 1) || !is_apart(i)) continue;
    const double expected = source[i] + map.amount * (map.target.values[i] - source[i]);
    fuzz::require(std::abs(moved[i] - expected) <= 1e-9 * scale + denormal, "a map preserves mass");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  QuantileMapOptions options;
  options.n_levels = input.whole(1, 40);
  options.amount = input.whole(0, 4) / 4.0;
  std::vector<QuantileGroup> groups;
  for (int n = input.whole(1, 3); n > 0; --n) {
    const Vector values(input.numbers(input.whole(1, 12), 1));
    std::vector<double> weights;
    if (input.byte() % 2 == 0) {
      const Vector own = input.weights(values.size());
      weights.assign(own.begin(), own.end());
    }
    groups.push_back({std::vector<double>(values.begin(), values.end()), std::move(weights)});
    options.barycentric_weights.push_back(input.whole(0, 3));
  }
  std::vector<QuantileMap> maps;
  if (!fuzz::accepts([&] { maps = fit_quantile_maps(groups, options); })) return 0;
  check_target(maps, options.barycentric_weights);
  for (const QuantileMap& map : maps) fuzz::accepts([&] { check_quantiles(map); });
  Vector points(input.numbers(16, 1));
  std::ranges::sort(points);
  for (const QuantileMap& map : maps) {
    Vector moved;
    if (!fuzz::accepts([&] { moved = apply_quantile_map(map, {points.data(), 16}); })) return 0;
    fuzz::require(moved.allFinite(), "values stay finite");
    const double scale = std::max(points.cwiseAbs().maxCoeff(), moved.cwiseAbs().maxCoeff());
    for (Index i = 1; i < moved.size(); ++i) {
      fuzz::require(moved(i) >= moved(i - 1) - 1e-12 * scale - denormal, "a map is not decreasing");
    }
    if (map.amount == 0.0) fuzz::require(moved == points, "amount 0 is the identity");
    const auto [least, most] = std::ranges::minmax(map.target.values);
    fuzz::require(std::is_sorted(map.target.values.begin(), map.target.values.end()) &&
                      std::isfinite(least) && std::isfinite(most),
                  "quantiles are finite and ascend");
  }
  return 0;
}
