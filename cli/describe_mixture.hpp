// SPDX-License-Identifier: MIT
// A Gaussian mixture of a model file, as text and as JSON.
#pragma once

#include <lbw/io.hpp>
#include <string>

#include "cli/output.hpp"

namespace lbw::cli {

[[nodiscard]] std::string describe(const MixtureModel& model);
[[nodiscard]] Json to_json(const MixtureModel& model);

}  // namespace lbw::cli
