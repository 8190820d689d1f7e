// SPDX-License-Identifier: MIT
// Information criteria for a known likelihood of a number of samples, which may be weighted.
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

[[nodiscard]] double aic_of(const Mixture& mixture, double mean_log_likelihood, double n_samples);
[[nodiscard]] double bic_of(const Mixture& mixture, double mean_log_likelihood, double n_samples);

}  // namespace lbw
