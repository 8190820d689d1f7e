// SPDX-License-Identifier: MIT
// Sources of rows that Python objects provide.
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/sample_source.hpp>
#include <memory>

namespace lbw::python {

namespace nb = nanobind;

/// A source that calls the methods of a Python object: summary() -> dict, rows(indices) -> (X,
/// weights or None) and moment_sums(mixture, precision, part, seed) -> bytes, and if it has them,
/// begin() and end(). Every call takes the interpreter lock. Their exceptions end the fit.
/// @param source  must outlive the result
[[nodiscard]] std::unique_ptr<SampleSource> source_of(nb::handle source);

}  // namespace lbw::python
