// SPDX-License-Identifier: MIT
// A component for each point, drawn with the probability that the point belongs to it, and one of
// the component's pieces, drawn with its share.
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

  /// out[i - begin] = piece of sample i in [begin, end): that of the component in whose part of
  /// [0, 1) its first number falls, parts in the order of the components, and likewise of the
  /// piece and the second number. Where single precision screens, what it cannot tell is looked at
  /// again in double, as labels are. A sample so far out that it belongs to no component is drawn
  /// the first.
  virtual void draw(Index begin, Index end, int* out) = 0;
};

/// @param tables, pieces  must outlive the pass
/// @param keys            one per sample, or none where all are 0
[[nodiscard]] std::unique_ptr<DrawPass> make_draw_pass(const LabelTables& tables,
                                                       const PieceTable& pieces, SampleView samples,
                                                       std::span<const std::uint64_t> keys);

}  // namespace lbw
