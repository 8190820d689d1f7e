// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/options.hpp>
#include <vector>

#include "core/message.hpp"

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

std::string short_list(std::span<const std::string> entries, std::size_t n_others) {
  const std::size_t n_listed = std::min(entries.size(), most_listed);
  n_others += entries.size() - n_listed;
  const std::string list = joined(views_of(entries.first(n_listed)), "", ", ");
  return n_others == 0 ? list : message(list, " and ", n_others, " more");
}

std::string quoted_list(std::span<const std::string> names, std::size_t n_others) {
  const std::size_t n_listed = std::min(names.size(), most_listed);
  std::vector<std::string> quoted;
  for (const std::string& name : names.first(n_listed)) {
    quoted.push_back(message("'", shortened(name), "'"));
  }
  return short_list(quoted, n_others + names.size() - n_listed);
}

std::string shortened(std::string_view name) {
  constexpr std::size_t most_bytes = 100;
  if (name.size() <= most_bytes) return std::string(name);
  std::size_t length = most_bytes;
  // back to the start of a UTF-8 character; bytes 10xxxxxx are continuations
  const auto continues = [&] {
    return (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80U;
  };
  for (int i = 0; i < 3 && continues(); ++i) --length;
  return message(name.substr(0, length), "...");
}

}  // namespace lbw
