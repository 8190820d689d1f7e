// SPDX-License-Identifier: MIT
#include "core/sample_count.hpp"

#include <algorithm>
#include <cmath>

namespace lbw {

namespace {

constexpr double largest_count = 1e300;

/// 1 unless sums of squares would overflow or underflow; a power of two, so scaling is exact.
double scale_for(double largest) {
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) < 200 ? 1.0 : std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
}

}  // namespace

SampleCount sample_count(std::span<const double> weights) {
  SampleCount result;
  result.scale = scale_for(*std::max_element(weights.begin(), weights.end()));
  double sum = 0.0;
  double squares = 0.0;
  for (const double weight : weights) {
    const double scaled = weight * result.scale;
    sum += scaled;
    squares += scaled * scaled;
  }
  result.effective = sum * sum / squares;
  result.count = std::min(largest_count, std::max(sum / result.scale, result.effective));
  result.unit = sum / result.count;
  return result;
}

std::vector<double> copies_of(std::span<const double> weights) {
  const SampleCount counted = sample_count(weights);
  std::vector<double> copies;
  copies.reserve(weights.size());
  for (const double weight : weights) copies.push_back(weight * counted.scale / counted.unit);
  return copies;
}

}  // namespace lbw
