// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/rotate_points.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <algorithm>

#include "device/rotate_points.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Rows [row, row + Rows) of the product with the first columns, for points [begin, end): two
/// vectors of points at a time.
template <int Rows>
HWY_INLINE void rotate_rows(const Matrix& matrix, Index row, Index n_columns,
                            const RowMatrix& points, Index begin, Index end, RowMatrix& out) {
  const Tag<double> d;
  const Index step = lanes<double>();
  const Index n_points = points.cols();
  for (Index i = begin; i < end; i += 2 * step) {
    Vec<double> sums[2 * Rows];
    LBW_UNROLL
    for (int s = 0; s < 2 * Rows; ++s) sums[s] = hn::Zero(d);
    const double* coordinates = points.data() + i;
    const double* factors = matrix.data() + row;
    for (Index column = 0; column < n_columns; ++column) {
      const Vec<double> first = hn::LoadU(d, coordinates);
      const Vec<double> second = hn::LoadU(d, coordinates + step);
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const Vec<double> factor = hn::Set(d, factors[r]);
        sums[2 * r] = hn::MulAdd(factor, first, sums[2 * r]);
        sums[2 * r + 1] = hn::MulAdd(factor, second, sums[2 * r + 1]);
      }
      coordinates += n_points;
      factors += matrix.rows();
    }
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      double* const to = out.data() + (row + r) * n_points + i;
      hn::StoreU(sums[2 * r], d, to);
      hn::StoreU(sums[2 * r + 1], d, to + step);
    }
  }
}

// The accumulators of five rows fit the registers of all instruction sets.
void rotate_points(const Matrix& matrix, bool lower, const RowMatrix& points, Index begin,
                   Index end, RowMatrix& out) {
  for (Index row = 0; row < matrix.rows();) {
    const Index n_rows = std::min<Index>(5, matrix.rows() - row);
    const Index n_columns = lower ? row + n_rows : matrix.cols();
    switch (n_rows) {
      case 5:
        rotate_rows<5>(matrix, row, n_columns, points, begin, end, out);
        break;
      case 4:
        rotate_rows<4>(matrix, row, n_columns, points, begin, end, out);
        break;
      case 3:
        rotate_rows<3>(matrix, row, n_columns, points, begin, end, out);
        break;
      case 2:
        rotate_rows<2>(matrix, row, n_columns, points, begin, end, out);
        break;
      default:
        rotate_rows<1>(matrix, row, n_columns, points, begin, end, out);
    }
    row += n_rows;
  }
}

/// The same for a diagonal matrix, bitwise.
void scale_points(const Matrix& diagonal, const RowMatrix& points, Index begin, Index end,
                  RowMatrix& out) {
  const Tag<double> d;
  const Index n_points = points.cols();
  for (Index row = 0; row < diagonal.rows(); ++row) {
    const Vec<double> factor = hn::Set(d, diagonal(row, row));
    const double* const from = points.data() + row * n_points;
    double* const to = out.data() + row * n_points;
    for (Index i = begin; i < end; i += lanes<double>()) {
      hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, from + i), hn::Zero(d)), d, to + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(rotate_points);
HWY_EXPORT(scale_points);

namespace {

bool is_diagonal(const Matrix& matrix) {
  if (matrix.rows() != matrix.cols()) return false;
  for (Index column = 0; column < matrix.cols(); ++column) {
    for (Index row = 0; row < matrix.rows(); ++row) {
      if (row != column && matrix(row, column) != 0.0) return false;
    }
  }
  return true;
}

}  // namespace

void rotate_points(const Matrix& matrix, const RowMatrix& points, Index begin, Index end,
                   RowMatrix& out) {
  if (is_diagonal(matrix)) {
    HWY_DYNAMIC_DISPATCH(scale_points)(matrix, points, begin, end, out);
  } else {
    HWY_DYNAMIC_DISPATCH(rotate_points)(matrix, false, points, begin, end, out);
  }
}

void rotate_points(const Matrix& matrix, const RowMatrix& points, RowMatrix& out) {
  rotate_points(matrix, points, 0, points.cols(), out);
}

void multiply_by_lower(const Matrix& lower, const RowMatrix& points, RowMatrix& out) {
  HWY_DYNAMIC_DISPATCH(rotate_points)(lower, true, points, 0, points.cols(), out);
}

}  // namespace lbw
#endif  // HWY_ONCE
