// SPDX-License-Identifier: MIT
// Random draws: a component for each point by its responsibilities, and one of the component's
// pieces by its share.
#pragma once

#include <memory>
#include <span>

#include "core/point_draw.hpp"
#include "device/label_pass.hpp"
#include "device/tables.hpp"

namespace lbw {

/// The draws of many samples, with the working memory of one thread.
class DrawPass {
 public:
  DrawPass() = default;
  DrawPass(const DrawPass&) = delete;
  DrawPass& operator=(const DrawPass&) = delete;
  virtual ~DrawPass() = default;

  /// out[i - begin] = piece of sample i in [begin, end). The responsibilities divide [0, 1) into
  /// intervals in the order of the components; the first random number selects a component, and the
  /// second selects a piece in the same way. Draws that single precision cannot decide are computed
  /// again in double precision. A sample without any density gets the first component.
  virtual void draw(Index begin, Index end, int* out) = 0;
};

/// @param tables, pieces  must outlive the pass
/// @param keys            one per sample, or none if all are 0
[[nodiscard]] std::unique_ptr<DrawPass> make_draw_pass(const LabelTables& tables,
                                                       const PieceTable& pieces, SampleView samples,
                                                       std::span<const std::uint64_t> keys);

}  // namespace lbw
