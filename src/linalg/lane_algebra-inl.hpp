// SPDX-License-Identifier: MIT
// Small dense matrices of many equal problems, one problem per vector lane. Highway compiles the
// files that include this once per instruction set, so the include guard is toggled for each of
// them instead of #pragma once.
//
// The lanes never meet: a problem gives the same bits in any lane, next to any others, and on a tag
// of one lane.
#if defined(LBW_LINALG_LANE_ALGEBRA_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_LINALG_LANE_ALGEBRA_INL_HPP
#undef LBW_LINALG_LANE_ALGEBRA_INL_HPP
#else
#define LBW_LINALG_LANE_ALGEBRA_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <lbw/matrix.hpp>

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A matrix of every lane as a factor of a product.
struct LaneFactor {
  const double* data = nullptr;
  Index outer = 0;  ///< distance between the entries of adjacent rows or columns of the product
  Index depth = 0;  ///< distance between the entries of adjacent terms of a sum
};

/// The terms of a sum that are not zero because a factor is triangular, for entry (row, column).
struct LaneTerms {
  bool from_row = false;
  bool from_column = false;
  bool to_row = false;
  bool to_column = false;
};

/// result = diagonal * I + scale * left right
struct LaneProduct {
  LaneFactor left = {};
  LaneFactor right = {};
  double* result = nullptr;
  LaneTerms terms = {};
  double scale = 1.0;
  double diagonal = 0.0;
  bool is_symmetric = false;  ///< computes the lower triangle only, and copies it
};

/// Operations on square matrices with n rows. Entry (row, column) of all lanes is one vector, and
/// the matrices are column-major.
template <class D>
class LaneAlgebra {
 public:
  using V = hn::Vec<D>;

  explicit LaneAlgebra(Index n)
      : n_(n), step_(static_cast<Index>(hn::Lanes(D()))), column_(n * step_) {}

  [[nodiscard]] Index rows() const { return n_; }
  [[nodiscard]] Index size() const { return n_ * column_; }  ///< in numbers
  [[nodiscard]] Index step() const { return step_; }

  [[nodiscard]] HWY_INLINE V load(const double* matrix, Index row, Index column) const {
    return hn::Load(D(), matrix + column * column_ + row * step_);
  }
  HWY_INLINE void store(V value, double* matrix, Index row, Index column) const {
    hn::Store(value, D(), matrix + column * column_ + row * step_);
  }

  /// A as left factor, or A^T as right factor.
  [[nodiscard]] LaneFactor by_rows(const double* matrix) const { return {matrix, step_, column_}; }
  /// A^T as left factor, or A as right factor.
  [[nodiscard]] LaneFactor by_columns(const double* matrix) const {
    return {matrix, column_, step_};
  }

  HWY_NOINLINE void multiply(const LaneProduct& product) const {
    for (Index column = 0; column < n_; column += tile_columns) {
      const Index first = product.is_symmetric ? column / tile_rows * tile_rows : 0;
      for (Index row = first; row < n_; row += tile_rows) multiply_tile(product, row, column);
    }
    if (product.diagonal == 0.0) return;
    const V diagonal = hn::Set(D(), product.diagonal);
    for (Index i = 0; i < n_; ++i) {
      store(hn::Add(load(product.result, i, i), diagonal), product.result, i, i);
    }
  }

  /// Replaces the lower triangle of a matrix by L, where the matrix is L L^T, and the other entries
  /// by 0. True in lanes whose pivots exceed least_pivot times their diagonal entry; the numbers of
  /// other lanes are meaningless.
  /// @param inverse_roots  n vectors: 1 / L(i, i)
  HWY_NOINLINE hn::Mask<D> factor(double* matrix, double* inverse_roots, double least_pivot) const {
    const D d;
    const V least = hn::Set(d, least_pivot);
    auto sound = hn::Eq(hn::Zero(d), hn::Zero(d));
    for (Index i = 0; i < n_; ++i) {
      hn::Store(hn::Mul(least, load(matrix, i, i)), d, inverse_roots + i * step_);
    }
    for (Index column = 0; column < n_; ++column) {
      const V pivot = load(matrix, column, column);
      sound = hn::And(sound, hn::Gt(pivot, hn::Load(d, inverse_roots + column * step_)));
      const V root = hn::Sqrt(pivot);
      const V inverse = hn::Div(hn::Set(d, 1.0), root);
      store(root, matrix, column, column);
      hn::Store(inverse, d, inverse_roots + column * step_);
      for (Index row = 0; row < column; ++row) store(hn::Zero(d), matrix, row, column);
      for (Index row = column + 1; row < n_; ++row) {
        store(hn::Mul(load(matrix, row, column), inverse), matrix, row, column);
      }
      subtract_column(matrix, column);
    }
    return sound;
  }

