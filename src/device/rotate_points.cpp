// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/rotate_points.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "device/rotate_points.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Rows [row, row + Rows) of the product with the first columns, for all points: two vectors of
/// points at a time.
template <int Rows>
HWY_INLINE void rotate_rows(const Matrix& matrix, Index row, Index n_columns,
                            const RowMatrix& points, RowMatrix& out) {
  const Tag<double> d;
  const Index step = lanes<double>();
  const Index n_points = points.cols();
  for (Index i = 0; i < n_points; i += 2 * step) {
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

void rotate_points(const Matrix& matrix, bool lower, const RowMatrix& points, RowMatrix& out) {
  const auto n_columns = [&](Index end) { return lower ? end : matrix.cols(); };
  Index row = 0;
  for (; row + 4 <= matrix.rows(); row += 4) {
    rotate_rows<4>(matrix, row, n_columns(row + 4), points, out);
  }
  for (; row < matrix.rows(); ++row) rotate_rows<1>(matrix, row, n_columns(row + 1), points, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(rotate_points);

void rotate_points(const Matrix& matrix, const RowMatrix& points, RowMatrix& out) {
  HWY_DYNAMIC_DISPATCH(rotate_points)(matrix, false, points, out);
}

void multiply_by_lower(const Matrix& lower, const RowMatrix& points, RowMatrix& out) {
  HWY_DYNAMIC_DISPATCH(rotate_points)(lower, true, points, out);
}

}  // namespace lbw
#endif  // HWY_ONCE
