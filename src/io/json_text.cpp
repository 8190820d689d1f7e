// SPDX-License-Identifier: MIT
#include "io/json_text.hpp"

#include <set>
#include <vector>

#include "core/message.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

constexpr int deepest = 8;

/// Rejects duplicate keys and deep nesting, which the parser itself accepts.
class StrictWatcher {
 public:
  explicit StrictWatcher(const std::string& what) : what_(what) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth >= deepest && (event == Event::object_start || event == Event::array_start)) {
      throw IoError(message(what_, " is nested deeper than ", deepest));
    }
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
      throw IoError(message(what_, " has two entries '", excerpt(parsed.get<std::string>()), "'"));
    }
    return true;
  }

 private:
  const std::string& what_;
  std::vector<std::set<std::string>> keys_;
};

[[noreturn]] void refuse(const char* key, const std::string& what, const std::string& expected) {
  throw IoError(message(what, " has an entry '", key, "' that is not ", expected));
}

}  // namespace

Json parse_json(std::string_view text, const std::string& what) {
  StrictWatcher watcher(what);
  try {
    return Json::parse(text, std::ref(watcher));
  } catch (const Json::parse_error& error) {
    throw IoError(message(what, " is not valid JSON (byte ", error.byte, ")"));
  } catch (const Json::exception&) {  // a number outside the range of double
    throw IoError(message(what, " contains a number out of range"));
  }
}

const Json& entry(const Json& object, const char* key, const std::string& what) {
  if (!object.is_object()) throw IoError(message(what, " is not an object"));
  const auto found = object.find(key);
  if (found == object.end()) throw IoError(message(what, " has no entry '", key, "'"));
  return *found;
}

std::string string_entry(const Json& object, const char* key, const std::string& what) {
  const Json& value = entry(object, key, what);
  if (!value.is_string()) refuse(key, what, "a string");
  return value.get<std::string>();
}

double number_entry(const Json& object, const char* key, const std::string& what) {
  const Json& value = entry(object, key, what);
  if (!value.is_number()) refuse(key, what, "a number");
  return value.get<double>();
}

bool bool_entry(const Json& object, const char* key, const std::string& what) {
  const Json& value = entry(object, key, what);
  if (!value.is_boolean()) refuse(key, what, "true or false");
  return value.get<bool>();
}

std::int64_t integer_entry(const Json& object, const char* key, std::int64_t least,
                           std::int64_t largest, const std::string& what) {
  const Json& value = entry(object, key, what);
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest) &&
                              value.get<std::int64_t>() >= least
                        : value.is_number_integer() && value.get<std::int64_t>() >= least;
  if (!fits) refuse(key, what, message("an integer from ", least, " to ", largest));
  return value.get<std::int64_t>();
}

}  // namespace lbw
