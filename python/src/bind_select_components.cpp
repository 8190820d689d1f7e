// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <lbw/fit_mixture.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "progress.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

SelectionResult select_watched(const SampleArray& samples, const std::vector<int>& n_components,
                               const std::string& criterion, const MixtureOptions& mixture,
                               const ProgressCallback& on_point,
                               const std::optional<VectorArray>& sample_weights) {
  const SampleView view = view_of(samples, "samples");
  SelectionOptions options;
  options.criterion = enum_from<Criterion>(criterion);
  options.mixture = mixture;
  WatchedWork watch;
  options.on_point = posted<SelectionPoint>(watch, on_point);
  SelectionResult result;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    result = select_components(view, n_components, options, span_of(sample_weights));
  });
  return result;
}

}  // namespace

void bind_select_components(nb::module_& m) {
  nb::class_<SelectionPoint>(m, "SelectionPoint", "The fit of one number of components.")
      .def_ro("n_components", &SelectionPoint::n_components)
      .def_ro("mean_log_likelihood", &SelectionPoint::mean_log_likelihood)
      .def_ro("aic", &SelectionPoint::aic)
      .def_ro("bic", &SelectionPoint::bic)
      .def_ro("heldout_log_likelihood", &SelectionPoint::heldout_log_likelihood)
      .def_ro("iterations", &SelectionPoint::iterations)
      .def_ro("converged", &SelectionPoint::converged);
  nb::class_<SelectionResult>(m, "SelectionResult", "The curve and the selected fit.")
      .def_ro("curve", &SelectionResult::curve)
      .def_ro("n_components", &SelectionResult::n_components)
      .def_ro("fit", &SelectionResult::fit);
  m.def("select_components", &select_watched, "samples"_a, "n_components"_a, "criterion"_a,
        "mixture"_a, "on_point"_a = nb::none(), "sample_weights"_a = nb::none(),
        "Fit every number of components and select one by a criterion.");
}

}  // namespace lbw::python
