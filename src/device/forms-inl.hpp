// SPDX-License-Identifier: MIT
// Linear forms of the terms of a block, and sums of products of its rows: the two matrix products
// of EM, in tiles that stay in registers.
#if defined(LBW_DEVICE_FORMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_FORMS_INL_HPP
#undef LBW_DEVICE_FORMS_INL_HPP
#else
#define LBW_DEVICE_FORMS_INL_HPP
#endif

#include "device/ahead-inl.hpp"
#include "device/forms.hpp"
#include "device/moment_vectors-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Forms that a tile evaluates at once for group_vectors vectors of points.
constexpr int form_tile = many_registers ? 6 : 3;

/// The coefficients of a table of forms in the order in which the tiles read them.
class PackedForms {
 public:
  explicit PackedForms(const FormTable& table)
      : n_forms_(table.n_forms()),
        n_terms_(table.n_terms()),
        n_tiles_((n_forms_ + form_tile - 1) / form_tile),
        values_(n_forms_ * (n_terms_ + 1)) {
    double* next = values_.data();
    for (Index tile = 0; tile < n_tiles_; ++tile) {
      for (Index form = begin(tile); form < begin(tile + 1); ++form)
        *next++ = table.constants[form];
      for (Index term = 0; term < n_terms_; ++term) {
        for (Index form = begin(tile); form < begin(tile + 1); ++form) {
          *next++ = table.coefficients(form, term);
        }
      }
    }
  }

  /// out.row(form) for the group of points that begins at `first`. Terms: n_terms, or 0 to read it.
  /// It also prefetches for `ahead`.
  template <int Terms>
  HWY_INLINE void evaluate(const Rows<double>& terms, Index first, Rows<double>& out,
                           Ahead& ahead) const {
    for (Index tile = 0; tile < n_tiles_; ++tile) {
      const double* packed = values_.data() + begin(tile) * (n_terms_ + 1);
      const Index n_forms = begin(tile + 1) - begin(tile);
      evaluate_tile<Terms>(n_forms, terms.row(0) + first, packed, out.row(begin(tile)) + first,
                           ahead);
    }
  }

 private:
  /// Tiles have nearly equal sizes: 20 forms are four tiles of 5, not 6, 6, 6 and 2.
  Index begin(Index tile) const { return tile * n_forms_ / n_tiles_; }

  template <int Terms>
  HWY_INLINE void evaluate_tile(Index n_forms, const double* terms, const double* packed,
                                double* out, Ahead& ahead) const {
    switch (n_forms) {
      case 1:
        return evaluate_tile_of<1, Terms>(terms, packed, out, ahead);
      case 2:
        return evaluate_tile_of<2, Terms>(terms, packed, out, ahead);
      case 3:
        return evaluate_tile_of<3, Terms>(terms, packed, out, ahead);
      case 4:
        return evaluate_tile_of<4, Terms>(terms, packed, out, ahead);
      case 5:
        return evaluate_tile_of<5, Terms>(terms, packed, out, ahead);
      default:
        return evaluate_tile_of<6, Terms>(terms, packed, out, ahead);
    }
  }

  template <int Forms, int Terms>
  HWY_INLINE void evaluate_tile_of(const double* terms, const double* packed, double* out,
                                   Ahead& ahead) const {
    const Tag<double> d;
    const Index n_terms = Terms > 0 ? Terms : n_terms_;
    const Index step = lanes<double>();
    Vec<double> sums[Forms][group_vectors];
    LBW_UNROLL
    for (int form = 0; form < Forms; ++form) {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) sums[form][v] = hn::Set(d, packed[form]);
    }
    for (Index term = 0; term < n_terms; ++term) {
      packed += Forms;
      if (term % 4 == 0) ahead.fetch_line();
      Vec<double> values[group_vectors];
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) values[v] = hn::Load(d, terms + v * step);
      LBW_UNROLL
      for (int form = 0; form < Forms; ++form) {
        const Vec<double> coefficient = hn::Set(d, packed[form]);
        LBW_UNROLL
        for (int v = 0; v < group_vectors; ++v) {
          sums[form][v] = hn::MulAdd(coefficient, values[v], sums[form][v]);
        }
      }
      terms += row_stride<double>;
    }
    LBW_UNROLL
    for (int form = 0; form < Forms; ++form) {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        hn::Store(sums[form][v], d, out + form * row_stride<double> + v * step);
      }
    }
  }

  Index n_forms_;
  Index n_terms_;
  Index n_tiles_;
  AlignedArray<double> values_;
};

