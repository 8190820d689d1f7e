// SPDX-License-Identifier: MIT
#include <lbw/fit_mixture.hpp>

namespace lbw {

std::vector<Option> options_of(MixtureOptions& options) {
  return {
      integer_option("n_components", options.n_components, {.least = 1},
                     "Number of components of every mixture"),
      choice_option("covariance_type", options.covariance_type, "Shape of the covariances"),
      number_option("covariance_floor", options.covariance_floor, {.least = 0.0},
                    "Added to every variance, in squared units of the data"),
      number_option("relative_covariance_floor", options.relative_covariance_floor, {.least = 0.0},
                    "Regularization relative to each feature's variance: this fraction of it, such "
                    "as 0.01, is added to every variance"),
      fraction_option("shrinkage", options.shrinkage,
                      "Shrink covariances towards equal variances, for many features: a number "
                      "from 0 (none) to 1, or auto to choose it from the number of samples"),
      number_option("tolerance", options.tolerance, {.least = 0.0},
                    "Stop EM once a step changes the mean log-likelihood by less than this"),
      integer_option("max_iterations", options.max_iterations, {.least = 0},
                     "Maximum number of EM steps"),
      integer_option("n_init", options.n_init, {.least = 1},
                     "Number of independent fits; the one with the best likelihood is kept"),
      choice_option("start", options.start, "Initialization of EM"),
      integer_option("start_samples", options.start_samples, {.least = 1}, "auto",
                     "Number of samples in the first stage of EM, before it uses all of them; all "
                     "uses every sample from the first step"),
      choice_option("precision", options.precision,
                    "Precision of EM; sums are always in double precision"),
      integer_option("seed", options.seed, "Seed of all random numbers"),
  };
}

}  // namespace lbw
