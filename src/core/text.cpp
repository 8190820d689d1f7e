// SPDX-License-Identifier: MIT
#include <lbw/options.hpp>
#include <vector>

namespace lbw {

namespace {

std::string joined(std::span<const std::string_view> names, std::string_view quote,
                   std::string_view last_separator) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? last_separator : ", ";
    list.append(quote).append(names[i]).append(quote);
  }
  return list;
}

std::vector<std::string_view> views_of(std::span<const std::string> names) {
  return {names.begin(), names.end()};
}

}  // namespace

std::string choice_list(std::span<const std::string_view> names, std::string_view quote) {
  return joined(names, quote, " or ");
}

std::string choice_list(std::span<const std::string> names, std::string_view quote) {
  return joined(views_of(names), quote, " or ");
}

std::string quoted_list(std::span<const std::string> names) {
  return joined(views_of(names), "'", ", ");
}

}  // namespace lbw
