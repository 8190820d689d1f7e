// SPDX-License-Identifier: MIT
#include "py_source.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <lbw/io.hpp>

#include "arrays.hpp"
#include "interpreter_lock.hpp"

namespace lbw::python {

namespace {

using IndexOut = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

nb::object entry(const nb::dict& summary, const char* name) {
  if (!summary.contains(name)) {
    throw InvalidArgument(std::string("the summary of the source has no entry '") + name + "'");
  }
  return summary[name];
}

/// What a method returned, as a C++ type.
template <typename T>
T returned(const nb::object& value, const char* method, const char* expected) {
  try {
    return nb::cast<T>(value);
  } catch (const nb::cast_error&) {
    throw InvalidArgument(std::string(method) + " of the source returned " +
                          nb::cast<std::string>(nb::repr(value.type())) + ", expected " + expected);
  }
}

class PythonSource : public SampleSource {
 public:
  explicit PythonSource(nb::handle source) : source_(source) {}

  SourceSummary summary() override {
    const Locked locked;
    const auto answer = returned<nb::dict>(source_.attr("summary")(), "summary", "a dict");
    return {nb::cast<Index>(entry(answer, "n_samples")),
            nb::cast<Index>(entry(answer, "n_features")),
            nb::cast<Index>(entry(answer, "n_positive")),
            nb::cast<bool>(entry(answer, "has_weights")),
            nb::cast<double>(entry(answer, "weight")),
            nb::cast<double>(entry(answer, "squared_weight"))};
  }

  RowsAndWeights rows(std::span<const Index> ascending) override {
    const Locked locked;
    std::vector<std::int64_t> indices(ascending.begin(), ascending.end());
    const std::size_t size = indices.size();
    const nb::object answer =
        source_.attr("rows")(array_over<IndexOut>(std::move(indices), {size}));
    const auto [samples, weights] =
        returned<std::pair<nb::object, nb::object>>(answer, "rows", "a tuple of rows and weights");
    RowsAndWeights result{
        matrix_of(returned<MatrixArray>(samples, "rows", "a C-ordered matrix of float64")), {}};
    if (!weights.is_none()) {
      const auto values =
          returned<VectorArray>(weights, "rows", "weights as an array of float64 or None");
      result.weights.assign(values.data(), values.data() + values.size());
    }
    return result;
  }

  MomentSums moment_sums(const SumsRequest& request) override {
    const std::string mixture = mixture_to_bytes(request.mixture, request.noise);
    const Locked locked;
    const nb::object result = source_.attr("moment_sums")(nb::bytes(mixture.data(), mixture.size()),
                                                          to_string(request.precision),
                                                          to_string(request.part), request.seed);
    const auto answer = returned<nb::bytes>(result, "moment_sums", "bytes");
    return moment_sums_from_bytes({answer.c_str(), answer.size()});
  }

  void begin() override { call_if_present("begin"); }
  void end() override { call_if_present("end"); }

 private:
  void call_if_present(const char* method) {
    const Locked locked;
    if (nb::hasattr(source_, method)) source_.attr(method)();
  }

  nb::handle source_;
};

}  // namespace

void poll_source(WatchedWork& watch, nb::handle source) {
  if (!nb::hasattr(source, "check")) return;
  watch.poll([source] { source.attr("check")(); });
}

std::unique_ptr<SampleSource> source_of(nb::handle source) {
  return std::make_unique<PythonSource>(source);
}

}  // namespace lbw::python
