// SPDX-License-Identifier: MIT
// The component that a sample belongs to (Eq. 8).
#pragma once

#include <memory>

#include "device/kernel_table.hpp"
#include "device/tables.hpp"

namespace lbw {

/// The tables for finding labels. If single precision decides most samples, it screens them with an
/// error bound, and only undecided samples are computed again in double precision.
struct LabelTables {
  KernelTable exact;   ///< in double precision
  KernelTable screen;  ///< in single precision, if has_screen
  bool has_screen = false;
  /// Whether the error bound is also narrow enough for random draws, which need more of it than the
  /// largest density does.
  bool screens_draws = false;
  /// The computed joint densities of a sample x are in their true order if they differ by more
  /// than slope * sqrt(q) * (|x - origin| + reach) + rounding * (q + scale), with q = scale -
  /// the lower one.
  double slope = 0.0;
  double reach = 0.0;
  double rounding = 0.0;
  double scale = 0.0;

  explicit LabelTables(const DensityTable& table);

 private:
  /// Sets the error bound and returns whether it is narrow enough.
  bool can_screen(const DensityTable& table);
};

/// The search for labels, with the working memory of one thread.
class LabelPass {
 public:
  LabelPass() = default;
  LabelPass(const LabelPass&) = delete;
  LabelPass& operator=(const LabelPass&) = delete;
  virtual ~LabelPass() = default;

  /// out[i - begin] = component of largest joint density of sample i in [begin, end), the first one
  /// if several are equal.
  virtual void labels(Index begin, Index end, int* out) = 0;
};

/// @param tables  must outlive the pass
[[nodiscard]] std::unique_ptr<LabelPass> make_label_pass(const LabelTables& tables,
                                                         SampleView samples);

}  // namespace lbw
