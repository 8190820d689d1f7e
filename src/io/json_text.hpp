// SPDX-License-Identifier: MIT
// Strict reading of untrusted JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// For reading: finds a key in logarithmic time.
using Json = nlohmann::json;
/// For writing: keeps keys in the order they were set.
using OrderedJson = nlohmann::ordered_json;

/// @param what  the start of every message: the file and the part of it
/// @throws IoError  on malformed text, duplicate keys, or nesting deeper than 8
[[nodiscard]] Json parse_json(std::string_view text, const std::string& what);

/// The entry of an object. @throws IoError if it is not an object or has no such key
[[nodiscard]] const Json& entry(const Json& object, const char* key, const std::string& what);

/// Entries of one type each. Other types raise an error and are never converted.
[[nodiscard]] std::string string_entry(const Json& object, const char* key,
                                       const std::string& what);
[[nodiscard]] double number_entry(const Json& object, const char* key, const std::string& what);
[[nodiscard]] bool bool_entry(const Json& object, const char* key, const std::string& what);
/// An integer from least to largest.
[[nodiscard]] std::int64_t integer_entry(const Json& object, const char* key, std::int64_t least,
                                         std::int64_t largest, const std::string& what);

}  // namespace lbw
