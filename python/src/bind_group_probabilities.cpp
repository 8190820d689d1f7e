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

using LabelArray = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

MatrixOut probabilities_watched(const SampleArray& samples, const LabelArray& labels,
                                const SampleArray& others,
                                const std::optional<VectorArray>& weights, int n_threads) {
  const SampleView train = view_of(samples, "samples");
  const SampleView test = view_of(others, "others");
  RowMatrix result;
  WatchedWork().run([&](const std::stop_token& stop) {
    BoostedTreesOptions options;
    options.execution = {.n_threads = n_threads, .stop = stop};
    result =
        group_probabilities(train, {labels.data(), labels.size()}, test, span_of(weights), options);
  });
  return matrix_to_numpy(std::move(result));
}

}  // namespace

void bind_group_probabilities(nb::module_& m) {
  m.def("group_probabilities", &probabilities_watched, "samples"_a, "labels"_a, "others"_a,
        "weights"_a.none() = nb::none(), "n_threads"_a = 0,
        "Learn to tell groups apart by boosted trees, and return the probabilities of others.");
}

}  // namespace lbw::python
