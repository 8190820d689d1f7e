// SPDX-License-Identifier: MIT
#include "io/json_text.hpp"

#include <set>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

constexpr std::size_t deepest = 8;

/// Rejects duplicate keys and deep nesting, which the parser itself accepts. The parser's own
/// callbacks cannot do this: after each object it searches all entries of the enclosing one, which
/// takes quadratic time.
class StrictWatcher final : public nlohmann::json_sax<Json> {
 public:
  explicit StrictWatcher(const std::string& what) : what_(what) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*unknown*/) override { return descend(); }
  bool end_object() override { return ascend(); }
  bool start_array(std::size_t /*unknown*/) override { return descend(); }
  bool end_array() override { return ascend(); }

  bool key(string_t& name) override {
    const auto [place, is_new] = keys_.back().insert(std::move(name));
    if (is_new) return true;
    throw IoError(message(what_, " has two entries '", excerpt(*place), "'"));
  }

  /// Stops; the parser reports the same error.
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    return false;
  }

 private:
  bool descend() {
    if (keys_.size() == deepest) throw IoError(message(what_, " is nested deeper than ", deepest));
    keys_.emplace_back();
    return true;
  }

  bool ascend() {
    keys_.pop_back();
    return true;
  }

  const std::string& what_;
  std::vector<std::set<std::string>> keys_;  // of each open object; none for arrays
};

[[noreturn]] void refuse(const char* key, const std::string& what, const std::string& expected) {
  throw IoError(message(what, " has an entry '", key, "' that is not ", expected));
}

}  // namespace

Json parse_json(std::string_view text, const std::string& what) {
  StrictWatcher watcher(what);
  try {
    (void)Json::sax_parse(text, &watcher);
    return Json::parse(text);
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
