// SPDX-License-Identifier: MIT
// Vectors and matrices that own their memory.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace lbw {

/// Alignment of the data of a matrix in bytes, enough for every instruction set.
inline constexpr std::size_t memory_alignment = 64;

/// Allocates the data of a matrix. Only functions compiled into the library allocate and free this
/// memory, so neither the compiler flags nor the allocator of a program matter.
/// @throws std::bad_alloc
[[nodiscard]] void* allocate_memory(std::size_t n_bytes);
/// Changes the size of a block and keeps its first bytes. old_bytes is the size it had.
/// @throws std::bad_alloc  The block is then unchanged.
[[nodiscard]] void* resize_memory(void* memory, std::size_t old_bytes, std::size_t n_bytes);
/// Frees a block. Null is allowed.
void free_memory(void* memory) noexcept;

// The matrix types of lbw. They own their memory and can be used in Eigen expressions.

using Index = std::ptrdiff_t;
static_assert(std::is_same_v<Eigen::Index, Index>,
              "lbw needs Eigen's own index type: do not define EIGEN_DEFAULT_DENSE_INDEX_TYPE");

enum class Order { row_major, column_major, vector };  // a vector is a column

template <typename Scalar_, Order order>
class MatrixOf;

/// Eigen's matrix of the same numbers in the same order.
template <typename Scalar, Order order>
using EigenMatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, order == Order::vector ? 1 : -1,
                                    order == Order::row_major ? Eigen::RowMajor : Eigen::ColMajor>;

}  // namespace lbw

// NOLINTBEGIN(readability-identifier-naming): names that Eigen expects
namespace Eigen::internal {

// The same as for Eigen's matrix, except that the alignment does not depend on compiler flags.
template <typename Scalar_, lbw::Order order>
struct traits<lbw::MatrixOf<Scalar_, order>> : traits<lbw::EigenMatrixOf<Scalar_, order>> {
  enum {
    Alignment = std::min<int>(traits<lbw::EigenMatrixOf<Scalar_, order>>::Alignment,
                              static_cast<int>(lbw::memory_alignment))
  };
};

template <typename Scalar_, lbw::Order order>
struct evaluator<lbw::MatrixOf<Scalar_, order>>
    : mapbase_evaluator<lbw::MatrixOf<Scalar_, order>, lbw::EigenMatrixOf<Scalar_, order>> {
  using XprType = lbw::MatrixOf<Scalar_, order>;
  enum { Flags = traits<XprType>::EvaluatorFlags, Alignment = traits<XprType>::Alignment };

  explicit evaluator(const XprType& matrix)
      : mapbase_evaluator<XprType, lbw::EigenMatrixOf<Scalar_, order>>(matrix) {}
};

}  // namespace Eigen::internal

namespace lbw {

/// A matrix or column vector. It can be used in Eigen expressions, converts from and to Eigen
/// matrices by copying, and is resized by assignment.
///
/// Eigen's own matrices depend on compiler flags: -mavx, for instance, changes how their memory is
/// aligned and freed. This class is a pointer and two sizes in every program, and the library
/// allocates its memory (memory.hpp), so the library and a program may be compiled differently.
template <typename Scalar_, Order order>
class MatrixOf : public Eigen::MatrixBase<MatrixOf<Scalar_, order>> {
  static_assert(std::is_trivially_copyable_v<Scalar_>);
  static constexpr bool is_vector = order == Order::vector;

 public:
  using Scalar = Scalar_;
  // members that Eigen requires; Eigen::Map calls Base::_check_template_params
  using Base = MatrixOf;
  using PointerType = Scalar*;
  using Nested = const MatrixOf&;
  enum { Options = Eigen::internal::traits<MatrixOf>::Options };
  static void _check_template_params() {}

  MatrixOf() = default;
  /// Not initialized, as in Eigen.
  explicit MatrixOf(Index size) requires is_vector : MatrixOf(size, 1) {}
  MatrixOf(Index n_rows, Index n_columns) { resize(n_rows, n_columns); }
  /// The rows of a matrix, {{1, 2}, {3, 4}}, or all entries of a vector, {{1, 2, 3}}.
  MatrixOf(std::initializer_list<std::initializer_list<Scalar>> rows) : MatrixOf() {
    fill_rows(rows);
  }

  MatrixOf(const MatrixOf& other) : MatrixOf(other.n_rows_, other.n_columns_) {
    std::copy_n(other.data_, other.size(), data_);
  }
  MatrixOf(MatrixOf&& other) noexcept : MatrixOf() { swap(other); }
  /// Evaluates an expression of Eigen.
  template <typename Other>
  MatrixOf(const Eigen::EigenBase<Other>& other) : MatrixOf() {  // NOLINT: implicit on purpose
    assign_new(other.derived());
  }
  ~MatrixOf() { free_memory(data_); }

