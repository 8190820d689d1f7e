// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>

#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

LabelKind label_kind_from(const std::string& name) {
  if (name == "text") return LabelKind::text;
  if (name == "whole numbers") return LabelKind::whole_numbers;
  if (name == "fractions") return LabelKind::fractions;
  throw InvalidArgument("max_groups: kind is '" + name +
                        "', expected 'text', 'whole numbers' or 'fractions'");
}

}  // namespace

void bind_unknown_group(nb::module_& m) {
  m.def(
      "group_probabilities",
      [](const TransportModel& model, const SampleArray& samples, int n_threads) {
        const SampleView view = view_of(samples, "samples");
        return matrix_to_numpy(watched(view, [&](const std::stop_token& stop) {
          return group_probabilities(model, view, {.n_threads = n_threads, .stop = stop});
        }));
      },
      "model"_a, "samples"_a, "n_threads"_a = 0,
      "The probability that each sample belongs to each group.");
  m.def(
      "max_groups",
      [](const std::string& kind, Index n_rows) {
        return max_groups(label_kind_from(kind), n_rows);
      },
      "kind"_a, "n_rows"_a, "The maximum number of distinct labels in n_rows rows.");
}

}  // namespace lbw::python
