// SPDX-License-Identifier: MIT
#include "worker/gmm_full.hpp"

#include <omp.h>

#include <armadillo>
#include <chrono>
#include <stdexcept>

namespace lbw::bench {
namespace {

/// Armadillo stores samples as columns, which have the same bytes as our rows.
arma::mat columns_of(const GmmProblem& problem) {
  return {const_cast<double*>(problem.samples), problem.n_features, problem.n_samples, false, true};
}

arma::gmm_full model_of(const GmmProblem& problem) {
  const std::size_t d = problem.n_features;
  const std::size_t k = problem.n_components;
  arma::gmm_full model;
  model.set_params(arma::mat(problem.means, d, k), arma::cube(problem.covariances, d, d, k),
                   arma::rowvec(problem.weights, k));
  return model;
}

}  // namespace

double gmm_full_seconds(const GmmProblem& problem, int n_threads) {
  omp_set_num_threads(n_threads);
  const arma::mat samples = columns_of(problem);
  arma::gmm_full model = model_of(problem);
  constexpr arma::uword kmeans_steps = 0;
  constexpr arma::uword em_steps = 1;
  const auto start = std::chrono::steady_clock::now();
  if (!model.learn(samples, problem.n_components, arma::maha_dist, arma::keep_existing,
                   kmeans_steps, em_steps, 1e-10, false)) {
    throw std::runtime_error("gmm_full::learn failed");
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double gmm_full_log_likelihood(const GmmProblem& problem, int n_threads) {
  omp_set_num_threads(n_threads);
  return model_of(problem).avg_log_p(columns_of(problem));
}

std::string armadillo_version() {
  const std::string version = arma::arma_version::as_string();
  return version.substr(0, version.find(' '));  // without its nickname
}

}  // namespace lbw::bench
