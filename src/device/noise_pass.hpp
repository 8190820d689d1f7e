// SPDX-License-Identifier: MIT
// Uniform noise for features that take few values.
#pragma once

#include "device/tables.hpp"

namespace lbw {

/// Row i of `out` = sample i with noise, for i in [begin, end).
void chunk_add_noise(SampleView samples, const NoiseTable& noise,
                     std::span<const std::uint64_t> keys, Index begin, Index end,
                     Eigen::Ref<RowMatrix> out);

}  // namespace lbw
