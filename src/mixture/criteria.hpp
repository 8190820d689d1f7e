// SPDX-License-Identifier: MIT
// Information criteria from a likelihood that is already known.
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

[[nodiscard]] double aic_of(const Mixture& mixture, double mean_log_likelihood, Index n_samples);
[[nodiscard]] double bic_of(const Mixture& mixture, double mean_log_likelihood, Index n_samples);

}  // namespace lbw
