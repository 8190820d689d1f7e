// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <lbw/fit_mixture.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "watched.hpp"

namespace lbw::python {

/// A Python callable that receives every step of a fit, or None.
using ProgressCallback = std::optional<nb::callable>;

/// Returns the function that passes every step of a fit to Python; empty for None. `watch` and
/// `callback` must outlive it.
template <typename Step>
std::function<void(const Step&)> posted(WatchedWork& watch, const ProgressCallback& callback) {
  if (!callback) return {};
  return [&watch, &callback](const Step& step) {
    watch.post([&callback, step] { (*callback)(step); });
  };
}

/// The same for steps of several groups: Python receives the name of the group as well.
template <typename Step>
std::function<void(std::string_view, const Step&)> posted_with_group(
    WatchedWork& watch, const ProgressCallback& callback) {
  if (!callback) return {};
  return [&watch, &callback](std::string_view group, const Step& step) {
    watch.post([&callback, name = std::string(group), step] { (*callback)(name, step); });
  };
}

}  // namespace lbw::python
