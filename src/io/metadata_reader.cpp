// SPDX-License-Identifier: MIT
#include "io/metadata_reader.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/io.hpp>

#include "io/excerpt.hpp"

namespace lbw {

const std::string& MetadataReader::text(const char* key) const {
  if (const std::string* const found = find(key)) return *found;
  throw IoError(message(name_, ": __metadata__ has no entry '", key, "'; is it an lbw model?"));
}

const std::string* MetadataReader::find(const char* key) const {
  const auto found = std::find_if(metadata_.begin(), metadata_.end(),
                                  [key](const auto& entry) { return entry.first == key; });
  return found == metadata_.end() ? nullptr : &found->second;
}

std::string MetadataReader::text_or(const char* key, std::string_view otherwise) const {
  const std::string* found = find(key);
  return found != nullptr ? *found : std::string(otherwise);
}

std::vector<std::string> MetadataReader::names(const char* key) const {
  const Json list = json(key);
  const auto is_string = [](const Json& value) { return value.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_string)) {
    throw IoError(message(what(key), " is not a list of strings"));
  }
  auto names = list.get<std::vector<std::string>>();
  for (const std::string& name : names) {
    if (!has_control_character(name)) continue;
    throw IoError(message(what(key), " has the name '", excerpt(name),
                          "', which contains a control character"));
  }
  return names;
}

void MetadataReader::check_visible(const char* key, const std::string& text) const {
  if (!has_control_character(text)) return;
  throw IoError(
      message(what(key), " is '", excerpt(text), "', which contains a control character"));
}

std::map<std::string, std::string> MetadataReader::notes() const {
  if (!find("notes")) return {};
  const Json object = json("notes");
  const auto is_string = [](const Json& value) { return value.is_string(); };
  if (!object.is_object() || !std::all_of(object.begin(), object.end(), is_string)) {
    throw IoError(message(what("notes"), " is not an object of strings"));
  }
  return object.get<std::map<std::string, std::string>>();
}

void check_text(const std::string& text, const char* function, const char* what) {
  try {
    (void)OrderedJson(text).dump();
  } catch (const OrderedJson::exception&) {
    throw InvalidArgument(message(function, ": ", what, " '", excerpt(text),
                                  "' is not UTF-8, which model files require"));
  }
}

void check_name(const std::string& name, const char* function, const char* what) {
  check_text(name, function, what);
  require(!has_control_character(name), function, ": ", what, " '", excerpt(name),
          "' contains a control character, expected visible characters and spaces");
}

void check_number(double value, const char* function, const char* what) {
  require(std::isfinite(value), function, ": ", what, " is ", value, ", expected a finite number");
}

void check_count(Index value, const char* function, const char* what) {
  require(value >= 0, function, ": ", what, " is ", value, ", expected >= 0");
}

void check_notes(const std::map<std::string, std::string>& notes, const char* function) {
  for (const auto& [name, text] : notes) {
    check_text(name, function, "note");
    check_text(text, function, "note");
  }
}

}  // namespace lbw
