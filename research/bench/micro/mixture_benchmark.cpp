// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "micro/inputs.hpp"

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
