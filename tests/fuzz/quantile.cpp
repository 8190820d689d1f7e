// SPDX-License-Identifier: MIT
// Monotone maps on the line.
#include <algorithm>
#include <lbw/quantile.hpp>
#include <vector>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

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
  Vector points(input.numbers(16, 1));
  std::ranges::sort(points);
  for (const QuantileMap& map : maps) {
    Vector moved;
    if (!fuzz::accepts([&] { moved = apply_quantile_map(map, {points.data(), 16}); })) return 0;
    fuzz::require(moved.allFinite(), "values stay finite");
    const double scale = std::max(points.cwiseAbs().maxCoeff(), moved.cwiseAbs().maxCoeff());
    for (Index i = 1; i < moved.size(); ++i) {
      fuzz::require(moved(i) >= moved(i - 1) - 1e-12 * scale, "a map is not decreasing");
    }
    if (map.amount == 0.0) fuzz::require(moved == points, "amount 0 is the identity");
    const auto [least, most] = std::ranges::minmax(map.target.values);
    fuzz::require(std::is_sorted(map.target.values.begin(), map.target.values.end()) &&
                      std::isfinite(least) && std::isfinite(most),
                  "quantiles are finite and ascend");
  }
  return 0;
}
