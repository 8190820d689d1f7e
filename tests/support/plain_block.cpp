// SPDX-License-Identifier: MIT
#include "support/plain_block.hpp"

#include <algorithm>

namespace lbw {

namespace {

// Eight running sums are wide enough for any vector unit and give the same additions on each.
constexpr Index n_accumulators = 8;
static_assert(block_size % n_accumulators == 0);

template <typename Term>
double sum_of(const Term& term) {
  std::array<double, n_accumulators> sums{};
  for (Index i = 0; i < block_size; i += n_accumulators) {
    for (Index j = 0; j < n_accumulators; ++j) {
      sums[static_cast<std::size_t>(j)] += term(static_cast<std::size_t>(i + j));
    }
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace

double lane_sum(const Lane& values) {
  return sum_of([&](std::size_t i) { return values[i]; });
}

double lane_dot(const Lane& left, const Lane& right) {
  return sum_of([&](std::size_t i) { return left[i] * right[i]; });
}

void SampleBlock::load(const WeightedSamples& source, Index begin, Index end) {
  first = begin;
  count = std::min(block_size, end - begin);
  for (std::size_t feature = 0; feature < features.size(); ++feature) {
    Lane& lane = features[feature];
    for (Index i = 0; i < count; ++i) {
      lane[static_cast<std::size_t>(i)] = source.samples(begin + i, static_cast<Index>(feature));
    }
    std::fill(lane.begin() + count, lane.end(), 0.0);
  }
  for (Index i = 0; i < count; ++i) weights[static_cast<std::size_t>(i)] = source.weight(begin + i);
  std::fill(weights.begin() + count, weights.end(), 0.0);
}

void SampleBlock::subtract(const Eigen::Ref<const Vector>& center,
                           std::vector<Lane>& differences) const {
  for (std::size_t feature = 0; feature < features.size(); ++feature) {
    const double shift = center[static_cast<Index>(feature)];
    for (std::size_t i = 0; i < block_size; ++i) {
      differences[feature][i] = features[feature][i] - shift;
    }
  }
}

void SampleBlock::squared_distances(const Eigen::Ref<const Vector>& center, Lane& out) const {
  out.fill(0.0);
  for (std::size_t feature = 0; feature < features.size(); ++feature) {
    const double shift = center[static_cast<Index>(feature)];
    for (std::size_t i = 0; i < block_size; ++i) {
      const double difference = features[feature][i] - shift;
      out[i] += difference * difference;
    }
  }
}

}  // namespace lbw
