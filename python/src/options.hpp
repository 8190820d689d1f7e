// SPDX-License-Identifier: MIT
// Options of the library as properties and as data, from its own lists (lbw/options.hpp).
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/options.hpp>
#include <string>

namespace lbw::python {

/// A bool, int or str. A number that may be a word is a str; an int that may be one is None then.
[[nodiscard]] nanobind::any value_of(const Option& option);

/// Sets an option from a Python value; None stands for its word. @throws InvalidArgument
void set_value(const Option& option, const nanobind::handle& value);

/// What is known about each option: name, type, words, least, most, default and help.
[[nodiscard]] nanobind::list describe(const std::vector<Option>& options);

/// A property for every option of a struct, and `described`, a list of dicts of all of them.
template <typename Options>
void bind_options(nanobind::class_<Options>& bound) {
  const Options defaults;
  for (const Option& option : options_of(defaults)) {
    const std::string name(option.name);
    bound.def_prop_rw(
        name.c_str(),
        [name](const Options& options) { return value_of(find_option(options_of(options), name)); },
        [name](Options& options, const nanobind::handle& value) {
          set_value(find_option(options_of(options), name), value);
        },
        nanobind::for_setter(nanobind::arg("value").none()));
  }
  bound.def_static("described", [] {
    const Options options;
    return describe(options_of(options));
  });
}

}  // namespace lbw::python
