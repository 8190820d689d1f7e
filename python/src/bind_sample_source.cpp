// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lbw/fit_transport.hpp>
#include <lbw/io.hpp>
#include <lbw/sample_source.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "progress.hpp"
#include "py_source.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

std::string_view view_of_bytes(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::bytes to_python(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

nb::bytes sums_of_block(const nb::bytes& mixture, const SampleArray& samples,
                        const std::optional<VectorArray>& sample_weights,
                        const std::string& precision, int n_threads, const std::string& part,
                        std::uint64_t seed, std::optional<Index> first_row) {
  const SampleView view = view_of(samples, "samples");
  NoisyMixture noisy = noisy_mixture_from_bytes(view_of_bytes(mixture));
  const SumsRequest request{std::move(noisy.mixture), enum_from<Precision>(precision),
                            enum_from<RowPart>(part), seed, std::move(noisy.noise)};
  if (!first_row && (request.part != RowPart::all || !request.noise.empty())) {
    throw InvalidArgument(
        "moment_sums: first_row is None, expected the index of the first row, on which held-out "
        "rows and noise depend");
  }
  const std::span<const double> weights = span_of(sample_weights);
  const std::string bytes = watched(view, [&](const std::stop_token& stop) {
    const Execution execution{.n_threads = n_threads, .stop = stop};
    return moment_sums_to_bytes(
        moment_sums(request, view, weights, first_row.value_or(0), execution));
  });
  return to_python(bytes);
}

nb::bytes merged(const std::vector<nb::bytes>& parts) {
  if (parts.empty()) {
    throw InvalidArgument("merge_moment_sums: parts is empty, expected one or more");
  }
  MomentSums sums = moment_sums_from_bytes(view_of_bytes(parts.front()));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    sums += moment_sums_from_bytes(view_of_bytes(parts[i]));
  }
  return to_python(moment_sums_to_bytes(sums));
}

using FlagsOut = nb::ndarray<nb::numpy, bool, nb::ndim<1>>;

FlagsOut held_out_flags(Index first_row, Index n_rows, std::uint64_t seed) {
  const std::vector<bool> flags = held_out_rows(first_row, n_rows, seed);
  MatrixOf<bool, Order::row_major> values(1, std::ssize(flags));
  std::copy(flags.begin(), flags.end(), values.data());
  return array_over<FlagsOut>(std::move(values), {flags.size()});
}

MixtureFit fit_watched(nb::handle source, const MixtureOptions& asked,
                       const ProgressCallback& on_iteration) {
  const std::unique_ptr<SampleSource> rows = source_of(source);
  MixtureOptions options = asked;
  WatchedWork watch;
  poll_source(watch, source);
  options.on_iteration = posted<FitProgress>(watch, on_iteration);
  MixtureFit fit;
  watch.run([&](const std::stop_token& stop) {
    options.execution.stop = stop;
    fit = fit_mixture(*rows, options);
  });
  return fit;
}

SelectionResult select_watched(nb::handle source, const std::vector<int>& n_components,
                               const std::string& criterion, const MixtureOptions& mixture,
                               const ProgressCallback& on_point) {
  const std::unique_ptr<SampleSource> rows = source_of(source);
  SelectionOptions options;
  options.criterion = enum_from<Criterion>(criterion);
  options.mixture = mixture;
  WatchedWork watch;
  poll_source(watch, source);
  options.on_point = posted<SelectionPoint>(watch, on_point);
  SelectionResult result;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    result = select_components(*rows, n_components, options);
  });
  return result;
}

TransportModel fit_groups_watched(const std::vector<std::string>& names,
                                  const std::vector<nb::object>& sources,
                                  const TransportOptions& asked,
                                  const ProgressCallback& on_iteration) {
  if (names.size() != sources.size()) {
    throw InvalidArgument("fit_transport_sources: names and sources have different lengths");
  }
  std::vector<std::unique_ptr<SampleSource>> rows;
  std::vector<Group> groups(names.size());
  for (std::size_t g = 0; g < names.size(); ++g) {
    rows.push_back(source_of(sources[g]));
    groups[g].name = names[g];
    groups[g].source = rows.back().get();
  }
  TransportOptions options = asked;
  WatchedWork watch;
  if (!sources.empty()) poll_source(watch, sources.front());
  options.on_iteration = posted_with_group<FitProgress>(watch, on_iteration);
  TransportModel model;
  watch.run([&](const std::stop_token& stop) {
    options.mixture.execution.stop = stop;
    model = fit_transport(groups, options);
  });
  return model;
}

}  // namespace

void bind_sample_source(nb::module_& m) {
  m.def("moment_sums", &sums_of_block, "mixture"_a, "samples"_a, "sample_weight"_a = nb::none(),
        nb::kw_only(), "precision"_a = "f64", "n_threads"_a = 0, "part"_a = "all", "seed"_a = 0,
        "first_row"_a = nb::none(), "The moment sums of a block of rows, as bytes.");
  m.def("merge_moment_sums", &merged, "parts"_a, "Add moment sums from left to right.");
  m.def("held_out_rows", &held_out_flags, "first_row"_a, "n_rows"_a, "seed"_a,
        "Whether each of consecutive rows is held out.");
  m.def("fit_mixture_source", &fit_watched, "source"_a, "options"_a, "on_iteration"_a = nb::none(),
        "Fit a mixture to the rows of a source.");
  m.def("select_components_source", &select_watched, "source"_a, "n_components"_a, "criterion"_a,
        "mixture"_a, "on_point"_a = nb::none(),
        "Fit every number of components to the rows of a source and select one by a criterion.");
  m.def("fit_transport_sources", &fit_groups_watched, "names"_a, "sources"_a, "options"_a,
        "on_iteration"_a = nb::none(),
        "Fit a mixture to every group and couple the components; rows come from sources.");
}

}  // namespace lbw::python
