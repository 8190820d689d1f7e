// SPDX-License-Identifier: MIT
// Includes all public headers of lbw.
#pragma once

#include <lbw/assignment.hpp>
#include <lbw/deprecated.hpp>
#include <lbw/dither.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/fit_transport.hpp>
#include <lbw/gaussian.hpp>
#include <lbw/io.hpp>
#include <lbw/matrix.hpp>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/options.hpp>
#include <lbw/parity.hpp>
#include <lbw/picture.hpp>
#include <lbw/quantile.hpp>
#include <lbw/report.hpp>
#include <lbw/sample_source.hpp>
#include <lbw/samples.hpp>
#include <lbw/suggestion.hpp>
#include <lbw/tensor_file.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
