// SPDX-License-Identifier: MIT
#include "cli/text.hpp"

#include <algorithm>
#include <filesystem>

namespace lbw::cli {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  bool in_quotes = false;
  for (const char c : text) {
    std::string& part = parts.back();
    if (c == ',' && !in_quotes) {
      parts.emplace_back();
      continue;
    }
    // two quotes for one close and open again
    if (c == '"' && (part.empty() || part.front() == '"')) in_quotes = !in_quotes;
    part += c;
  }
  return parts;
}

std::optional<std::string> unquoted(std::string_view part) {
  if (!part.starts_with('"')) return std::string(part);
  std::string name;
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (part[i] != '"') {
      name += part[i];
    } else if (i + 1 == part.size()) {
      return name;
    } else if (part[++i] == '"') {
      name += '"';
    } else {
      break;
    }
  }
  return std::nullopt;
}

std::string list_text(const std::vector<std::string>& names) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
  std::string list;
  bool is_plain = true;
  for (const std::string& name : names) {
    const bool needs_quotes = name.find(',') != std::string::npos || name.starts_with('"');
    is_plain = is_plain && name.find_first_not_of(plain) == std::string::npos;
    list += (list.empty() ? "" : ",") +
            (needs_quotes ? '"' + replaced(name, "\"", "\"\"") + '"' : name);
  }
  return is_plain ? list : shell_quoted(list);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string shell_quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

std::string fixed(double value, int digits) {
  char buffer[512];  // the largest double has 309 digits before the decimal point
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed, digits);
  return {buffer, end};
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string left(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string extension_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

bool is_compressed(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".gz" || extension == ".zst";
}

bool is_npy(const std::string& path) { return extension_of(path) == ".npy"; }

}  // namespace lbw::cli
