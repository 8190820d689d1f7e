// SPDX-License-Identifier: MIT
// Samples without weights that represent a group in measures of samples.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

struct Representatives {
  RowMatrix samples;
  std::vector<std::uint64_t> keys;  ///< of the samples; empty if the group has none
};

/// Without weights, all samples or `most` of them, one from every interval of equal length.
///
/// With weights that are whole numbers and sum to at most `most`, as many copies of every sample.
/// Otherwise a random draw: one sample from every interval of equal weight, of which there are as
/// many as Kish's effective sample size (sum w)^2 / sum w^2, and at most `most`. The noise of
/// measures of the drawn samples is then that of the weighted samples.
///
/// @param group  with weights that are valid and not all 0
[[nodiscard]] Representatives representatives_of(const Group& group, Index most,
                                                 std::uint64_t seed);

/// The number of samples that represent a group, if `most` is large enough.
[[nodiscard]] Index n_representatives(const Group& group);

}  // namespace lbw
