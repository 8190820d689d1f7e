// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <vector>

#include "micro/inputs.hpp"

namespace lbw::bench {
namespace {

void GaussianMap(benchmark::State& state) {
  const Index n_features = state.range(0);
  const Gaussian source = random_gaussian(n_features, 1);
  const Gaussian target = random_gaussian(n_features, 2);
  for (auto _ : state) benchmark::DoNotOptimize(gaussian_map(source, target));
}
BENCHMARK(GaussianMap)->ArgName("d")->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

/// A thousand maps in one call.
void GaussianMaps(benchmark::State& state) {
  const Index n_features = state.range(0);
  std::vector<Gaussian> sources;
  std::vector<Gaussian> targets;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    sources.push_back(random_gaussian(n_features, 4 * i));
    targets.push_back(random_gaussian(n_features, 4 * i + 2));
  }
  const Execution execution{.n_threads = static_cast<int>(state.range(1))};
  for (auto _ : state) benchmark::DoNotOptimize(gaussian_maps(sources, targets, execution));
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(GaussianMaps)
    ->ArgNames({"d", "threads"})
    ->ArgsProduct({{2, 10, 30}, {1, 2}})
    ->UseRealTime()  // processor time would hide the gain of threads
    ->Unit(benchmark::kMillisecond);

void SquaredDistance(benchmark::State& state) {
  const Index n_features = state.range(0);
  const Gaussian first = random_gaussian(n_features, 1);
  const Gaussian second = random_gaussian(n_features, 2);
  for (auto _ : state) benchmark::DoNotOptimize(squared_distance(first, second));
}
BENCHMARK(SquaredDistance)->ArgName("d")->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

/// The closed form.
void BarycenterOfTwo(benchmark::State& state) {
  const Index n_features = state.range(0);
  const std::array<Gaussian, 2> gaussians = {random_gaussian(n_features, 1),
                                             random_gaussian(n_features, 2)};
  const std::array<double, 2> weights = {0.25, 0.75};
  for (auto _ : state) benchmark::DoNotOptimize(barycenter(gaussians, weights));
}
BENCHMARK(BarycenterOfTwo)->ArgName("d")->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

/// Three Gaussians, so that the fixed point runs. Two have a closed form.
void Barycenter(benchmark::State& state) {
  const Index n_features = state.range(0);
  const std::array<Gaussian, 3> gaussians = {random_gaussian(n_features, 1),
                                             random_gaussian(n_features, 2),
                                             random_gaussian(n_features, 3)};
  const std::array<double, 3> weights = {0.5, 0.25, 0.25};
  int iterations = 0;
  for (auto _ : state) iterations = barycenter(gaussians, weights).iterations;
  state.counters["iterations"] = iterations;
}
BENCHMARK(Barycenter)->ArgName("d")->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lbw::bench
