// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "micro/inputs.hpp"
#include "worker/fma_peak.hpp"

namespace lbw::bench {
namespace {

constexpr Index n_samples = 100'000;
constexpr Index n_components = 20;

/// One pass of EM: responsibilities and moment sums of all samples, then the next mixture.
void EmPass(benchmark::State& state) {
  const Mixture mixture = random_mixture(n_components, state.range(0), 1);
  const RowMatrix samples = sample(mixture, n_samples, 2).samples;
  const Execution execution = {.n_threads = static_cast<int>(state.range(1))};
  for (auto _ : state) {
    const MomentSums sums = moment_sums(mixture, samples, {}, execution);
    benchmark::DoNotOptimize(next_mixture(mixture, sums, 1e-6));
  }
  state.SetItemsProcessed(state.iterations() * n_samples);
}
BENCHMARK(EmPass)
    ->ArgNames({"d", "threads"})
    ->ArgsProduct({{2, 10}, {1, 2}})
    ->UseRealTime()  // processor time would hide the gain of threads
    ->Unit(benchmark::kMillisecond);

/// Components so close that every sample belongs to all of them, so that nothing can be left out.
Mixture overlapping_mixture(Index k, Index d) {
  const Matrix covariance = random_gaussian(d, 1).covariance;
  const RowMatrix means = normal_matrix(k, d, 2) * (0.3 / std::sqrt(static_cast<double>(d)));
  return {CovarianceType::full, Vector::Constant(k, 1.0 / static_cast<double>(k)), means,
          std::vector<Matrix>(static_cast<std::size_t>(k), covariance)};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Multiply-adds per second, counted as two operations each, on this number of threads.
double peak(bool single, int n_threads) {
  constexpr std::int64_t rounds = 3'000'000;
  const auto run = single ? run_multiply_adds_f32 : run_multiply_adds_f64;
  std::vector<double> operations(static_cast<std::size_t>(n_threads));
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (double& own : operations) threads.emplace_back([&own, run] { own = run(rounds); });
  }
  return std::accumulate(operations.begin(), operations.end(), 0.0) / seconds_since(start);
}

/// The E-step and the moment sums of many features. The column `share` is the fraction of the peak
/// rate of multiply-adds, measured in the same run, if one pass counts 4 F k n operations with
/// F = (d + 1) (d + 2) / 2.
void EmSums(benchmark::State& state) {
  const Index d = state.range(0);
  const bool single = state.range(1) == 32;
  const int n_threads = static_cast<int>(state.range(2));
  const Index n = std::max<Index>(8192, 2'000'000 / (d * d) * 64 / 1024 * 1024);
  const Mixture mixture = overlapping_mixture(n_components, d);
  const RowMatrix samples = sample(mixture, n, 2).samples;
  const Execution execution = {.n_threads = n_threads};
  const Precision precision = single ? Precision::f32 : Precision::f64;
  double best_peak = 0.0;
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    state.PauseTiming();
    best_peak = std::max(best_peak, peak(single, n_threads));
    const auto start = std::chrono::steady_clock::now();
    state.ResumeTiming();
    benchmark::DoNotOptimize(moment_sums(mixture, samples, {}, execution, precision));
    fastest = std::min(fastest, seconds_since(start));
  }
  const double operations = 2.0 * static_cast<double>((d + 1) * (d + 2) * n_components * n);
  state.counters["share"] = operations / fastest / best_peak;
}
BENCHMARK(EmSums)
    ->ArgNames({"d", "bits", "threads"})
    ->ArgsProduct({{10, 16, 30, 32, 64, 128, 256, 512}, {64, 32}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// A whole fit of the size in the paper: 10^4 points of the plane, 20 components.
void FitMixture(benchmark::State& state) {
  const RowMatrix samples = sample(random_mixture(n_components, 2, 1), 10'000, 2).samples;
  MixtureOptions options;
  options.n_components = static_cast<int>(n_components);
  options.execution.n_threads = 1;
  for (auto _ : state) benchmark::DoNotOptimize(fit_mixture(samples, options));
}
BENCHMARK(FitMixture)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lbw::bench
