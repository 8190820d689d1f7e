// SPDX-License-Identifier: MIT
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "groups.hpp"
#include "interpreter_lock.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

/// Whether a fit is too short to justify a separate thread.
bool is_short(std::span<const Group> groups, const TransportOptions& options) {
  const std::vector<int>& numbers = options.n_components_per_group;
  const bool one_each = numbers.empty()
                            ? options.mixture.n_components == 1
                            : std::ranges::all_of(numbers, [](int number) { return number == 1; });
  Index n_products = 0;
  for (const Group& group : groups) n_products += products_of_moments(group.samples);
  return one_each && options.refine == 0 && is_short_work(n_products);
}

TransportModel fit_watched(const std::vector<std::string>& names,
                           const std::vector<SampleArray>& samples, const TransportOptions& asked,
                           const WeightList& sample_weights, const ProgressCallback& on_iteration,
                           const KeyList& keys) {
  const std::vector<Group> groups =
      groups_of(names, samples, sample_weights, "fit_transport", keys);
  TransportOptions options = asked;
  WatchedWork watch;
  options.on_iteration = posted_with_group<FitProgress>(watch, on_iteration);
  if (!on_iteration && is_short(groups, options)) {
    const Unlocked unlocked;
    return fit_transport(groups, options);
  }
  TransportModel model;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    model = fit_transport(groups, options);
  });
  return model;
}

void transport_floats(const LocalMap& map, SampleView samples, float* out,
                      const Execution& execution, std::span<const std::uint64_t> keys) {
  Eigen::Map<RowMatrixF> transported(out, samples.n_samples(), samples.n_features());
  Index first = 0;
  const auto take = [&](const RowMatrix& batch) {
    transported.middleRows(first, batch.rows()) = batch.cast<float>();
    first += batch.rows();
  };
  transport_in_batches(map, samples, take, execution, keys);
}

/// Transports samples into an array of the same shape and type. NumPy allocates the array, because
/// it uses large pages.
void transport_arrays(const LocalMap& map, const SampleArray& samples, const OutputArray& out,
                      int n_threads, const std::optional<KeyArray>& keys) {
  const SampleView view = view_of(samples, "samples");
  if (out.shape(0) != samples.shape(0) || out.shape(1) != samples.shape(1) ||
      out.dtype() != samples.dtype()) {
    throw InvalidArgument("transport_into: out must have the shape and type of the samples");
  }
  watched(view, [&](const std::stop_token& stop) {
    const Execution execution{.n_threads = n_threads, .stop = stop};
    if (view.is_float()) {
      transport_floats(map, view, static_cast<float*>(out.data()), execution, span_of(keys));
    } else {
      Eigen::Map<RowMatrix> transported(static_cast<double*>(out.data()), view.n_samples(),
                                        view.n_features());
      transport_into(map, view, transported, execution, span_of(keys));
    }
    return true;
  });
}

/// @param rows  components of the source, ascending, each at least once
LocalMap map_of_plan(const Mixture& source, const Mixture& target, const std::vector<int>& rows,
                     const std::vector<int>& columns, const std::vector<double>& masses,
                     const std::string& kind, std::uint64_t seed) {
  std::vector<Gaussian> sources;
  std::vector<Gaussian> targets;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sources.push_back(source.component(rows[i]));
    targets.push_back(target.component(columns.at(i)));
  }
  const std::vector<AffineMap> maps = gaussian_maps(sources, targets);
  LocalMap map{.source = source, .pieces = {}, .kind = enum_from<MapKind>(kind), .seed = seed};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double share = masses.at(i) / source.weights[rows[i]];
    map.pieces.push_back({.component = rows[i], .share = share, .map = maps[i]});
  }
  return map;
}

IntegersOut tuples_to_numpy(const TransportModel& model) {
  const auto& tuples = model.coupling.tuples;
  const auto n_tuples = static_cast<std::size_t>(tuples.rows());
  const auto n_groups = static_cast<std::size_t>(tuples.cols());
  return integers_to_numpy({tuples.data(), n_tuples * n_groups}, {n_tuples, n_groups});
}

/// The cells (n_cells, 2) of every feature; empty if no feature has any.
std::vector<MatrixOut> cells_to_numpy(const TransportModel& model) {
  std::vector<MatrixOut> features;
  for (const auto& [lower, upper] : model.dither_cells) {
    RowMatrix bounds(std::ssize(lower), 2);
    for (Index i = 0; i < bounds.rows(); ++i) {
      bounds(i, 0) = lower[static_cast<std::size_t>(i)];
      bounds(i, 1) = upper[static_cast<std::size_t>(i)];
    }
    features.push_back(matrix_to_numpy(std::move(bounds)));
  }
  return features;
}

