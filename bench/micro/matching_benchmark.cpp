// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "micro/inputs.hpp"

namespace lbw::bench {
namespace {

/// Squared distances between two clouds of k means in ten dimensions, as Algorithm 2 has them.
void Match(benchmark::State& state) {
  const Index n_components = state.range(0);
  const RowMatrix first = normal_matrix(n_components, 10, 1);
  const RowMatrix second = normal_matrix(n_components, 10, 2);
  RowMatrix cost(n_components, n_components);
  for (Index i = 0; i < n_components; ++i) {
    cost.row(i) = (second.rowwise() - first.row(i)).rowwise().squaredNorm().transpose();
  }
  for (auto _ : state) benchmark::DoNotOptimize(match(cost));
}
BENCHMARK(Match)->ArgName("k")->Arg(20)->Arg(200)->Arg(1000)->Arg(3000)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace lbw::bench
