// SPDX-License-Identifier: MIT
// Information criteria for a known likelihood.
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

[[nodiscard]] double aic_of(const Mixture& mixture, double mean_log_likelihood, Index n_samples);
[[nodiscard]] double bic_of(const Mixture& mixture, double mean_log_likelihood, Index n_samples);

}  // namespace lbw