void bind_transport_options(nb::module_& m) {
  nb::class_<TransportOptions> options(m, "TransportOptions",
                                       "Options of fitting and coupling groups.");
  options.def(nb::init<>())
      .def_rw("mixture", &TransportOptions::mixture)
      .def_rw("n_components_per_group", &TransportOptions::n_components_per_group)
      .def_rw("refine_weights", &TransportOptions::refine_weights)
      .def_rw("reference", &TransportOptions::reference)
      .def_rw("feature_names", &TransportOptions::feature_names);
  bind_options(options);
  nb::class_<GroupReport>(m, "GroupReport", "A summary of the fit of one group.")
      .def_ro("n_samples", &GroupReport::n_samples)
      .def_prop_ro("count", &GroupReport::count)
      .def_ro("mean_log_likelihood", &GroupReport::mean_log_likelihood)
      .def_ro("iterations", &GroupReport::iterations)
      .def_ro("converged", &GroupReport::converged)
      .def_ro("replaced_components", &GroupReport::replaced_components);
}

void bind_model(nb::module_& m) {
  nb::class_<TransportModel>(m, "TransportModel", "Mixtures of groups and their coupling.")
      .def_ro("group_names", &TransportModel::group_names)
      .def_ro("feature_names", &TransportModel::feature_names)
      .def_ro("mixtures", &TransportModel::mixtures)
      .def_ro("kept_groups", &TransportModel::kept_groups)
      .def_ro("reports", &TransportModel::reports)
      .def_ro("mixture_options", &TransportModel::mixture_options)
      .def_rw("notes", &TransportModel::notes)
      .def_prop_ro("reference",
                   [](const TransportModel& model) { return model.coupling.reference; })
      .def_prop_ro("coupling",
                   [](const TransportModel& model) { return to_string(model.coupling.method); })
      .def_prop_ro("cost",
                   [](const TransportModel& model) { return to_string(model.coupling.cost); })
      .def_prop_ro("map", [](const TransportModel& model) { return to_string(model.map); })
      .def_prop_ro(
          "dither", [](const TransportModel& model) { return vector_to_numpy(model.dither); },
          owned)
      .def_prop_ro("scale_features",
                   [](const TransportModel& model) { return model.scales.size() > 0; })
      .def_prop_ro("dither_cells", &cells_to_numpy, owned)
      .def_prop_ro("refine",
                   [](const TransportModel& model) { return model.refinement.steps.size(); })
      .def_prop_ro("refine_weights",
                   [](const TransportModel& model) { return model.refinement.barycentric_weights; })
      .def_prop_ro("tuples", &tuples_to_numpy, owned)
      .def_prop_ro(
          "masses",
          [](const TransportModel& model) { return vector_to_numpy(model.coupling.masses); }, owned)
      .def_prop_ro("converged", &TransportModel::converged);
}

}  // namespace

void bind_transport(nb::module_& m) {
  bind_transport_options(m);
  bind_model(m);
  m.def("fit_transport", &fit_watched, "names"_a, "samples"_a, "options"_a,
        "sample_weights"_a = WeightList{}, "on_iteration"_a = nb::none(), "keys"_a = KeyList{},
        "Fit a mixture to every group and couple the components (Algorithm 2).");
  m.def(
      "barycenter",
      [](const TransportModel& model, const VectorArray& weights, int n_threads) {
        const Unlocked unlocked;
        return barycenter(model, {weights.data(), weights.size()}, {.n_threads = n_threads});
      },
      "model"_a, "barycentric_weights"_a, "n_threads"_a = 0,
      "The barycenter as a mixture (Algorithm 3).");
  m.def("map_of_plan", &map_of_plan, "source"_a, "target"_a, "rows"_a, "columns"_a, "masses"_a,
        "kind"_a, "seed"_a, "The map from one mixture to another along the entries of a plan.");
  m.def("misplaced_mass", &misplaced_mass, "model"_a, "first"_a, "second"_a,
        "The mass that a matching moves to where the other group has none.");
  m.def(
      "map_between",
      [](const TransportModel& model, std::string_view from, std::string_view to, double amount,
         int n_threads) {
        const Unlocked unlocked;
        return map_between(model, from, to, amount, {.n_threads = n_threads});
      },
      "model"_a, "from_group"_a, "to_group"_a, "amount"_a = 1.0, "n_threads"_a = 0,
      "The map from one group to another; `amount` is the interpolation parameter.");
  m.def(
      "map_to_barycenter",
      [](const TransportModel& model, std::string_view from, const VectorArray& weights,
         double amount, int n_threads) {
        const Unlocked unlocked;
        return map_to_barycenter(model, from, {weights.data(), weights.size()}, amount,
                                 {.n_threads = n_threads});
      },
      "model"_a, "from_group"_a, "barycentric_weights"_a, "amount"_a = 1.0, "n_threads"_a = 0,
      "The map from one group to the barycenter; `amount` is the interpolation parameter.");
  m.def(
      "inverse_transport",
      [](const LocalMap& map, const SampleArray& points, int n_threads) {
        const SampleView view = view_of(points, "points");
        return matrix_to_numpy(watched(view, [&](const std::stop_token& stop) {
          return inverse_transport(map, view, {.n_threads = n_threads, .stop = stop});
        }));
      },
      "map"_a, "points"_a, "n_threads"_a = 0, "Transport points back to their source group.");
  m.def("transport_into", &transport_arrays, "map"_a, "samples"_a, "out"_a, "n_threads"_a = 0,
        "keys"_a = nb::none(), "Transport points into an array.");
}

}  // namespace lbw::python
