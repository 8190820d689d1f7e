// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <lbw/quantile.hpp>
#include <lbw/types.hpp>
#include <tuple>

#include "arrays.hpp"
#include "bind.hpp"
#include "groups.hpp"
#include "interpreter_lock.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

using MapState = std::tuple<VectorOut, VectorOut, double>;

std::vector<QuantileMap> fit_arrays(const std::vector<VectorArray>& values,
                                    const WeightList& sample_weights,
                                    const std::vector<double>& barycentric_weights, double amount,
                                    int n_levels, int n_threads) {
  if (!sample_weights.empty() && sample_weights.size() != values.size()) {
    throw InvalidArgument("fit_quantile_maps: values and sample_weights have different lengths");
  }
  std::vector<QuantileGroup> groups(values.size());
  for (std::size_t g = 0; g < values.size(); ++g) {
    groups[g].values = {values[g].data(), values[g].size()};
    if (!sample_weights.empty()) groups[g].sample_weights = span_of(sample_weights[g]);
  }
  const Unlocked unlocked;
  return fit_quantile_maps(groups, {.barycentric_weights = barycentric_weights,
                                    .amount = amount,
                                    .n_levels = n_levels,
                                    .execution = {.n_threads = n_threads}});
}

VectorOut apply_arrays(const QuantileMap& map, const VectorArray& values, int n_threads) {
  const std::span<const double> span(values.data(), values.size());
  const SampleView view(values.data(), std::ssize(span), 1, 1);
  return vector_to_numpy(watched(view, [&](const std::stop_token& stop) {
    return apply_quantile_map(map, span, {.n_threads = n_threads, .stop = stop});
  }));
}

/// The map is checked when it is applied.
QuantileMap map_of(const VectorArray& source, const VectorArray& target, double amount) {
  return {.source = {vector_of(source)}, .target = {vector_of(target)}, .amount = amount};
}

}  // namespace

void bind_quantile_map(nb::module_& m) {
  m.attr("default_quantile_levels") = default_quantile_levels;
  nb::class_<QuantileMap>(m, "QuantileMap", "A monotone map between two distributions on the line.")
      .def(
          "__init__",
          [](QuantileMap* self, const VectorArray& source, const VectorArray& target,
             double amount) { new (self) QuantileMap(map_of(source, target, amount)); },
          "source"_a, "target"_a, "amount"_a = 1.0)
      .def_prop_ro(
          "source", [](const QuantileMap& map) { return vector_to_numpy(map.source.values); },
          owned)
      .def_prop_ro(
          "target", [](const QuantileMap& map) { return vector_to_numpy(map.target.values); },
          owned)
      .def_ro("amount", &QuantileMap::amount)
      .def("__getstate__",
           [](const QuantileMap& map) {
             return MapState(vector_to_numpy(map.source.values), vector_to_numpy(map.target.values),
                             map.amount);
           })
      .def("__setstate__",
           [](QuantileMap& self, const std::tuple<VectorArray, VectorArray, double>& state) {
             new (&self) QuantileMap(std::apply(map_of, state));
           });
  m.def("fit_quantile_maps", &fit_arrays, "values"_a, "sample_weights"_a = WeightList{},
        "barycentric_weights"_a = std::vector<double>{}, "amount"_a = 1.0,
        "n_levels"_a = default_quantile_levels, "n_threads"_a = 0,
        "Fit one map per group, to the barycenter of all groups.");
  m.def("apply_quantile_map", &apply_arrays, "map"_a, "values"_a, "n_threads"_a = 0,
        "Transport values, including out-of-sample values.");
}

}  // namespace lbw::python
