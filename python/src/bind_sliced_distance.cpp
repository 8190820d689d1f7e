// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>

#include <lbw/report.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

SlicedDistance sliced_watched(const SampleArray& first, const SampleArray& second, int n_directions,
                              const std::optional<MatrixArray>& directions, int n_permutations,
                              std::uint64_t seed, int n_threads) {
  const SampleView a = view_of(first, "first");
  const SampleView b = view_of(second, "second");
  SlicedDistanceOptions options;
  options.n_directions = n_directions;
  if (directions) options.directions = matrix_of(*directions);
  options.n_permutations = n_permutations;
  options.seed = seed;
  SlicedDistance result;
  WatchedWork().run([&](const std::stop_token& stop) {
    options.execution = {.n_threads = n_threads, .stop = stop};
    result = sliced_distance(a, b, options);
  });
  return result;
}

}  // namespace

void bind_sliced_distance(nb::module_& m) {
  nb::class_<PermutationNull>(m, "PermutationNull",
                              "The null distribution of a statistic in a permutation test.")
      .def_ro("n_permutations", &PermutationNull::n_permutations)
      .def_ro("mean", &PermutationNull::mean)
      .def_ro("quantile", &PermutationNull::quantile)
      .def_ro("p_value", &PermutationNull::p_value);
  nb::class_<SlicedDistance>(m, "SlicedDistance",
                             "Sliced Wasserstein distance and its null distribution.")
      .def_ro("distance", &SlicedDistance::distance)
      .def_ro("null", &SlicedDistance::null);
  m.def("sliced_distance", &sliced_watched, "first"_a, "second"_a, "n_directions"_a = 64,
        "directions"_a = nb::none(), "n_permutations"_a = 0, "seed"_a = 0, "n_threads"_a = 0,
        "Compute the sliced 2-Wasserstein distance of two samples.");
}

}  // namespace lbw::python
