// SPDX-License-Identifier: MIT
// The meaning of whole-number weights: copies of rows.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// Random whole numbers from 0 to 3.
[[nodiscard]] inline std::vector<double> whole_weights(Index n_rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights;
  for (Index i = 0; i < n_rows; ++i) weights.push_back(static_cast<double>(random.below(4)));
  return weights;
}

/// Every row as often as its weight says.
[[nodiscard]] inline RowMatrix repeated_rows(const RowMatrix& rows,
                                             const std::vector<double>& weights) {
  std::vector<Index> places;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    places.insert(places.end(), static_cast<std::size_t>(weights[i]), static_cast<Index>(i));
  }
  return rows(places, Eigen::all);
}

/// Weights times a number.
[[nodiscard]] inline std::vector<double> scaled_weights(std::vector<double> weights,
                                                        double factor) {
  for (double& weight : weights) weight *= factor;
  return weights;
}

}  // namespace lbw
