// SPDX-License-Identifier: MIT
// Conversion of NumPy arrays. Samples are viewed without copying, and results are returned without
// copying.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace lbw::python {

namespace nb = nanobind;

/// (n_samples, n_features), float64 or float32, with the features of a row adjacent. If the array
/// is a memory-mapped file, a guard protects it during the call.
struct SampleArray : nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu> {
  using Array = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

  SampleArray() = default;
  /// @param object  the Python object of the array
  SampleArray(Array array, nb::handle object);

  std::shared_ptr<const SampleStorage> guard = nullptr;
};
using VectorArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MatrixArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using CubeArray = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
/// Output samples: (n_samples, n_features), float64 or float32, row major.
using OutputArray = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// Any number of dimensions, float64, row major.
using DoubleArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// @throws InvalidArgument  on another element type or a gap between the features of a row
[[nodiscard]] SampleView view_of(const SampleArray& samples, const char* argument);

[[nodiscard]] inline std::span<const double> span_of(const std::optional<VectorArray>& values) {
  if (!values) return {};
  return {values->data(), values->size()};
}

[[nodiscard]] Vector vector_of(const VectorArray& values);
[[nodiscard]] RowMatrix matrix_of(const MatrixArray& values);

using VectorOut = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using MatrixOut = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using IntegersOut = nb::ndarray<nb::numpy, std::int64_t>;
/// In the shape of the covariance type.
using CovariancesOut = nb::ndarray<nb::numpy, double>;

/// For properties that return an array: the array owns its memory, not the object.
inline constexpr auto owned = nb::rv_policy::automatic;

/// A NumPy array that owns a value moved to the heap.
template <typename Out, typename Value>
[[nodiscard]] Out array_over(Value value, const std::vector<std::size_t>& shape) {
  auto* const held = new Value(std::move(value));
  nb::capsule owner(held, [](void* pointer) noexcept { delete static_cast<Value*>(pointer); });
  const nb::dlpack::dtype type = nb::dtype<std::remove_reference_t<decltype(*held->data())>>();
  return Out(held->data(), shape.size(), shape.data(), owner, nullptr, type);
}

template <typename MatrixType>
[[nodiscard]] MatrixOut matrix_to_numpy(MatrixType matrix) {
  const std::vector<std::size_t> shape{static_cast<std::size_t>(matrix.rows()),
                                       static_cast<std::size_t>(matrix.cols())};
  return array_over<MatrixOut>(std::move(matrix), shape);
}

[[nodiscard]] inline VectorOut vector_to_numpy(Vector vector) {
  const auto size = static_cast<std::size_t>(vector.size());
  return array_over<VectorOut>(std::move(vector), {size});
}

/// As int64, which NumPy uses for indices.
[[nodiscard]] inline IntegersOut integers_to_numpy(std::span<const int> integers,
                                                   const std::vector<std::size_t>& shape) {
  return array_over<IntegersOut>(std::vector<std::int64_t>(integers.begin(), integers.end()),
                                 shape);
}

[[nodiscard]] inline IntegersOut labels_to_numpy(const Labels& labels) {
  const auto size = static_cast<std::size_t>(labels.size());
  return integers_to_numpy({labels.data(), size}, {size});
}

}  // namespace lbw::python

namespace nanobind::detail {

template <>
struct type_caster<lbw::python::SampleArray> {
  using Array = lbw::python::SampleArray::Array;
  NB_TYPE_CASTER(lbw::python::SampleArray, make_caster<Array>::Name)

  bool from_python(handle src, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Array> caster;
    if (!caster.from_python(src, flags, cleanup)) return false;
    try {
      value = lbw::python::SampleArray(caster.value, src);
    } catch (...) {
      return false;
    }
    return true;
  }
};

}  // namespace nanobind::detail
