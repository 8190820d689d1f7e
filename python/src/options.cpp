// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <cmath>
#include <lbw/types.hpp>

namespace nb = nanobind;

namespace lbw::python {

namespace {

nb::object bound_of(double value) {
  return std::isfinite(value) ? nb::object(nb::float_(value)) : nb::object(nb::none());
}

const char* type_name(OptionType type) {
  switch (type) {
    case OptionType::boolean:
      return "boolean";
    case OptionType::integer:
      return "integer";
    case OptionType::number:
      return "number";
    case OptionType::choice:
      return "choice";
  }
  return "";
}

nb::object plain_value(const Option& option) {
  const std::string text = option.text();
  const bool may_be_word = !option.words.empty();
  if (option.type == OptionType::boolean) return nb::bool_(text == "true");
  if (option.type == OptionType::choice) return nb::cast(text);
  if (option.type == OptionType::number) {
    return may_be_word ? nb::cast(text) : nb::object(nb::float_(std::stod(text)));
  }
  if (may_be_word && text == option.words.front()) return nb::none();
  return nb::module_::import_("builtins").attr("int")(text);
}

}  // namespace

nb::any value_of(const Option& option) { return nb::borrow<nb::any>(plain_value(option)); }

void set_value(const Option& option, const nb::handle& value) {
  // None is the automatic value of whole numbers; other options have a word for it
  if (value.is_none() && option.type == OptionType::integer && !option.words.empty()) {
    option.set(option.words.front());
  } else if (nb::isinstance<nb::bool_>(value)) {
    option.set(nb::cast<bool>(value) ? "true" : "false");
  } else {
    option.set(nb::cast<std::string>(nb::str(value)));  // repr of a float is exact
  }
}

nb::list describe(const std::vector<Option>& options) {
  nb::list list;
  for (const Option& option : options) {
    nb::dict entry;
    nb::list words;
    for (const std::string_view word : option.words) words.append(word);
    entry["name"] = option.name;
    entry["type"] = type_name(option.type);
    entry["words"] = words;
    entry["least"] = bound_of(option.least);
    entry["most"] = bound_of(option.most);
    entry["default"] = value_of(option);
    entry["help"] = option.help;
    list.append(entry);
  }
  return list;
}

}  // namespace lbw::python
