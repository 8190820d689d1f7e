// SPDX-License-Identifier: MIT
#include "arrays.hpp"

#include <algorithm>
#include <cstdlib>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <string>
#include <utility>

namespace lbw::python {

namespace {

/// The mmap.mmap that owns the memory of an array, or an invalid object.
nb::object mapping_of(nb::handle array) {
  const nb::object mapping = nb::module_::import_("mmap").attr("mmap");
  nb::object owner = nb::borrow(array);
  while (owner.is_valid() && !owner.is_none()) {
    if (nb::isinstance(owner, mapping)) return owner;
    const char* const next = nb::hasattr(owner, "base") ? "base" : "obj";  // obj of a memoryview
    owner = nb::getattr(owner, next, nb::none());
  }
  return {};
}

}  // namespace

SampleArray::SampleArray(Array array, nb::handle object) : Array(std::move(array)) {
  if (size() == 0 || !mapping_of(object).is_valid()) return;
  const auto n_rows = static_cast<std::int64_t>(shape(0));
  const std::int64_t last_row = stride(0) * (n_rows - 1);  // negative if rows are reversed
  const auto value_size = static_cast<std::int64_t>(itemsize());
  const char* const first =
      static_cast<const char*>(data()) + value_size * std::min<std::int64_t>(last_row, 0);
  const std::int64_t n_values = std::abs(last_row) + static_cast<std::int64_t>(shape(1));
  guard =
      guarded_memory(first, static_cast<std::size_t>(n_values * value_size), "memory-mapped array");
}

SampleView view_of(const SampleArray& samples, const char* argument) {
  const auto n_samples = static_cast<Index>(samples.shape(0));
  const auto n_features = static_cast<Index>(samples.shape(1));
  if (n_features > 1 && samples.stride(1) != 1) {
    throw InvalidArgument(std::string(argument) +
                          ": the features of a row are not adjacent in memory");
  }
  const auto row_stride = static_cast<Index>(samples.stride(0));
  if (samples.dtype() == nb::dtype<double>()) {
    return {static_cast<const double*>(samples.data()), n_samples, n_features, row_stride,
            samples.guard.get()};
  }
  if (samples.dtype() == nb::dtype<float>()) {
    return {static_cast<const float*>(samples.data()), n_samples, n_features, row_stride,
            samples.guard.get()};
  }
  throw InvalidArgument(std::string(argument) + ": expected float64 or float32");
}

Vector vector_of(const VectorArray& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

RowMatrix matrix_of(const MatrixArray& values) {
  return Eigen::Map<const RowMatrix>(values.data(), static_cast<Index>(values.shape(0)),
                                     static_cast<Index>(values.shape(1)));
}

}  // namespace lbw::python