  /// inverse = L^-1 of the factor above: row by row, from
  ///   inverse(r, c) = -sum of L(r, i) inverse(i, c) / L(r, r) over c <= i < r.
  HWY_NOINLINE void invert(const double* lower, const double* inverse_roots,
                           double* inverse) const {
    const D d;
    for (Index row = 0; row < n_; ++row) {
      const V root = hn::Load(d, inverse_roots + row * step_);
      for (Index column = 0; column < row; column += tile_columns) {
        const Index n_columns = std::min<Index>(tile_columns, row - column);
        if (n_columns == 4) invert_entries<4>(lower, hn::Neg(root), row, column, inverse);
        if (n_columns == 3) invert_entries<3>(lower, hn::Neg(root), row, column, inverse);
        if (n_columns == 2) invert_entries<2>(lower, hn::Neg(root), row, column, inverse);
        if (n_columns == 1) invert_entries<1>(lower, hn::Neg(root), row, column, inverse);
      }
      store(root, inverse, row, row);
      for (Index column = row + 1; column < n_; ++column) {
        store(hn::Zero(d), inverse, row, column);
      }
    }
  }

 private:
  /// Tiles of a product stay in registers: AVX-512 and NEON have 32 of them, the others 16.
  static constexpr int tile_rows = (HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON) ? 4 : 2;
  static constexpr int tile_columns = 4;

  /// sums[r][c] = sum of left(row + r, i) * right(i, column + c) over first <= i < last
  template <int Rows, int Columns>
  HWY_INLINE void sum_terms(const LaneFactor& left, const LaneFactor& right, Index row,
                            Index column, Index first, Index last, V (&sums)[Rows][Columns]) const {
    const D d;
    HWY_UNROLL(4)
    for (int r = 0; r < Rows; ++r) {
      HWY_UNROLL(4)
      for (int c = 0; c < Columns; ++c) sums[r][c] = hn::Zero(d);
    }
    const double* at_left = left.data + row * left.outer + first * left.depth;
    const double* at_right = right.data + column * right.outer + first * right.depth;
    for (Index i = first; i < last; ++i) {
      V values[Columns];
      HWY_UNROLL(4)
      for (int c = 0; c < Columns; ++c) values[c] = hn::Load(d, at_right + c * right.outer);
      HWY_UNROLL(4)
      for (int r = 0; r < Rows; ++r) {
        const V factor = hn::Load(d, at_left + r * left.outer);
        HWY_UNROLL(4)
        for (int c = 0; c < Columns; ++c) sums[r][c] = hn::MulAdd(factor, values[c], sums[r][c]);
      }
      at_left += left.depth;
      at_right += right.depth;
    }
  }

  template <int Rows, int Columns>
  HWY_NOINLINE void multiply_entries(const LaneProduct& product, Index row, Index column) const {
    const LaneTerms& terms = product.terms;
    const Index first = std::max(terms.from_row ? row : 0, terms.from_column ? column : 0);
    const Index last =
        std::min(terms.to_row ? row + Rows : n_, terms.to_column ? column + Columns : n_);
    V sums[Rows][Columns];
    sum_terms(product.left, product.right, row, column, first, last, sums);
    const V scale = hn::Set(D(), product.scale);
    double* const at = product.result + column * column_ + row * step_;
    double* const mirrored = product.result + row * column_ + column * step_;
    HWY_UNROLL(4)
    for (int r = 0; r < Rows; ++r) {
      HWY_UNROLL(4)
      for (int c = 0; c < Columns; ++c) {
        const V entry = hn::Mul(scale, sums[r][c]);
        if (product.is_symmetric) {
          if (row + r < column + c) continue;
          hn::Store(entry, D(), mirrored + r * column_ + c * step_);
        }
        hn::Store(entry, D(), at + c * column_ + r * step_);
      }
    }
  }

  template <int Rows>
  void multiply_rows(const LaneProduct& product, Index row, Index column) const {
    const Index n_columns = std::min<Index>(tile_columns, n_ - column);
    if (n_columns == 4) multiply_entries<Rows, 4>(product, row, column);
    if (n_columns == 3) multiply_entries<Rows, 3>(product, row, column);
    if (n_columns == 2) multiply_entries<Rows, 2>(product, row, column);
    if (n_columns == 1) multiply_entries<Rows, 1>(product, row, column);
  }

  void multiply_tile(const LaneProduct& product, Index row, Index column) const {
    const Index n_rows = std::min<Index>(tile_rows, n_ - row);
    if (n_rows == 1) return multiply_rows<1>(product, row, column);
    if (n_rows == 2) return multiply_rows<2>(product, row, column);
    if constexpr (tile_rows > 2) {
      if (n_rows == 3) return multiply_rows<3>(product, row, column);
      multiply_rows<4>(product, row, column);
    }
  }

  template <int Columns>
  HWY_INLINE void invert_entries(const double* lower, V minus_root, Index row, Index column,
                                 double* inverse) const {
    V sums[1][Columns];
    sum_terms(by_rows(lower), by_columns(inverse), row, column, column, row, sums);
    HWY_UNROLL(4)
    for (int c = 0; c < Columns; ++c) {
      store(hn::Mul(minus_root, sums[0][c]), inverse, row, column + c);
    }
  }

  /// Subtracts the products of a finished column from all columns behind it.
  HWY_INLINE void subtract_column(double* matrix, Index column) const {
    for (Index other = column + 1; other < n_; ++other) {
      const V factor = load(matrix, other, column);
      for (Index row = other; row < n_; ++row) {
        const V entry = load(matrix, row, other);
        store(hn::NegMulAdd(factor, load(matrix, row, column), entry), matrix, row, other);
      }
    }
  }

  Index n_;
  Index step_;    // between rows
  Index column_;  // between columns
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
