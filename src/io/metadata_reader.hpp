// SPDX-License-Identifier: MIT
// Reading the entries of a model file's metadata, and checking texts before they are written.
#pragma once

#include <lbw/tensor_file.hpp>
#include <lbw/types.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "io/json_text.hpp"

namespace lbw {

/// The entries of one file, and its name for messages.
class MetadataReader {
 public:
  /// Both must outlive the reader.
  MetadataReader(const Metadata& metadata, const std::string& name)
      : metadata_(metadata), name_(name) {}

  /// @throws IoError  if there is no such entry
  [[nodiscard]] const std::string& text(const char* key) const;

  /// Null if there is no such entry.
  [[nodiscard]] const std::string* find(const char* key) const;

  /// The entry, or the value implied by older files without it.
  [[nodiscard]] std::string text_or(const char* key, std::string_view otherwise) const;

  [[nodiscard]] Json json(const char* key) const { return parse_json(text(key), what(key)); }

  /// The start of messages about an entry.
  [[nodiscard]] std::string what(const char* key) const {
    return message(name_, ": metadata '", key, "'");
  }

  [[nodiscard]] std::vector<std::string> names(const char* key) const;

  /// The notes; none if there is no such entry.
  [[nodiscard]] std::map<std::string, std::string> notes() const;

  /// The result of `from` for a text. Its InvalidArgument is rethrown as an IoError about the file.
  template <typename From>
  [[nodiscard]] auto converted(const char* key, const std::string& value, const From& from) const {
    check_visible(key, value);
    try {
      return from(value);
    } catch (const InvalidArgument& error) {
      throw IoError(message(what(key), ": ", error.what()));
    }
  }

 private:
  /// Checks that messages may show a text.
  void check_visible(const char* key, const std::string& text) const;

  const Metadata& metadata_;
  const std::string& name_;
};

/// Check what is about to be written. @throws InvalidArgument naming the function and the value
void check_text(const std::string& text, const char* function, const char* what);
/// The same for a name, which also has no control characters.
void check_name(const std::string& name, const char* function, const char* what);
void check_number(double value, const char* function, const char* what);
void check_count(Index value, const char* function, const char* what);
void check_notes(const std::map<std::string, std::string>& notes, const char* function);

}  // namespace lbw
