// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/fit_mixture.hpp>
#include <optional>

#include "watched.hpp"

namespace lbw::python {

/// A Python callable that is told of every step of a fit, or None.
using ProgressCallback = std::optional<nb::callable>;

}  // namespace lbw::python
