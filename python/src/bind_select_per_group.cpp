// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lbw/fit_transport.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "groups.hpp"
#include "progress.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

std::vector<SelectionResult> select_watched(const std::vector<std::string>& names,
                                            const std::vector<SampleArray>& samples,
                                            const std::vector<int>& n_components,
                                            const std::string& criterion,
                                            const MixtureOptions& mixture,
                                            const ProgressCallback& on_point,
                                            const WeightList& sample_weights) {
  const std::vector<Group> groups =
      groups_of(names, samples, sample_weights, "select_components_per_group");
  SelectionOptions options;
  options.criterion = enum_from<Criterion>(criterion);
  options.mixture = mixture;
  WatchedWork watch;
  std::size_t n_points = 0;  // groups are processed in order, each with all candidates
  if (on_point) {
    options.on_point = [&](const SelectionPoint& point) {
      const std::string& name = names[n_points++ / n_components.size()];
      watch.post([&on_point, name, point] { (*on_point)(name, point); });
    };
  }
  GroupSelections selections;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    selections = select_components_per_group(groups, n_components, options);
  });
  return std::move(selections.groups);
}

}  // namespace

void bind_select_per_group(nb::module_& m) {
  m.def("select_components_per_group", &select_watched, "names"_a, "samples"_a, "n_components"_a,
        "criterion"_a, "mixture"_a, "on_point"_a = nb::none(), "sample_weights"_a = WeightList{},
        "Select the number of components separately for each group.");
}

}  // namespace lbw::python
