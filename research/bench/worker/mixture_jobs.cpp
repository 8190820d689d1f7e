// SPDX-License-Identifier: MIT
#include <lbw/lbw.hpp>
#include <optional>
#include <vector>

#include "worker/inputs.hpp"
#include "worker/jobs.hpp"
#include "worker/memory.hpp"

namespace lbw::bench {
namespace {

using Clock = std::chrono::steady_clock;

Precision precision_of(const Json& request) {
  return enum_from<Precision>(request.value("precision", "f64"));
}

MixtureOptions options_of(const Json& request) {
  MixtureOptions options;
  options.n_components = request.at("k");
  options.seed = request.value("seed", 0);
  options.execution.n_threads = request.at("threads");
  if (request.contains("steps")) {  // exactly this number
    options.max_iterations = request["steps"];
    options.tolerance = 0.0;
  }
  options.precision = precision_of(request);
  return options;
}

/// Sum of the squared distances of the samples to their nearest mean.
double inertia(const RowMatrix& samples, const RowMatrix& means) {
  double total = 0.0;
  for (Index i = 0; i < samples.rows(); ++i) {
    total += (means.rowwise() - samples.row(i)).rowwise().squaredNorm().minCoeff();
  }
  return total;
}

/// The k-means start alone, with the likelihood of its mixture.
MixtureFit kmeans_start(const RowMatrix& samples, MixtureOptions options) {
  options.max_iterations = 0;
  return fit_mixture(samples, options);
}

}  // namespace

/// Time of one EM iteration within a fit: between the ends of successive steps. If `mapped`, the
/// samples stay in their file.
Json em_iteration_job(const Json& request) {
  std::optional<NpySamples> file;
  if (request.value("mapped", false)) file.emplace(request.at("samples").get<std::string>());
  const SampleView samples = file ? file->samples() : SampleView(array(request.at("samples")));
  MixtureOptions options = options_of(request);
  options.initial = read_mixture(request.at("mixture"));
  std::vector<Clock::time_point> ends;
  options.on_iteration = [&ends](const FitProgress&) { ends.push_back(Clock::now()); };
  const MixtureFit fit = fit_mixture(samples, options);
  const std::chrono::duration<double> taken = ends.back() - ends.front();
  return {{"seconds", taken.count() / static_cast<double>(ends.size() - 1)},
          {"checks", {{"log_likelihood", fit.history.front()}}}};
}

/// A separate pass: moment sums of all samples, then the next mixture.
Json em_pass_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const Mixture mixture = read_mixture(request.at("mixture"));
  const Execution execution = {.n_threads = request.at("threads")};
  MomentSums sums;
  NextMixture next;
  const double seconds = seconds_of([&] {
    sums = moment_sums(mixture, samples, {}, execution, precision_of(request));
    next = next_mixture(mixture, sums, 1e-6);
  });
  return {{"seconds", seconds},
          {"checks", {{"log_likelihood", sums.log_likelihood / sums.weight}}}};
}

/// Fits each of the files in `groups`, from the mixtures in `starts` if given. The log-likelihood
/// of the files in `heldout` is not timed.
Json fit_job(const Json& request) {
  const auto groups = request.at("groups").get<std::vector<std::string>>();
  const auto heldout = request.at("heldout").get<std::vector<std::string>>();
  std::vector<MixtureOptions> options(groups.size(), options_of(request));
  for (std::size_t i = 0; request.contains("starts") && i < groups.size(); ++i) {
    options[i].initial = read_mixture(request["starts"].at(i));
  }
  std::vector<MixtureFit> fits(groups.size());
  for (const std::string& group : groups) array(group);  // reading is not timed
  const double seconds = seconds_of([&] {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      fits[i] = fit_mixture(array(groups[i]), options[i]);
    }
  });
  double log_likelihood = 0.0;
  double heldout_log_likelihood = 0.0;
  int iterations = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const auto share = 1.0 / static_cast<double>(fits.size());
    log_likelihood += share * fits[i].mean_log_likelihood;
    heldout_log_likelihood += share * mean_log_likelihood(fits[i].mixture, array(heldout[i]));
    iterations += fits[i].iterations;
  }
  return {{"seconds", seconds},
          {"checks",
           {{"log_likelihood", log_likelihood},
            {"heldout_log_likelihood", heldout_log_likelihood},
            {"iterations", iterations}}}};
}

/// The memory that a fit uses in addition to its input, in a fresh process.
Json fit_memory_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const MixtureOptions options = options_of(request);
  reset_peak();
  const double before = resident_bytes();
  const double seconds = seconds_of([&] { static_cast<void>(fit_mixture(samples, options)); });
  const double n_bytes = static_cast<double>(samples.size()) * sizeof(double);
  return {{"seconds", seconds},
          {"checks", {{"extra_bytes", peak_resident_bytes() - before}, {"input_bytes", n_bytes}}}};
}

Json kmeans_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const MixtureOptions options = options_of(request);
  MixtureFit fit;
  const double seconds = seconds_of([&] { fit = kmeans_start(samples, options); });
  return {{"seconds", seconds}, {"checks", {{"inertia", inertia(samples, fit.mixture.means)}}}};
}

}  // namespace lbw::bench
