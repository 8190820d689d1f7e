// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/fit_mixture.hpp>
#include <optional>

#include "watched.hpp"

namespace lbw::python {

/// A Python callable that receives every step of a fit, or None.
using ProgressCallback = std::optional<nb::callable>;

}  // namespace lbw::python
