// SPDX-License-Identifier: MIT
#include "io/excerpt.hpp"

#include <algorithm>

namespace lbw {

namespace {

constexpr std::size_t longest_excerpt = 40;

/// The length of the UTF-8 character at the beginning of a text, as in table 3-7 of the Unicode
/// standard; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  const std::size_t length = first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
  if (first < 0xC2U || first > 0xF4U) return 0;
  // the second byte excludes overlong forms, surrogates and numbers beyond U+10FFFF
  const unsigned least = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
  const unsigned most = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

bool has_control_character(std::string_view name) {
  return std::ranges::any_of(name, [](char c) {
    const bool is_space = c == '\t' || c == '\n' || c == '\r';
    return (static_cast<unsigned char>(c) < 0x20 && !is_space) || c == 0x7F;
  });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string excerpt(std::string_view text) {
  const bool shows_all = is_utf8(text);
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
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || (!is_ascii && !shows_all)) c = '?';
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace lbw
