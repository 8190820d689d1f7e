// SPDX-License-Identifier: MIT
// One function per public header, each in a file of that name, and one each for labels, maps
// and mapped memory.
// module.cpp calls all of them.
#pragma once

#include <nanobind/nanobind.h>

namespace lbw::python {

void bind_error(nanobind::module_& m);
void bind_gaussian(nanobind::module_& m);
void bind_barycenter(nanobind::module_& m);
void bind_labels(nanobind::module_& m);
void bind_mapped_memory(nanobind::module_& m);
void bind_matching(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_mixture(nanobind::module_& m);
void bind_fit_mixture(nanobind::module_& m);
void bind_moment_sums(nanobind::module_& m);
void bind_sample_source(nanobind::module_& m);
void bind_select_components(nanobind::module_& m);
void bind_select_per_group(nanobind::module_& m);
void bind_quantile_map(nanobind::module_& m);
void bind_mixture_distance(nanobind::module_& m);
void bind_local_map(nanobind::module_& m);
void bind_transport(nanobind::module_& m);
void bind_sliced_distance(nanobind::module_& m);
void bind_separation(nanobind::module_& m);
void bind_group_probabilities(nanobind::module_& m);
void bind_report(nanobind::module_& m);
void bind_model_file(nanobind::module_& m);
void bind_file_writer(nanobind::module_& m);
void bind_silhouette(nanobind::module_& m);
void bind_unknown_group(nanobind::module_& m);

}  // namespace lbw::python
