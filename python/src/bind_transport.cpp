// SPDX-License-Identifier: MIT
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <lbw/error.hpp>
#include <lbw/transport.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "progress.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

using WeightList = std::vector<std::optional<VectorArray>>;

std::vector<Group> groups_of(const std::vector<std::string>& names,
                             const std::vector<SampleArray>& samples, const WeightList& weights) {
  if (samples.size() != names.size() || (!weights.empty() && weights.size() != names.size())) {
    throw InvalidArgument("fit_transport: names, samples and sample_weights differ in number");
  }
  std::vector<Group> groups(names.size());
  for (std::size_t g = 0; g < names.size(); ++g) {
    groups[g] = {.name = names[g], .samples = view_of(samples[g], "samples")};
    if (!weights.empty()) groups[g].sample_weights = span_of(weights[g]);
  }
  return groups;
}

TransportModel fit_watched(const std::vector<std::string>& names,
                           const std::vector<SampleArray>& samples, const TransportOptions& asked,
                           const WeightList& sample_weights, const ProgressCallback& on_iteration) {
  const std::vector<Group> groups = groups_of(names, samples, sample_weights);
  TransportOptions options = asked;
  WatchedWork watch;
  if (on_iteration) {
    options.on_iteration = [&](std::string_view group, const FitProgress& progress) {
      watch.post([&on_iteration, name = std::string(group), progress] {
        (*on_iteration)(name, progress);
      });
    };
  }
  TransportModel model;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    model = fit_transport(groups, options);
  });
  return model;
}

RowMatrixF transport_floats(const LocalMap& map, SampleView samples, const Execution& execution) {
  RowMatrixF out(samples.n_samples(), samples.n_features());
  Index first = 0;
  const auto take = [&](const RowMatrix& carried) {
    out.middleRows(first, carried.rows()) = carried.cast<float>();
    first += carried.rows();
  };
  transport_in_batches(map, samples, take, execution);
  return out;
}

/// Carried samples of the type they came in.
SamplesOut transport_array(const LocalMap& map, const SampleArray& samples, int n_threads) {
  const SampleView view = view_of(samples, "samples");
  const auto execution = [&](const std::stop_token& stop) {
    return Execution{.n_threads = n_threads, .stop = stop};
  };
  if (view.is_float()) {
    return matrix_to_numpy<SamplesOut>(watched(view, [&](const std::stop_token& stop) {
      return transport_floats(map, view, execution(stop));
    }));
  }
  return matrix_to_numpy<SamplesOut>(watched(
      view, [&](const std::stop_token& stop) { return transport(map, view, execution(stop)); }));
}

IntegersOut tuples_to_numpy(const TransportModel& model) {
  const auto& tuples = model.coupling.tuples;
  const auto n_tuples = static_cast<std::size_t>(tuples.rows());
  const auto n_groups = static_cast<std::size_t>(tuples.cols());
  return integers_to_numpy({tuples.data(), n_tuples * n_groups}, {n_tuples, n_groups});
}

void bind_options(nb::module_& m) {
  nb::class_<TransportOptions>(m, "TransportOptions", "How groups are fitted and coupled.")
      .def(nb::init<>())
      .def_rw("mixture", &TransportOptions::mixture)
      .def_rw("reference", &TransportOptions::reference)
      .def_rw("feature_names", &TransportOptions::feature_names);
  nb::class_<GroupReport>(m, "GroupReport", "How the fit of one group went.")
      .def_ro("n_samples", &GroupReport::n_samples)
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
      .def_ro("reports", &TransportModel::reports)
      .def_ro("mixture_options", &TransportModel::mixture_options)
      .def_rw("notes", &TransportModel::notes)
      .def_prop_ro("reference",
                   [](const TransportModel& model) { return model.coupling.reference; })
      .def_prop_ro("tuples", &tuples_to_numpy, owned)
      .def_prop_ro("converged", &TransportModel::converged);
}

}  // namespace

void bind_transport(nb::module_& m) {
  bind_options(m);
  bind_model(m);
  m.def("fit_transport", &fit_watched, "names"_a, "samples"_a, "options"_a,
        "sample_weights"_a = WeightList{}, "on_iteration"_a = nb::none(),
        "Fits every group's mixture and couples their components (Algorithm 2).");
  m.def(
      "barycenter",
      [](const TransportModel& model, const VectorArray& weights) {
        return barycenter(model, {weights.data(), weights.size()});
      },
      "model"_a, "barycentric_weights"_a, "The barycenter as a mixture (Algorithm 3).");
  nb::class_<LocalMap>(m, "LocalMap", "A map by the component that a point lies in (Eq. 9).");
  m.def("map_between", &map_between, "model"_a, "from_group"_a, "to_group"_a, "amount"_a = 1.0,
        "From one group onto another, or `amount` of the way.");
  m.def(
      "map_to_barycenter",
      [](const TransportModel& model, std::string_view from, const VectorArray& weights,
         double amount) {
        return map_to_barycenter(model, from, {weights.data(), weights.size()}, amount);
      },
      "model"_a, "from_group"_a, "barycentric_weights"_a, "amount"_a = 1.0,
      "From one group onto the barycenter of all, or `amount` of the way.");
  m.def("transport", &transport_array, "map"_a, "samples"_a, "n_threads"_a = 0,
        "Carries points, seen before or not.");
}

}  // namespace lbw::python
