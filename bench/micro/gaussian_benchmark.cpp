// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <array>

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

void SquaredDistance(benchmark::State& state) {
  const Index n_features = state.range(0);
  const Gaussian first = random_gaussian(n_features, 1);
  const Gaussian second = random_gaussian(n_features, 2);
  for (auto _ : state) benchmark::DoNotOptimize(squared_distance(first, second));
}
BENCHMARK(SquaredDistance)->ArgName("d")->Arg(2)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

/// Three Gaussians, so that the fixed point runs; two take the closed form.
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
