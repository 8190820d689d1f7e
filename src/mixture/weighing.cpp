// SPDX-License-Identifier: MIT
#include "mixture/weighing.hpp"

#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"

namespace lbw {

namespace {

/// Binary exponents of weights that are used as they are.
constexpr int largest_exponent = 32;

}  // namespace

ScaledWeights::ScaledWeights(std::span<const double> weights) : values_(weights) {
  const double largest = weights.empty() ? 0.0 : std::ranges::max(weights);
  if (!(largest > 0.0) || std::abs(std::ilogb(largest)) <= largest_exponent) return;
  const int exponent = -std::ilogb(largest);
  scaled_.reserve(weights.size());
  for (const double weight : weights) scaled_.push_back(std::ldexp(weight, exponent));
  values_ = scaled_;
}

std::vector<Index> positive_positions(std::span<const double> weights) {
  std::vector<Index> positions;
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (at(weights, i) > 0.0) positions.push_back(i);
  }
  return positions;
}

RowMatrix rows_at(SampleView samples, std::span<const Index> positions) {
  RowMatrix rows(std::ssize(positions), samples.n_features());
  SamplePass pass(samples);
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = samples.row(at(positions, i)).transpose();
    pass.used_up_to(at(positions, i) + 1);
  }
  samples.check();
  return rows;
}

}  // namespace lbw
