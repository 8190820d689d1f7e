// SPDX-License-Identifier: MIT
// Densities and responsibilities of a chunk of samples.
#pragma once

#include "device/kernel_table.hpp"
#include "device/tables.hpp"

namespace lbw {

/// out[i] = log p of sample i, for i in [begin, end). The table is in double precision.
void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out);

/// out(i, k) = responsibility of component k for sample i, likewise.
void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out);

}  // namespace lbw
