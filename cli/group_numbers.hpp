// SPDX-License-Identifier: MIT
// Lists of one number per group: 2,1 in the order of the groups, or women=2,men=1 in any order.
// Names may be in double quotes.
#pragma once

#include <lbw/types.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/text.hpp"

namespace lbw::cli {

template <typename Number>
struct GroupNumbers {
  std::vector<std::string> names = {};  ///< empty if the numbers have no names
  std::vector<Number> numbers = {};

  [[nodiscard]] bool empty() const { return numbers.empty(); }
};

/// Parses a list. Empty if a part is neither a number nor name=number, or if only some parts have
/// names.
template <typename Number>
[[nodiscard]] std::optional<GroupNumbers<Number>> group_numbers_from(const std::string& text) {
  GroupNumbers<Number> list;
  for (const std::string& part : split_list(text)) {
    const std::size_t equals = part.rfind('=');
    const bool named = equals != std::string::npos;
    const std::optional<Number> number =
        number_from<Number>(named ? part.substr(equals + 1) : part);
    const std::optional<std::string> name = unquoted(named ? part.substr(0, equals) : "");
    if (!number || !name) return std::nullopt;
    if (named) list.names.push_back(*name);
    list.numbers.push_back(*number);
  }
  const bool all_or_none = list.names.empty() || list.names.size() == list.numbers.size();
  return all_or_none ? std::optional(list) : std::nullopt;
}

/// @throws InvalidArgument  unless the names are those of the groups, each once
void check_group_names(const std::string& option, std::span<const std::string> names,
                       std::span<const std::string> groups);

/// One number per group, in their order. @throws InvalidArgument listing the groups
template <typename Number>
[[nodiscard]] std::vector<Number> in_order_of_groups(const GroupNumbers<Number>& list,
                                                     const std::string& option,
                                                     std::span<const std::string> groups) {
  if (list.names.empty()) {
    if (list.numbers.size() == groups.size()) return list.numbers;
    throw InvalidArgument(option + " has " + counted(list.numbers.size(), "number") +
                          ", expected " + to_text(groups.size()) + ", one for each of " +
                          quoted_list(groups));
  }
  check_group_names(option, list.names, groups);
  std::vector<Number> ordered;
  for (const std::string& group : groups) {
    std::size_t at = 0;
    while (list.names[at] != group) ++at;
    ordered.push_back(list.numbers[at]);
  }
  return ordered;
}

/// The number of each group, as in "--weights is 'a' 2, 'b' 1".
template <typename Number>
[[nodiscard]] std::string numbers_by_group(const std::string& option,
                                           std::span<const Number> numbers,
                                           std::span<const std::string> groups) {
  std::string text = option + " is ";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    text += (g == 0 ? "'" : ", '") + groups[g] + "' " + to_text(numbers[g]);
  }
  return text;
}

}  // namespace lbw::cli
