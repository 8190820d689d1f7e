// SPDX-License-Identifier: MIT
#include "io/excerpt.hpp"

#include <algorithm>

namespace lbw {

namespace {

constexpr std::size_t longest_excerpt = 40;

}  // namespace

bool has_control_character(std::string_view name) {
  return std::ranges::any_of(name, [](char c) {
    const bool is_space = c == '\t' || c == '\n' || c == '\r';
    return (static_cast<unsigned char>(c) < 0x20 && !is_space) || c == 0x7F;
  });
}

std::string excerpt(std::string_view text) {
  std::size_t length = std::min(text.size(), longest_excerpt);
  // back to the start of a UTF-8 character; bytes 10xxxxxx are continuations
  const auto continues = [&] {
    return (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U;
  };
  if (length < text.size()) {
    for (int i = 0; i < 3 && continues(); ++i) --length;
  }
  std::string shown(text.substr(0, length));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace lbw
