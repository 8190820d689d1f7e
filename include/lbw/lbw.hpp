// SPDX-License-Identifier: MIT
// Includes all public headers of lbw.
#pragma once

#include <lbw/assignment.hpp>
#include <lbw/covariance_layout.hpp>
#include <lbw/deprecated.hpp>
#include <lbw/dither.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/fit_transport.hpp>
#include <lbw/gaussian.hpp>
#include <lbw/matrix.hpp>
#include <lbw/mixture.hpp>
#include <lbw/model_io.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/moment_sums_io.hpp>
#include <lbw/options.hpp>
#include <lbw/picture.hpp>
#include <lbw/quantile.hpp>
#include <lbw/report.hpp>
#include <lbw/report_columns.hpp>
#include <lbw/sample_source.hpp>
#include <lbw/samples.hpp>
#include <lbw/table_io.hpp>
#include <lbw/text.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
