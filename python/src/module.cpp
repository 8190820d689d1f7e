// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>

#include <lbw/version.hpp>

#include "bind.hpp"
#include "interpreter_lock.hpp"

NB_MODULE(_core, m) {
  using namespace lbw::python;
  m.doc() = "The C++ core of lbw. Use the package lbw instead.";
  m.attr("version") = lbw::version;
  watch_end_of_interpreter(m);
  bind_error(m);
  bind_gaussian(m);
  bind_barycenter(m);
  bind_labels(m);
  bind_mapped_memory(m);
  bind_matching(m);
  bind_plan(m);
  bind_mixture(m);
  bind_fit_mixture(m);
  bind_select_components(m);
  bind_select_per_group(m);
  bind_quantile_map(m);
  bind_mixture_distance(m);
  bind_local_map(m);
  bind_transport(m);
  bind_moment_sums(m);
  bind_sample_source(m);
  bind_sliced_distance(m);
  bind_separation(m);
  bind_group_probabilities(m);
  bind_report(m);
  bind_model_file(m);
  bind_file_writer(m);
  bind_silhouette(m);
  bind_unknown_group(m);
}
