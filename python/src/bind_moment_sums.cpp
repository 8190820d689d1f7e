// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <lbw/fit_mixture.hpp>
#include <lbw/moment_sums_io.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "mixtures.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

constexpr const char* sums_text = R"(The sums of one E-step over a block of samples.

Sums of blocks can be added with `+`, in a fixed order for reproducible results. They can be pickled
and stored as bytes.

Attributes
----------
covariance_type : str
    The structure of the covariances.
n_samples : int
    The number of samples with a positive weight.
weight : float
    The sum of the weights.
log_likelihood : float
    The weighted sum of the log-likelihoods of the samples.
centers : ndarray of shape (n_components, n_features)
    The means of the mixture, about which moments are taken.
component_weight : ndarray of shape (n_components,)
    The weight of the samples of every component.
first : ndarray of shape (n_components, n_features)
    The first moments.
second : ndarray
    The second moments, in the shape of the covariances.

Examples
--------
>>> import numpy as np
>>> from lbw import GaussianMixture, MomentSums, moment_sums
>>> X = np.arange(10.0).reshape(-1, 1)
>>> sums = moment_sums(GaussianMixture().fit(X), X)
>>> MomentSums.from_bytes(sums.to_bytes()).n_samples
10
)";

nb::bytes bytes_of(const MomentSums& sums) {
  const std::string bytes = moment_sums_to_bytes(sums);
  return nb::bytes(bytes.data(), bytes.size());
}

MomentSums sums_of(const nb::bytes& bytes) {
  return moment_sums_from_bytes({bytes.c_str(), bytes.size()});
}

/// Second moments in the shape of the covariances.
CovariancesOut second_to_numpy(const MomentSums& sums) {
  Mixture shape;
  shape.covariance_type = sums.covariance_type;
  shape.means = sums.centers;
  shape.covariances = sums.second;
  return covariances_to_numpy(shape);
}

MomentSums sums_of_samples(const Mixture& mixture, const SampleArray& samples,
                           const std::optional<VectorArray>& sample_weights, int n_threads) {
  const SampleView view = view_of(samples, "samples");
  return watched(view, [&](const std::stop_token& stop) {
    return moment_sums(mixture, view, span_of(sample_weights),
                       {.n_threads = n_threads, .stop = stop});
  });
}

}  // namespace

void bind_moment_sums(nb::module_& m) {
  nb::class_<MomentSums>(m, "MomentSums", sums_text)
      .def_prop_ro("covariance_type",
                   [](const MomentSums& sums) { return to_string(sums.covariance_type); })
      .def_ro("n_samples", &MomentSums::n_samples)
      .def_ro("weight", &MomentSums::weight)
      .def_ro("log_likelihood", &MomentSums::log_likelihood)
      .def_prop_ro(
          "centers", [](const MomentSums& sums) { return matrix_to_numpy(sums.centers); }, owned)
      .def_prop_ro(
          "component_weight",
          [](const MomentSums& sums) { return vector_to_numpy(sums.component_weight); }, owned)
      .def_prop_ro(
          "first", [](const MomentSums& sums) { return matrix_to_numpy(sums.first); }, owned)
      .def_prop_ro("second", &second_to_numpy, owned)
      .def(
          "__add__",
          [](const MomentSums& self, const MomentSums& other) {
            MomentSums sums = self;
            sums += other;
            return sums;
          },
          nb::is_operator())
      .def("to_bytes", &bytes_of, "Return compact bytes, which from_bytes reads.")
      .def_static("from_bytes", &sums_of, "bytes"_a, "Read and check sums.")
      .def("__getstate__", &bytes_of)
      .def("__setstate__", [](MomentSums& self, const nb::bytes& bytes) {
        new (&self) MomentSums(sums_of(bytes));
      });
  m.def("moment_sums_of", &sums_of_samples, "mixture"_a, "samples"_a, "sample_weights"_a,
        "n_threads"_a = 0, "The moment sums of samples.");
  m.def(
      "next_mixture",
      [](const Mixture& mixture, const MomentSums& sums, const MixtureOptions& options) {
        NextMixture next = next_mixture(mixture, sums, options.covariance_floor, options.shrinkage);
        return std::pair(std::move(next.mixture), next.replaced_components);
      },
      "mixture"_a, "sums"_a, "options"_a, "The M-step, and the number of replaced components.");
}

}  // namespace lbw::python
