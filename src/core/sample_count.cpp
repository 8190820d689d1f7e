// SPDX-License-Identifier: MIT
#include "core/sample_count.hpp"

#include <algorithm>
#include <cmath>

namespace lbw {

namespace {

constexpr double largest_count = 1e300;

/// 1 unless sums of squares would overflow or vanish; a power of two, so that scaling is exact.
double scale_for(double largest) {
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) < 200 ? 1.0 : std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
}

/// Of weights times `scale`.
struct Sums {
  double scale = 1.0;
  double sum = 0.0;
  double squares = 0.0;
};

Sums sums_of(std::span<const double> weights) {
  Sums sums{scale_for(*std::max_element(weights.begin(), weights.end()))};
  for (const double weight : weights) {
    const double scaled = weight * sums.scale;
    sums.sum += scaled;
    sums.squares += scaled * scaled;
  }
  return sums;
}

}  // namespace

SampleCount sample_count(std::span<const double> weights) {
  const auto [scale, sum, squares] = sums_of(weights);
  SampleCount result;
  result.scale = scale;
  const double effective = sum * sum / squares;
  result.count = std::min(largest_count, std::max(sum / scale, effective));
  result.unit = sum / result.count;
  return result;
}

std::vector<double> effective_weights(std::span<const double> weights) {
  const auto [scale, sum, squares] = sums_of(weights);
  std::vector<double> result;
  result.reserve(weights.size());
  for (const double weight : weights) result.push_back(weight * scale * (sum / squares));
  return result;
}

}  // namespace lbw
