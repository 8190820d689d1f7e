// SPDX-License-Identifier: MIT
#include "core/weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/message.hpp"

namespace lbw {

namespace {

void check_weights(std::span<const double> weights, Index expected_size, const char* function,
                   const char* argument) {
  require(std::ssize(weights) == expected_size, function, ": ", argument, " has ",
          counted(weights.size(), "entry"), ", expected ", expected_size);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(weights[i] >= 0.0, function, ": ", argument, "[", i, "] is ", weights[i],
            ", expected a number >= 0");
    require(std::isfinite(weights[i]), function, ": ", argument, "[", i, "] is ", weights[i],
            ", expected a finite number");
  }
}

double sum_of(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace

std::vector<double> normalized_weights(std::span<const double> weights, Index expected_size,
                                       const char* function, const char* argument) {
  check_weights(weights, expected_size, function, argument);
  std::vector<double> normalized(weights.begin(), weights.end());
  if (std::abs(sum_of(weights) - 1.0) <= 1e-12) return normalized;
  const double largest = weights.empty() ? 0.0 : *std::max_element(weights.begin(), weights.end());
  require(largest > 0.0, function, ": ", argument, " are all 0, expected at least one above 0");
  // scaled to about 1 first, so that the sum neither overflows nor loses digits
  const int exponent = std::ilogb(largest);
  for (double& weight : normalized) weight = std::ldexp(weight, -exponent);
  const double sum = sum_of(normalized);
  for (double& weight : normalized) weight /= sum;
  return normalized;
}

}  // namespace lbw
