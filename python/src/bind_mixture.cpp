// SPDX-License-Identifier: MIT
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>

#include "bind.hpp"
#include "interpreter_lock.hpp"
#include "mixtures.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

/// Wraps function(mixture, samples, execution) for Python, with signals handled.
template <typename Function>
auto over_samples(Function function) {
  return [function](const Mixture& mixture, const SampleArray& samples, int n_threads) {
    const SampleView view = view_of(samples, "samples");
    return watched(view, [&](const std::stop_token& stop) {
      return function(mixture, view, Execution{.n_threads = n_threads, .stop = stop});
    });
  };
}

std::pair<MatrixOut, IntegersOut> draw(const Mixture& mixture, Index n_samples,
                                       std::uint64_t seed) {
  MixtureSample drawn;
  {
    const Unlocked unlocked;
    drawn = sample(mixture, n_samples, seed);
  }
  return {matrix_to_numpy(std::move(drawn.samples)), labels_to_numpy(drawn.labels)};
}

void bind_class(nb::module_& m) {
  nb::class_<Mixture>(m, "Mixture", "A Gaussian mixture (Eq. 7).")
      .def(
          "__init__",
          [](Mixture* self, const std::string& covariance_type, const VectorArray& weights,
             const MatrixArray& means, const DoubleArray& covariances) {
            new (self) Mixture(mixture_of(covariance_type, weights, means, covariances));
          },
          "covariance_type"_a, "weights"_a, "means"_a, "covariances"_a)
      .def_prop_ro("covariance_type",
                   [](const Mixture& mixture) { return to_string(mixture.covariance_type); })
      .def_prop_ro(
          "weights", [](const Mixture& mixture) { return vector_to_numpy(mixture.weights); }, owned)
      .def_prop_ro(
          "means", [](const Mixture& mixture) { return matrix_to_numpy(mixture.means); }, owned)
      .def_prop_ro("covariances", &covariances_to_numpy, owned)
      .def_prop_ro("n_parameters", &n_parameters);
}

void bind_layout(nb::module_& m) {
  nb::class_<CovarianceLayout>(m, "CovarianceLayout", "How covariances of one type are stored.")
      .def_prop_ro("entries", [](const CovarianceLayout& self) { return to_string(self.entries); })
      .def_ro("is_shared", &CovarianceLayout::is_shared)
      .def(
          "array_shape",
          [](const CovarianceLayout& self, Index n_components, Index n_features) {
            return nb::tuple(nb::cast(self.array_shape(n_components, n_features)));
          },
          "n_components"_a, "n_features"_a,
          nb::sig("def array_shape(self, n_components: int, "
                  "n_features: int) -> tuple[int, ...]"),
          "The shape of all covariances as one array.");
  m.def(
      "covariance_layout",
      [](const std::string& covariance_type) {
        return layout_of(enum_from<CovarianceType>(covariance_type));
      },
      "covariance_type"_a, "The layout of a covariance type.");
}

}  // namespace

void bind_mixture(nb::module_& m) {
  bind_class(m);
  bind_layout(m);
  const auto log_densities = over_samples(&log_density);
  m.def(
      "log_density",
      [log_densities](const Mixture& mixture, const SampleArray& samples, int n_threads) {
        return vector_to_numpy(log_densities(mixture, samples, n_threads));
      },
      "mixture"_a, "samples"_a, "n_threads"_a = 0, "log p(x) of every sample.");
  const auto shares = over_samples(&responsibilities);
  m.def(
      "responsibilities",
      [shares](const Mixture& mixture, const SampleArray& samples, int n_threads) {
        return matrix_to_numpy(shares(mixture, samples, n_threads));
      },
      "mixture"_a, "samples"_a, "n_threads"_a = 0,
      "The probability that each sample belongs to each component.");
  const auto assignment = over_samples(&labels);
  m.def(
      "labels",
      [assignment](const Mixture& mixture, const SampleArray& samples, int n_threads) {
        return labels_to_numpy(assignment(mixture, samples, n_threads));
      },
      "mixture"_a, "samples"_a, "n_threads"_a = 0,
      "The component of largest responsibility (Eq. 8).");
  m.def("mean_log_likelihood", over_samples(&mean_log_likelihood), "mixture"_a, "samples"_a,
        "n_threads"_a = 0, "Mean of log p(x).");
  m.def("aic", over_samples(&aic), "mixture"_a, "samples"_a, "n_threads"_a = 0,
        "Akaike information criterion; lower is better.");
  m.def("bic", over_samples(&bic), "mixture"_a, "samples"_a, "n_threads"_a = 0,
        "Bayesian information criterion; lower is better.");
  m.def("sample", &draw, "mixture"_a, "n_samples"_a, "seed"_a,
        "Draw independent samples, and return their components.");
}

}  // namespace lbw::python
