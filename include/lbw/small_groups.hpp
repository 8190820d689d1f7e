// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace lbw {

/// What a fit does with a group of fewer than two samples. One sample says nothing about the spread
/// of its group, so neither the group's map nor its part in the barycenter can be learned.
enum class SmallGroups {
  error,  ///< refuse the fit, naming the group
  keep,   ///< leave the group where it is and fit the others as if it were absent
};

/// "error" or "keep".
[[nodiscard]] std::string_view to_string(SmallGroups small_groups);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] SmallGroups small_groups_from(std::string_view name);

}  // namespace lbw
