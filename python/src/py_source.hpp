// SPDX-License-Identifier: MIT
// Sources of rows that Python objects provide.
#pragma once

#include <nanobind/nanobind.h>

#include <lbw/sample_source.hpp>
#include <memory>

#include "watched.hpp"

namespace lbw::python {

namespace nb = nanobind;

/// A source that calls the methods of a Python object: summary() -> dict, rows(indices) -> (X,
/// weights or None) and moment_sums(mixture, precision, part, seed) -> bytes, and if it has them,
/// begin() and end(). Every call takes the interpreter lock. Their exceptions end the fit.
/// @param source  must outlive the result
[[nodiscard]] std::unique_ptr<SampleSource> source_of(nb::handle source);

/// Lets the work call check() of the source, if it has this method, a few times per second. An
/// exception ends the work.
void poll_source(WatchedWork& watch, nb::handle source);

}  // namespace lbw::python
