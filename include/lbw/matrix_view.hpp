// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/types.hpp>
#include <type_traits>

namespace lbw {

/// A read-only argument of type matrix: row major, rows `row_stride` entries apart.
///
/// Converts from every matrix and expression of doubles. A row-major matrix is not copied and must
/// outlive the view. Everything else is copied.
class MatrixView {
 public:
  template <typename Derived>
  requires std::is_same_v<typename Derived::Scalar, double> MatrixView(
      const Eigen::DenseBase<Derived>& matrix)  // NOLINT: implicit on purpose
      : n_rows_(matrix.rows()), n_columns_(matrix.cols()) {
    if constexpr (is_in_place<Derived>()) {
      data_ = matrix.derived().data();
      row_stride_ = matrix.derived().rowStride();
    } else {
      copy_ = matrix.derived();
      data_ = copy_.data();
      row_stride_ = n_columns_;
    }
  }
  MatrixView(const double* data, Index n_rows, Index n_columns, Index row_stride)
      : data_(data), n_rows_(n_rows), n_columns_(n_columns), row_stride_(row_stride) {}
  MatrixView(const MatrixView&) = delete;
  MatrixView& operator=(const MatrixView&) = delete;
  ~MatrixView() = default;

  [[nodiscard]] const double* data() const { return data_; }
  [[nodiscard]] Index rows() const { return n_rows_; }
  [[nodiscard]] Index cols() const { return n_columns_; }
  [[nodiscard]] Index row_stride() const { return row_stride_; }

  /// As an expression of Eigen.
  [[nodiscard]] auto values() const {
    return Eigen::Map<const EigenMatrixOf<double, Order::row_major>, Eigen::Unaligned,
                      Eigen::OuterStride<>>(data_, n_rows_, n_columns_,
                                            Eigen::OuterStride<>(row_stride_));
  }

 private:
  template <typename Derived>
  static constexpr bool is_in_place() {
    return bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit) &&
           Derived::IsRowMajor && Derived::InnerStrideAtCompileTime == 1;
  }

  RowMatrix copy_;
  const double* data_ = nullptr;
  Index n_rows_ = 0;
  Index n_columns_ = 0;
  Index row_stride_ = 0;
};

/// An output argument of type matrix: row major, rows `row_stride` entries apart. Converts from a
/// RowMatrix, its blocks and maps.
class MatrixSpan {
 public:
  template <typename Derived>
  MatrixSpan(Eigen::DenseBase<Derived>& matrix)  // NOLINT: implicit on purpose
      : MatrixSpan(matrix.derived().data(), matrix.rows(), matrix.cols(),
                   matrix.derived().rowStride()) {
    check<Derived>();
  }
  /// A temporary block or map of a matrix. A temporary matrix does not convert.
  template <typename Derived>
  requires(!std::is_base_of_v<Eigen::PlainObjectBase<Derived>, Derived> &&
           !bool(Eigen::internal::traits<Derived>::Flags & Eigen::NestByRefBit))
      MatrixSpan(Eigen::DenseBase<Derived>&& matrix)  // NOLINT: implicit on purpose
      : MatrixSpan(matrix) {}
  MatrixSpan(double* data, Index n_rows, Index n_columns, Index row_stride)
      : data_(data), n_rows_(n_rows), n_columns_(n_columns), row_stride_(row_stride) {}

  [[nodiscard]] double* data() const { return data_; }
  [[nodiscard]] Index rows() const { return n_rows_; }
  [[nodiscard]] Index cols() const { return n_columns_; }
  [[nodiscard]] Index row_stride() const { return row_stride_; }

  /// As an expression of Eigen, which can be assigned to.
  [[nodiscard]] auto values() const {
    return Eigen::Map<EigenMatrixOf<double, Order::row_major>, Eigen::Unaligned,
                      Eigen::OuterStride<>>(data_, n_rows_, n_columns_,
                                            Eigen::OuterStride<>(row_stride_));
  }

 private:
  template <typename Derived>
  static constexpr void check() {
    static_assert(bool(Eigen::internal::traits<Derived>::Flags & Eigen::DirectAccessBit) &&
                      Derived::IsRowMajor && Derived::InnerStrideAtCompileTime == 1,
                  "MatrixSpan needs a row-major matrix in memory");
  }

  double* data_ = nullptr;
  Index n_rows_ = 0;
  Index n_columns_ = 0;
  Index row_stride_ = 0;
};

}  // namespace lbw
