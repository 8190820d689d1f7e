// SPDX-License-Identifier: MIT
// E-step and moment sums of a chunk of samples in one pass, without an array of responsibilities.
#pragma once

#include <memory>

#include "device/kernel_table.hpp"
#include "device/pass_sums.hpp"
#include "device/tables.hpp"

namespace lbw {

/// The pass over all samples, with the working memory of one thread.
class EmPass {
 public:
  EmPass() = default;
  EmPass(const EmPass&) = delete;
  EmPass& operator=(const EmPass&) = delete;
  virtual ~EmPass() = default;

  /// Sums over samples [begin, end). Without moments, those are 0.
  [[nodiscard]] virtual PassSums sums(Index begin, Index end, bool with_moments) = 0;
};

/// @param table, samples  must outlive the pass
/// @param weight_scale    multiplies every weight; in single precision they should be near 1
[[nodiscard]] std::unique_ptr<EmPass> make_em_pass(const KernelTable& table,
                                                   const WeightedSamples& samples,
                                                   double weight_scale);

}  // namespace lbw
