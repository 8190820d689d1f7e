// SPDX-License-Identifier: MIT
#include "mixture/criteria.hpp"

#include <cmath>

namespace lbw {

double aic_of(const Mixture& mixture, double mean_log_likelihood, double n_samples) {
  return 2.0 * static_cast<double>(n_parameters(mixture)) - 2.0 * n_samples * mean_log_likelihood;
}

double bic_of(const Mixture& mixture, double mean_log_likelihood, double n_samples) {
  return static_cast<double>(n_parameters(mixture)) * std::log(n_samples) -
         2.0 * n_samples * mean_log_likelihood;
}

double aic(const Mixture& mixture, SampleView samples, const Execution& execution) {
  return aic_of(mixture, mean_log_likelihood(mixture, samples, execution),
                static_cast<double>(samples.n_samples()));
}

double bic(const Mixture& mixture, SampleView samples, const Execution& execution) {
  return bic_of(mixture, mean_log_likelihood(mixture, samples, execution),
                static_cast<double>(samples.n_samples()));
}

}  // namespace lbw
