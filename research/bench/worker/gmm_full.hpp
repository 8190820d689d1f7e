// SPDX-License-Identifier: MIT
// Armadillo's mixture on plain arrays. It is compiled for this machine only. Eigen types must not
// be passed to code that is compiled with other flags, because their alignment differs.
#pragma once

#include <cstddef>
#include <string>

namespace lbw::bench {

struct GmmProblem {  // samples, means and covariances in row-major order, as in NumPy
  std::size_t n_samples = 0;
  std::size_t n_features = 0;
  std::size_t n_components = 0;
  const double* samples = nullptr;
  const double* weights = nullptr;
  const double* means = nullptr;
  const double* covariances = nullptr;
};

/// Seconds of one EM iteration of arma::gmm_full. @throws std::runtime_error if it fails
double gmm_full_seconds(const GmmProblem& problem, int n_threads);

/// Mean log-likelihood of the samples under the start.
double gmm_full_log_likelihood(const GmmProblem& problem, int n_threads);

std::string armadillo_version();

}  // namespace lbw::bench