  MatrixOf& operator=(const MatrixOf& other) {
    if (this == &other) return *this;
    resize(other.n_rows_, other.n_columns_);
    std::copy_n(other.data_, other.size(), data_);
    return *this;
  }
  MatrixOf& operator=(MatrixOf&& other) noexcept {
    swap(other);
    return *this;
  }
  template <typename Other>
  MatrixOf& operator=(const Eigen::EigenBase<Other>& other) {
    assign(other.derived());
    return *this;
  }

  [[nodiscard]] Index rows() const noexcept { return n_rows_; }
  [[nodiscard]] Index cols() const noexcept { return is_vector ? 1 : n_columns_; }
  [[nodiscard]] Index size() const noexcept { return rows() * cols(); }
  [[nodiscard]] Scalar* data() noexcept { return data_; }
  [[nodiscard]] const Scalar* data() const noexcept { return data_; }
  // a vector is a contiguous range and converts to std::span
  [[nodiscard]] Scalar* begin() noexcept requires is_vector { return data_; }
  [[nodiscard]] Scalar* end() noexcept requires is_vector { return data_ + n_rows_; }
  [[nodiscard]] const Scalar* begin() const noexcept requires is_vector { return data_; }
  [[nodiscard]] const Scalar* end() const noexcept requires is_vector { return data_ + n_rows_; }
  [[nodiscard]] Index innerStride() const noexcept { return 1; }
  [[nodiscard]] Index outerStride() const noexcept {
    return order == Order::row_major ? n_columns_ : n_rows_;
  }

  [[nodiscard]] const Scalar& coeff(Index row, Index column) const {
    return data_[at(row, column)];
  }
  [[nodiscard]] const Scalar& coeff(Index i) const { return data_[i]; }
  [[nodiscard]] Scalar& coeffRef(Index row, Index column) { return data_[at(row, column)]; }
  [[nodiscard]] Scalar& coeffRef(Index i) { return data_[i]; }
  [[nodiscard]] const Scalar& coeffRef(Index row, Index column) const { return coeff(row, column); }
  [[nodiscard]] const Scalar& coeffRef(Index i) const { return data_[i]; }

  /// The entries are undefined afterwards unless the size stays the same.
  void resize(Index n_rows, Index n_columns) {
    const std::size_t n_bytes = bytes_of(n_rows, n_columns);
    if (n_rows * n_columns != size()) {
      free_memory(std::exchange(data_, nullptr));
      n_rows_ = 0;  // in case the allocation fails
      if (n_bytes > 0) data_ = static_cast<Scalar*>(allocate_memory(n_bytes));
    }
    n_rows_ = n_rows;
    n_columns_ = n_columns;
  }
  void resize(Index size) requires is_vector { resize(size, 1); }
  void resize(Index n_rows, Eigen::NoChange_t) { resize(n_rows, cols()); }
  void resize(Eigen::NoChange_t, Index n_columns) { resize(rows(), n_columns); }
  template <typename Other>
  void resizeLike(const Eigen::EigenBase<Other>& other) {
    resize(other.rows(), other.cols());
  }

  /// Preserves the entries of the remaining rows and columns.
  void conservativeResize(Index n_rows, Index n_columns) {
    const bool outer_only = order == Order::row_major ? n_columns == cols() : n_rows == rows();
    if (is_vector || outer_only) {
      resize_in_place(n_rows, n_columns);
      return;
    }
    MatrixOf resized(n_rows, n_columns);
    const Index kept_rows = std::min(n_rows, rows());
    const Index kept_columns = std::min(n_columns, cols());
    resized.topLeftCorner(kept_rows, kept_columns) = this->topLeftCorner(kept_rows, kept_columns);
    swap(resized);
  }
  void conservativeResize(Index size) requires is_vector { conservativeResize(size, 1); }
  void conservativeResize(Index n_rows, Eigen::NoChange_t) { conservativeResize(n_rows, cols()); }
  void conservativeResize(Eigen::NoChange_t, Index n_columns) {
    conservativeResize(rows(), n_columns);
  }

  using Eigen::MatrixBase<MatrixOf>::swap;
  void swap(MatrixOf& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(n_rows_, other.n_rows_);
    std::swap(n_columns_, other.n_columns_);
  }
  friend void swap(MatrixOf& first, MatrixOf& second) noexcept { first.swap(second); }

  using Eigen::MatrixBase<MatrixOf>::setConstant;
  using Eigen::MatrixBase<MatrixOf>::setIdentity;
  using Eigen::MatrixBase<MatrixOf>::setOnes;
  using Eigen::MatrixBase<MatrixOf>::setZero;
  MatrixOf& setZero(Index size) requires is_vector { return setConstant(size, Scalar(0)); }
  MatrixOf& setZero(Index n_rows, Index n_columns) {
    return setConstant(n_rows, n_columns, Scalar(0));
  }
  MatrixOf& setOnes(Index size) requires is_vector { return setConstant(size, Scalar(1)); }
  MatrixOf& setOnes(Index n_rows, Index n_columns) {
    return setConstant(n_rows, n_columns, Scalar(1));
  }
  MatrixOf& setConstant(Index size, const Scalar& value) requires is_vector {
    resize(size);
    return setConstant(value);
  }
  MatrixOf& setConstant(Index n_rows, Index n_columns, const Scalar& value) {
    resize(n_rows, n_columns);
    return setConstant(value);
  }