/// left.sums[l][r * lanes ...] += left.rows[l] * right.row(r), summed over vectors.
template <typename T>
class ProductSums {
 public:
  static constexpr int left_tile = many_registers ? 5 : 3;
  static constexpr int right_tile = many_registers ? 5 : 4;

  static HWY_INLINE void add(const WeightRows<T>& left, const T* right, Index n_right,
                             Index n_vectors) {
    const Index n_left = std::ssize(left.rows);
    for (Index l = 0; l < n_left; l += left_tile) {
      const T* const* rows = left.rows.data() + l;
      T* const* sums = left.sums.data() + l;
      switch (std::min<Index>(left_tile, n_left - l)) {
        case 1:
          add_columns<1>(rows, right, n_right, n_vectors, sums);
          break;
        case 2:
          add_columns<2>(rows, right, n_right, n_vectors, sums);
          break;
        case 3:
          add_columns<3>(rows, right, n_right, n_vectors, sums);
          break;
        case 4:
          add_columns<4>(rows, right, n_right, n_vectors, sums);
          break;
        default:
          add_columns<5>(rows, right, n_right, n_vectors, sums);
          break;
      }
    }
  }

 private:
  template <int Left>
  static HWY_INLINE void add_columns(const T* const* left, const T* right, Index n_right,
                                     Index n_vectors, T* const* sums) {
    for (Index r = 0; r < n_right; r += right_tile) {
      const T* columns = right + r * row_stride<T>;
      const Index offset = r * lanes<T>();
      switch (std::min<Index>(right_tile, n_right - r)) {
        case 1:
          add_tile<Left, 1>(left, columns, n_vectors, sums, offset);
          break;
        case 2:
          add_tile<Left, 2>(left, columns, n_vectors, sums, offset);
          break;
        case 3:
          add_tile<Left, 3>(left, columns, n_vectors, sums, offset);
          break;
        case 4:
          add_tile<Left, 4>(left, columns, n_vectors, sums, offset);
          break;
        default:
          add_tile<Left, 5>(left, columns, n_vectors, sums, offset);
          break;
      }
    }
  }

  template <int Left, int Right>
  static HWY_INLINE void add_tile(const T* const* left, const T* right, Index n_vectors,
                                  T* const* sums, Index offset) {
    const Tag<T> d;
    const Index step = lanes<T>();
    Vec<T> tile[Left][Right];
    const T* rows[Left];
    LBW_UNROLL
    for (int l = 0; l < Left; ++l) {
      rows[l] = left[l];
      LBW_UNROLL
      for (int r = 0; r < Right; ++r) tile[l][r] = hn::Zero(d);
    }
    for (Index i = 0; i < n_vectors * step; i += step) {
      Vec<T> values[Left];
      LBW_UNROLL
      for (int l = 0; l < Left; ++l) values[l] = hn::Load(d, rows[l] + i);
      LBW_UNROLL
      for (int r = 0; r < Right; ++r) {
        const Vec<T> value = hn::Load(d, right + r * row_stride<T> + i);
        LBW_UNROLL
        for (int l = 0; l < Left; ++l) tile[l][r] = hn::MulAdd(values[l], value, tile[l][r]);
      }
    }
    LBW_UNROLL
    for (int l = 0; l < Left; ++l) {
      LBW_UNROLL
      for (int r = 0; r < Right; ++r) {
        T* const out = sums[l] + offset + r * step;
        hn::Store(hn::Add(tile[l][r], hn::Load(d, out)), d, out);
      }
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
