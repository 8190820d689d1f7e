// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace lbw {

/// Where a point goes whose component, or whose component's partner, is a matter of degree.
enum class MapKind {
  /// With the heaviest piece of its most likely component (Eq. 9): affine on each component, torn
  /// along their borders.
  hard,
  /// To the average of where all pieces would take it, by probability: continuous, but averages
  /// fall into gaps that the target group leaves empty.
  soft,
  /// With a piece drawn by probability: carries the source mixture onto the target mixture, and
  /// neighbours apart. The draw is a function of the seed, the point and its key (lbw/row_key.hpp),
  /// whatever the batch, the order or the thread.
  random,
};

/// "hard", "soft" or "random".
[[nodiscard]] std::string_view to_string(MapKind kind);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] MapKind map_kind_from(std::string_view name);

}  // namespace lbw
