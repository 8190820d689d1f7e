// SPDX-License-Identifier: MIT
// Densities, responsibilities and labels of a chunk of samples.
#pragma once

#include <memory>

#include "device/kernel_table.hpp"
#include "device/tables.hpp"

namespace lbw {

/// out[i] = log p of sample i, for i in [begin, end).
void chunk_log_densities(const KernelTable& table, SampleView samples, Index begin, Index end,
                         Vector& out);

/// out(i, k) = responsibility of component k for sample i, for i in [begin, end).
void chunk_responsibilities(const KernelTable& table, SampleView samples, Index begin, Index end,
                            RowMatrix& out);

/// The search for labels, with the working memory of one thread.
class LabelPass {
 public:
  LabelPass() = default;
  LabelPass(const LabelPass&) = delete;
  LabelPass& operator=(const LabelPass&) = delete;
  virtual ~LabelPass() = default;

  /// out[i - begin] = component of largest joint density of sample i in [begin, end), the lowest
  /// of equals.
  virtual void labels(Index begin, Index end, int* out) = 0;
};

/// @param table  must outlive the pass
[[nodiscard]] std::unique_ptr<LabelPass> make_label_pass(const KernelTable& table,
                                                         SampleView samples);

}  // namespace lbw
