// SPDX-License-Identifier: MIT
// The C++ peer: a worker with Armadillo's gmm_full that reads the same requests as ours.
#include "worker/gmm_full.hpp"
#include "worker/inputs.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

GmmProblem problem_of(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const std::string prefix = request.at("mixture");
  const RowMatrix& means = array(prefix + ".means.npy");
  return {.n_samples = static_cast<std::size_t>(samples.rows()),
          .n_features = static_cast<std::size_t>(samples.cols()),
          .n_components = static_cast<std::size_t>(means.rows()),
          .samples = samples.data(),
          .weights = array(prefix + ".weights.npy").data(),
          .means = means.data(),
          .covariances = array(prefix + ".covariances.npy").data()};
}

Json gmm_full_iteration(const Json& request) {
  const GmmProblem problem = problem_of(request);
  const int n_threads = request.at("threads");
  Json checks = Json::object();
  if (request.value("check", false)) {
    checks["log_likelihood"] = gmm_full_log_likelihood(problem, n_threads);
  }
  return {{"seconds", gmm_full_seconds(problem, n_threads)}, {"checks", checks}};
}

Json about_armadillo(const Json&) { return {{"version", armadillo_version()}}; }

}  // namespace
}  // namespace lbw::bench

int main() {
  using namespace lbw::bench;
  return serve({{"about", about_armadillo}, {"em_iteration", gmm_full_iteration}});
}
