// SPDX-License-Identifier: MIT
// Features as numbers of bins, so that a tree compares small whole numbers.
#pragma once

#include <cstdint>
#include <lbw/samples.hpp>
#include <span>
#include <vector>

namespace lbw {

/// A bin has a number of one byte.
inline constexpr int most_bins = 255;

/// The limits between the bins of a feature, in ascending order: the middles between distinct
/// values or, if these are more than most_bins, quantiles. Values of weight 0 do not count.
///
/// @param weights  one per value, not all 0; empty: every value counts 1
[[nodiscard]] std::vector<double> bin_limits(std::span<const double> values,
                                             std::span<const double> weights);

/// The bins of samples, feature by feature.
struct BinnedSamples {
  Index n_samples = 0;
  std::vector<std::uint8_t> bins;  ///< of all samples, feature after feature

  [[nodiscard]] const std::uint8_t* feature(Index f) const { return bins.data() + f * n_samples; }
};

/// The bin of a value is the number of limits below it.
///
/// @param limits  one list per feature
[[nodiscard]] BinnedSamples binned(SampleView samples, std::span<const std::vector<double>> limits);

}  // namespace lbw
