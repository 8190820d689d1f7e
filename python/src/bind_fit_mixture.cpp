// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <lbw/fit_mixture.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

/// Whether a fit is too short to justify a separate thread: one component takes a single pass.
bool is_short(SampleView samples, const MixtureOptions& options) {
  return options.n_components == 1 && !options.initial &&
         is_short_work(products_of_moments(samples));
}

MixtureFit fit_watched(const SampleArray& samples, const MixtureOptions& asked,
                       const std::optional<VectorArray>& sample_weights,
                       const ProgressCallback& on_iteration) {
  const SampleView view = view_of(samples, "samples");
  MixtureOptions options = asked;
  if (!on_iteration && is_short(view, options)) {
    const Unlocked unlocked;
    return fit_mixture(view, options, span_of(sample_weights));
  }
  WatchedWork watch;
  options.on_iteration = posted<FitProgress>(watch, on_iteration);
  MixtureFit fit;
  watch.run([&](const std::stop_token& stop) {
    options.execution.stop = stop;
    fit = fit_mixture(view, options, span_of(sample_weights));
  });
  return fit;
}

void bind_mixture_options(nb::module_& m) {
  using Options = MixtureOptions;
  nb::class_<Options> options(m, "MixtureOptions", "Options of a mixture fit.");
  options.def(nb::init<>())
      .def_rw("initial", &Options::initial, nb::arg().none())
      .def_prop_rw(
          "n_threads", [](const Options& o) { return o.execution.n_threads; },
          [](Options& o, int n_threads) { o.execution.n_threads = n_threads; });
  bind_options(options);
}

}  // namespace

void bind_fit_mixture(nb::module_& m) {
  bind_mixture_options(m);
  nb::class_<FitProgress>(m, "FitProgress", "A step of k-means or EM.")
      .def_ro("restart", &FitProgress::restart)
      .def_ro("starting", &FitProgress::starting)
      .def_ro("subsample", &FitProgress::subsample)
      .def_ro("iteration", &FitProgress::iteration)
      .def_ro("mean_log_likelihood", &FitProgress::mean_log_likelihood);
  nb::class_<MixtureFit>(m, "MixtureFit", "A fitted mixture and statistics of the fit.")
      .def_ro("mixture", &MixtureFit::mixture)
      .def_ro("mean_log_likelihood", &MixtureFit::mean_log_likelihood)
      .def_ro("history", &MixtureFit::history)
      .def_ro("iterations", &MixtureFit::iterations)
      .def_ro("start_iterations", &MixtureFit::start_iterations)
      .def_ro("converged", &MixtureFit::converged)
      .def_ro("replaced_components", &MixtureFit::replaced_components)
      .def_ro("unestimated_components", &MixtureFit::unestimated_components)
      .def_ro("copied_components", &MixtureFit::copied_components);
  m.def("fit_mixture", &fit_watched, "samples"_a, "options"_a, "sample_weights"_a = nb::none(),
        "on_iteration"_a = nb::none(), "Fit a mixture by expectation maximization.");
}

}  // namespace lbw::python
