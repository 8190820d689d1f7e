// SPDX-License-Identifier: MIT
#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <lbw/options.hpp>

#include "cli/system.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

ColorMode color_mode = ColorMode::automatic;

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Blocks of Unicode whose characters take no column: combining marks, joiners and selectors.
constexpr std::array<Range, 12> without_width = {{{0x0300, 0x036F},
                                                  {0x0483, 0x0489},
                                                  {0x0591, 0x05BD},
                                                  {0x064B, 0x065F},
                                                  {0x0E47, 0x0E4E},
                                                  {0x1AB0, 0x1AFF},
                                                  {0x1DC0, 0x1DFF},
                                                  {0x200B, 0x200F},
                                                  {0x2028, 0x202E},
                                                  {0x20D0, 0x20FF},
                                                  {0xFE00, 0xFE0F},
                                                  {0xFE20, 0xFE2F}}};
// Blocks whose characters take two columns: East Asian scripts and pictographs.
constexpr std::array<Range, 11> wide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0x4DBF},
                                         {0x4E00, 0xA4CF},
                                         {0xA960, 0xA97C},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};

bool is_in(std::uint32_t code, const auto& ranges) {
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

std::size_t width_of(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0) || is_in(code, without_width)) return 0;
  return is_in(code, wide) ? 2 : 1;
}

/// A character at the start of a text: its bytes and its columns.
struct Character {
  std::size_t n_bytes = 1;
  std::size_t width = 1;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {1, width_of(lead)};
  const std::size_t n_bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (n_bytes == 0 || lead > 0xF4 || text.size() < n_bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (n_bytes + 1));
  for (const char byte : text.substr(1, n_bytes - 1)) {
    const auto next = static_cast<unsigned char>(byte);
    if ((next & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (next & 0x3FU);
  }
  return {n_bytes, width_of(code)};
}

/// The longest beginning of a text that takes at most `width` columns.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t n_bytes = 0;
  std::size_t n_columns = 0;
  while (n_bytes < text.size()) {
    const Character next = first_character(text.substr(n_bytes));
    if (n_columns + next.width > width) break;
    n_columns += next.width;
    n_bytes += next.n_bytes;
  }
  return text.substr(0, n_bytes);
}

}  // namespace

std::size_t terminal_width(std::FILE* stream, std::size_t fallback) {
  if (const std::size_t n_columns = system::terminal_columns(stream)) return n_columns;
  const char* columns = std::getenv("COLUMNS");
  const auto width = columns == nullptr ? std::nullopt : number_from<std::size_t>(columns);
  return width && *width > 0 ? *width : fallback;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += next.width;
    text.remove_prefix(next.n_bytes);
  }
  return width;
}

std::vector<std::string> by_columns(std::string_view text) {
  std::vector<std::string> columns;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.width > 0 || columns.empty()) columns.emplace_back();
    columns.back() += text.substr(0, next.n_bytes);
    if (next.width > 1) columns.emplace_back();
    text.remove_prefix(next.n_bytes);
  }
  return columns;
}

std::string clipped(std::string_view text, std::size_t width) {
  constexpr std::string_view dots = "...";
  if (display_width(text) <= width) return std::string(text);
  if (width <= dots.size()) return std::string(beginning(text, width));
  return std::string(beginning(text, width - dots.size())) + std::string(dots);
}

std::vector<std::string> wrapped_lines(std::string_view text, std::size_t width,
                                       bool splits_words) {
  std::vector<std::string> lines(1);
  for (const std::string& whole : split(text, ' ')) {
    std::string_view word = whole;
    const bool fits = display_width(lines.back()) + 1 + display_width(word) <= width;
    if (!lines.back().empty()) {
      if (fits) {
        lines.back() += ' ';
      } else {
        lines.emplace_back();
      }
    }
    while (splits_words && width > 1 && display_width(word) > width) {
      lines.back() = beginning(word, width);
      word.remove_prefix(lines.back().size());
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(text) + std::string(own < width ? width - own : 0, ' ');
}

void set_color_mode(ColorMode mode) { color_mode = mode; }

bool uses_color(std::FILE* stream) {
  if (color_mode != ColorMode::automatic) return color_mode == ColorMode::always;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return system::is_terminal(stream);
}

std::string painted(std::string_view text, Paint paint, std::FILE* stream) {
  if (!uses_color(stream)) return std::string(text);
  const char* code = paint == Paint::bold ? "1" : paint == Paint::red ? "1;31" : "1;33";
  return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace lbw::cli
