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
