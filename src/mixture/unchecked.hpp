// SPDX-License-Identifier: MIT
// Functions of <lbw/mixture.hpp> for mixtures that were checked before. Samples are checked.
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

[[nodiscard]] Vector log_density_unchecked(const Mixture& mixture, SampleView samples,
                                           const Execution& execution);

[[nodiscard]] double mean_log_likelihood_unchecked(const Mixture& mixture, SampleView samples,
                                                   const Execution& execution);

}  // namespace lbw
