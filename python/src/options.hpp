// SPDX-License-Identifier: MIT
// Library options as Python properties and as data, from the lists of lbw/options.hpp.
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/options.hpp>
#include <string>

namespace lbw::python {

/// A bool, int or str. A number that allows words is a str; an int that allows one is None for it.
[[nodiscard]] nanobind::any value_of(const Option& option);

/// Sets an option from a Python value; None means its word. @throws InvalidArgument
void set_value(const Option& option, const nanobind::handle& value);

/// Name, type, words, least, most, default and help of each option.
[[nodiscard]] nanobind::list describe(const std::vector<Option>& options);

/// Adds a property for every option of a struct, and `described`, a list of dicts.
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
