// SPDX-License-Identifier: MIT
// Groups that few Gaussians cannot describe, and models refined for them.
#pragma once

#include <cmath>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

namespace lbw {

/// Independent standard normal values.
inline RowMatrix normals(Index n_samples, Index n_features, std::uint64_t seed) {
  Random random(seed);
  RowMatrix points(n_samples, n_features);
  for (Index i = 0; i < n_samples; ++i) {
    for (Index f = 0; f < n_features; ++f) points(i, f) = random.normal();
  }
  return points;
}

/// Points on a noisy arc, whose coordinates are skewed.
inline RowMatrix arc(Index n_samples, double bend, std::uint64_t seed) {
  Random random(seed);
  RowMatrix points(n_samples, 2);
  for (Index i = 0; i < n_samples; ++i) {
    const double t = 2.0 * random.uniform() - 1.0;
    points(i, 0) = 3.0 * t + 0.1 * random.normal();
    points(i, 1) = bend * t * t + std::exp(0.5 * random.normal());
  }
  return points;
}

/// Two arcs; the second is smaller and bent in the opposite direction.
struct TwoArcs {
  RowMatrix first;
  RowMatrix second;

  explicit TwoArcs(Index n_first = 3000, Index n_second = 2000)
      : first(arc(n_first, 3.0, 1)), second(arc(n_second, -2.0, 2)) {}

  [[nodiscard]] std::vector<Group> groups() const { return {{"a", first}, {"b", second}}; }
};

[[nodiscard]] inline TransportOptions refine_options(int refine, int n_components = 1) {
  TransportOptions options;
  options.mixture.n_components = n_components;
  options.map = MapKind::hard;
  options.refine = refine;
  return options;
}

inline const std::vector<double> halves = {0.5, 0.5};

}  // namespace lbw
