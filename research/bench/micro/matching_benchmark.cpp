// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "micro/inputs.hpp"

namespace lbw::bench {
namespace {

/// Squared distances between two sets of k means in ten dimensions, as in Algorithm 2.
RowMatrix costs_between_means(Index n_components) {
  const RowMatrix first = normal_matrix(n_components, 10, 1);
  const RowMatrix second = normal_matrix(n_components, 10, 2);
  RowMatrix cost(n_components, n_components);
  for (Index i = 0; i < n_components; ++i) {
    cost.row(i) = (second.rowwise() - first.row(i)).rowwise().squaredNorm().transpose();
  }
  return cost;
}

void Match(benchmark::State& state) {
  const RowMatrix cost = costs_between_means(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(match(cost));
}
BENCHMARK(Match)->ArgName("k")->Arg(20)->Arg(200)->Arg(1000)->Arg(3000)->Unit(
    benchmark::kMillisecond);

/// The same costs, with weights that differ by at most a factor of three.
void TransportPlan(benchmark::State& state) {
  const RowMatrix cost = costs_between_means(state.range(0));
  Random random(3);
  Vector weights[2];
  for (Vector& side : weights) {
    side.resize(state.range(0));
    for (double& weight : side) weight = 0.5 + random.uniform();
    side /= side.sum();
  }
  for (auto _ : state) benchmark::DoNotOptimize(transport_plan(cost, weights[0], weights[1]));
}
BENCHMARK(TransportPlan)->ArgName("k")->Arg(20)->Arg(200)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lbw::bench