 private:
  [[nodiscard]] Index at(Index row, Index column) const {
    return order == Order::row_major ? row * n_columns_ + column : row + column * n_rows_;
  }

  static std::size_t bytes_of(Index n_rows, Index n_columns) {
    eigen_assert(n_rows >= 0 && n_columns >= 0 && (!is_vector || n_columns == 1));
    constexpr Index most = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(Scalar));
    if (n_columns > 0 && n_rows > most / n_columns) throw std::bad_alloc();
    return static_cast<std::size_t>(n_rows * n_columns) * sizeof(Scalar);
  }

  void resize_in_place(Index n_rows, Index n_columns) {
    const std::size_t n_bytes = bytes_of(n_rows, n_columns);
    if (n_bytes == 0) return resize(n_rows, n_columns);
    const std::size_t old_bytes = static_cast<std::size_t>(size()) * sizeof(Scalar);
    if (n_bytes != old_bytes) {
      data_ = static_cast<Scalar*>(resize_memory(data_, old_bytes, n_bytes));
    }
    n_rows_ = n_rows;
    n_columns_ = n_columns;
  }

  void fill_rows(std::initializer_list<std::initializer_list<Scalar>> rows) {
    const Index n_outer = static_cast<Index>(rows.size());
    const Index n_inner = n_outer == 0 ? 0 : static_cast<Index>(rows.begin()->size());
    eigen_assert(!is_vector || n_outer <= 1 || n_inner == 1);
    if (is_vector) {
      resize(n_outer == 1 ? n_inner : n_outer, 1);
    } else {
      resize(n_outer, n_inner);
    }
    Index row = 0;
    for (const auto& values : rows) {
      eigen_assert(static_cast<Index>(values.size()) == n_inner);
      Index column = 0;
      for (const Scalar& value : values) {
        (is_vector ? data_[row + column] : this->coeffRef(row, column)) = value;
        ++column;
      }
      ++row;
    }
  }

  // The expression cannot refer to memory that is allocated here: no temporary is needed.
  template <typename Other>
  void assign_new(const Other& other) {
    if constexpr (std::is_base_of_v<Eigen::DenseBase<Other>, Other>) {
      resize_like(other);
      Eigen::internal::call_assignment_no_alias(
          *this, other, Eigen::internal::assign_op<Scalar, typename Other::Scalar>());
    } else {
      assign(other);
    }
  }
  template <typename Other>
  void assign(const Other& other) {
    if constexpr (!std::is_base_of_v<Eigen::DenseBase<Other>, Other>) resize_like(other);
    Eigen::internal::call_assignment(*this, other);
  }
  // a row vector becomes a column, as in Eigen
  template <typename Other>
  void resize_like(const Other& other) {
    if (is_vector && other.rows() == 1) {
      resize(other.cols(), 1);
    } else {
      resize(other.rows(), other.cols());
    }
  }

  Scalar* data_ = nullptr;
  Index n_rows_ = 0;
  Index n_columns_ = is_vector ? 1 : 0;
};

}  // namespace lbw

// _GLIBCXX_DEBUG changes the layout of the standard containers. A program compiled with it does not
// link to a library compiled without it, and the name of the undefined symbol explains why.
#ifdef _GLIBCXX_DEBUG
#define LBW_CONTAINERS the_library_was_built_with_GLIBCXX_DEBUG
#else
#define LBW_CONTAINERS the_library_was_built_without_GLIBCXX_DEBUG
#endif

namespace lbw {

extern const char LBW_CONTAINERS;
[[maybe_unused, gnu::used]] static const char* const containers_of_the_library = &LBW_CONTAINERS;

using Vector = MatrixOf<double, Order::vector>;
using Matrix = MatrixOf<double, Order::column_major>;
/// Samples, means and costs: one row each, row major as in NumPy.
using RowMatrix = MatrixOf<double, Order::row_major>;
/// Single-precision samples, accepted as input; sums are computed in double precision.
using RowMatrixF = MatrixOf<float, Order::row_major>;
/// One component or column index per row; -1 means none if a function documents it.
using Labels = MatrixOf<int, Order::vector>;

// The layout must be the same in the library and in every program.
static_assert(
    sizeof(Vector) == 3 * sizeof(void*) && sizeof(RowMatrix) == 3 * sizeof(void*),
    "lbw's matrices must be a pointer and two numbers: Eigen was extended with data members");

}  // namespace lbw
// NOLINTEND(readability-identifier-naming)
