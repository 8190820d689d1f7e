// SPDX-License-Identifier: MIT
// E-step and moment sums of a chunk of samples in one go; no array of responsibilities is ever
// made.
#pragma once

#include "device/kernel_table.hpp"
#include "device/pass_sums.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Sums over samples [begin, end).
/// @param weight_scale  multiplies every weight; single precision wants them near 1
[[nodiscard]] PassSums em_sums(const KernelTable& table, const WeightedSamples& samples,
                               Index begin, Index end, double weight_scale);

}  // namespace lbw
