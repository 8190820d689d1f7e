// SPDX-License-Identifier: MIT
#include "arrays.hpp"

#include <lbw/types.hpp>
#include <string>

namespace lbw::python {

SampleView view_of(const SampleArray& samples, const char* argument) {
  const auto n_samples = static_cast<Index>(samples.shape(0));
  const auto n_features = static_cast<Index>(samples.shape(1));
  if (n_features > 1 && samples.stride(1) != 1) {
    throw InvalidArgument(std::string(argument) +
                          ": the features of a row are not adjacent in memory");
  }
  const auto row_stride = static_cast<Index>(samples.stride(0));
  if (samples.dtype() == nb::dtype<double>()) {
    return {static_cast<const double*>(samples.data()), n_samples, n_features, row_stride};
  }
  if (samples.dtype() == nb::dtype<float>()) {
    return {static_cast<const float*>(samples.data()), n_samples, n_features, row_stride};
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
