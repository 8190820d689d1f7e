// SPDX-License-Identifier: MIT
// Samples with weights, prepared for sums.
#pragma once

#include <lbw/samples.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Weights for sums of products with squares of samples. Weights whose largest is far from 1 are
/// multiplied by a power of two, which makes it at least 1 and less than 2. Sums then neither
/// overflow nor underflow, and ratios of sums do not change. Other weights are not copied.
class ScaledWeights {
 public:
  /// @param weights  finite, >= 0; they must outlive the result
  explicit ScaledWeights(std::span<const double> weights);
  ScaledWeights(const ScaledWeights&) = delete;
  ScaledWeights& operator=(const ScaledWeights&) = delete;

  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  std::vector<double> scaled_;
  std::span<const double> values_;
};

/// The positions of weights above 0.
[[nodiscard]] std::vector<Index> positive_positions(std::span<const double> weights);

/// The values at these positions.
template <typename T>
[[nodiscard]] std::vector<T> values_at(std::span<const T> values,
                                       std::span<const Index> positions) {
  std::vector<T> chosen;
  chosen.reserve(positions.size());
  for (const Index position : positions) {
    chosen.push_back(values[static_cast<std::size_t>(position)]);
  }
  return chosen;
}

/// A copy of the samples at these positions, which ascend.
[[nodiscard]] RowMatrix rows_at(SampleView samples, std::span<const Index> positions);

}  // namespace lbw
