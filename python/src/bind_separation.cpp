// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

Separation separation_watched(const SampleArray& first, const SampleArray& second, int n_neighbors,
                              int n_permutations, std::uint64_t seed, int n_threads) {
  const SampleView a = view_of(first, "first");
  const SampleView b = view_of(second, "second");
  SeparationOptions options{.n_neighbors = n_neighbors, .n_permutations = n_permutations};
  options.seed = seed;
  Separation result;
  WatchedWork().run([&](const std::stop_token& stop) {
    options.execution = {.n_threads = n_threads, .stop = stop};
    result = separation(a, b, options);
  });
  return result;
}

}  // namespace

void bind_separation(nb::module_& m) {
  nb::class_<Separation>(m, "Separation",
                         "How well a nearest-neighbour classifier separates two samples.")
      .def_ro("auc", &Separation::auc)
      .def_ro("n_neighbors", &Separation::n_neighbors)
      .def_ro("null", &Separation::null);
  m.def("separation", &separation_watched, "first"_a, "second"_a, "n_neighbors"_a = 0,
        "n_permutations"_a = 0, "seed"_a = 0, "n_threads"_a = 0,
        "Measure how well a nearest-neighbour classifier separates two samples.");
}

}  // namespace lbw::python
