// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "micro/inputs.hpp"

namespace lbw::bench {
namespace {

constexpr Index n_samples = 100'000;
constexpr int n_components = 20;

LocalMap random_map(Index n_features) {
  LocalMap map;
  map.source = random_mixture(n_components, n_features, 1);
  const Mixture target = random_mixture(n_components, n_features, 2);
  for (int i = 0; i < n_components; ++i) {
    map.pieces.push_back({i, 1.0, gaussian_map(map.source.component(i), target.component(i))});
  }
  return map;
}

/// New points, by each kind of map: 0 hard (Eq. 8-9), 1 soft, 2 random.
void Transport(benchmark::State& state) {
  LocalMap map = random_map(state.range(0));
  map.kind = static_cast<MapKind>(state.range(2));
  const RowMatrix samples = sample(map.source, n_samples, 3).samples;
  const Execution execution = {.n_threads = static_cast<int>(state.range(1))};
  for (auto _ : state) benchmark::DoNotOptimize(transport(map, samples, execution));
  state.SetItemsProcessed(state.iterations() * n_samples);
}
BENCHMARK(Transport)
    ->ArgNames({"d", "threads", "kind"})
    ->ArgsProduct({{2, 10}, {1, 2}, {0, 1, 2}})
    ->UseRealTime()  // processor time would hide the gain of threads
    ->Unit(benchmark::kMillisecond);

/// New points, through the steps of a refinement.
void RefinedTransport(benchmark::State& state) {
  const Index n_features = state.range(0);
  const RowMatrix first = normal_matrix(n_samples, n_features, 1);
  const RowMatrix second = normal_matrix(n_samples, n_features, 2).array().exp();
  TransportOptions options;
  options.refine = static_cast<int>(state.range(2));
  const TransportModel model =
      fit_transport(std::vector<Group>{{"a", first}, {"b", second}}, options);
  const LocalMap map = map_to_barycenter(model, "b", std::vector<double>{0.5, 0.5});
  const Execution execution = {.n_threads = static_cast<int>(state.range(1))};
  for (auto _ : state) benchmark::DoNotOptimize(transport(map, second, execution));
  state.SetItemsProcessed(state.iterations() * n_samples);
}
BENCHMARK(RefinedTransport)
    ->ArgNames({"d", "threads", "steps"})
    ->ArgsProduct({{2, 10}, {1, 2}, {0, 10}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lbw::bench
