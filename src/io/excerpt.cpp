// SPDX-License-Identifier: MIT
#include "io/excerpt.hpp"

#include <algorithm>
#include <lbw/io.hpp>

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

bool is_ascii_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// Whether a text begins with one of U+0080 to U+009F. Terminals understand U+009B like ESC [.
bool starts_with_late_control(std::string_view text) {
  return text >= "\xC2\x80" && text < "\xC2\xA0";
}

}  // namespace

bool has_control_character(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    const bool is_space = text[0] == '\t' || text[0] == '\n' || text.starts_with("\r\n");
    if (is_ascii_control(text[0]) && !is_space) return true;
    if (starts_with_late_control(text)) return true;
  }
  return false;
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
  std::string shown;
  for (std::size_t i = 0; i < length; ++i) {
    const bool is_ascii = static_cast<unsigned char>(text[i]) < 0x80;
    const bool is_late_control = shows_all && starts_with_late_control(text.substr(i));
    const bool is_hidden =
        is_ascii_control(text[i]) || is_late_control || (!is_ascii && !shows_all);
    shown += is_hidden ? '?' : text[i];
    if (is_late_control) ++i;  // its second byte
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace lbw
