// SPDX-License-Identifier: MIT
// Transposes samples into the rows of a block, so that vectors run over points.
#if defined(LBW_DEVICE_LOAD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_LOAD_INL_HPP
#undef LBW_DEVICE_LOAD_INL_HPP
#else
#define LBW_DEVICE_LOAD_INL_HPP
#endif

#include <type_traits>

#include "device/kernel_table.hpp"
#include "device/tables.hpp"
#include "device/transpose-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Points and features that are transposed together, in a buffer that fits the first-level cache.
constexpr Index strip_points = 32;
constexpr Index strip_features = 8;

/// Beyond any sample for which single precision is used; its square is still finite.
constexpr double farthest_single = 1e15;

/// Whether no feature of a point was clamped, from the squared norm of its loaded features.
HWY_INLINE auto is_not_clamped(Vec<float> squared_norm) {
  const Tag<float> d;
  return hn::Lt(squared_norm,
                hn::Set(d, static_cast<float>(0.99 * farthest_single * farthest_single)));
}

HWY_INLINE Vec<double> clamped(Vec<double> values) {
  const Tag<double> d;
  return hn::Min(hn::Max(values, hn::Set(d, -farthest_single)), hn::Set(d, farthest_single));
}

/// row = values of one vector, clamped in single precision.
template <typename T>
HWY_INLINE void store_values(Vec<double> values, T* row) {
  if constexpr (std::is_same_v<T, double>) {
    hn::Store(values, Tag<double>(), row);
  } else {
    const hn::Rebind<float, Tag<double>> half;
    hn::Store(hn::DemoteTo(half, clamped(values)), half, row);
  }
}

template <typename Input>
HWY_INLINE Vec<double> load_values(const Input* values) {
  const Tag<double> d;
  if constexpr (std::is_same_v<Input, double>) {
    return hn::LoadU(d, values);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Input, Tag<double>>(), values));
  }
}

/// A strip of points and as many features as a vector has lanes.
template <typename T, typename Input>
HWY_INLINE void load_squares(const Input* input, Index stride, const double* origin, T* rows,
                             Index rows_apart) {
  constexpr int side = square_rows<double>;
  for (Index i = 0; i < strip_points; i += side) {
    Vec<double> square[side];
    LBW_UNROLL
    for (int r = 0; r < side; ++r) square[r] = load_values(input + (i + r) * stride);
    transpose_square<double>(square);
    LBW_UNROLL
    for (int f = 0; f < side; ++f) {
      store_values(hn::Sub(square[f], hn::Set(Tag<double>(), origin[f])),
                   rows + f * rows_apart + i);
    }
  }
}

/// At most strip_points points and strip_features features.
template <typename T, typename Input>
HWY_INLINE void load_values_one_by_one(const Input* input, Index stride, Index count,
                                       const double* origin, Index n_features, T* rows,
                                       Index rows_apart) {
  const Tag<double> d;
  HWY_ALIGN double turned[strip_features * strip_points];
  for (Index i = 0; i < count; ++i) {
    for (Index f = 0; f < n_features; ++f) {
      turned[f * strip_points + i] = static_cast<double>(input[i * stride + f]);
    }
  }
  for (Index f = 0; f < n_features; ++f) {
    double* const values = turned + f * strip_points;
    std::fill(values + count, values + strip_points, origin[f]);
    for (Index i = 0; i < strip_points; i += lanes<double>()) {
      store_values(hn::Sub(hn::Load(d, values + i), hn::Set(d, origin[f])),
                   rows + f * rows_apart + i);
    }
  }
}

template <typename T, typename Input>
HWY_INLINE void load_strip(const Input* input, Index stride, Index count, const Vector& origin,
                           T* rows, Index rows_apart) {
  constexpr Index side = square_rows<double>;
  Index f = 0;
  if (count == strip_points) {
    for (; f + side <= origin.size(); f += side) {
      load_squares(input + f, stride, origin.data() + f, rows + f * rows_apart, rows_apart);
    }
  }
  for (; f < origin.size(); f += strip_features) {
    load_values_one_by_one(input + f, stride, count, origin.data() + f,
                           std::min(strip_features, origin.size() - f), rows + f * rows_apart,
                           rows_apart);
  }
}

/// rows[f * rows_apart + i] = samples(begin + i, f) - origin[f] for i < count; 0 up to
/// strip_points. The subtraction is done in double precision; single precision clamps at +-1e15.
template <typename T>
HWY_INLINE void load_strip_of(SampleView samples, Index begin, Index count, const Vector& origin,
                              T* rows, Index rows_apart) {
  const Index stride = samples.row_stride();
  if (samples.is_float()) {
    load_strip(samples.floats() + begin * stride, stride, count, origin, rows, rows_apart);
  } else {
    load_strip(samples.doubles() + begin * stride, stride, count, origin, rows, rows_apart);
  }
}

/// Samples [begin, begin + count) as by load_strip_of; 0 up to the end of the block.
template <typename T>
HWY_INLINE void load_features(SampleView samples, Index begin, Index count, const Vector& origin,
                              Rows<T>& rows) {
  for (Index i = 0; i < count; i += strip_points) {
    load_strip_of(samples, begin + i, std::min(strip_points, count - i), origin, rows.row(0) + i,
                  row_stride<T>);
  }
  const Index end = (count + strip_points - 1) / strip_points * strip_points;
  for (Index f = 0; f < origin.size(); ++f) {
    std::fill(rows.row(f) + end, rows.row(f) + block_points<T>, T{0});
  }
}

/// out[i] = sum of the squares of rows[f * rows_apart + i], for n_points that fill vectors.
template <typename T>
HWY_INLINE void sum_squares(const T* rows, Index rows_apart, Index n_rows, Index n_points, T* out) {
  const Tag<T> d;
  for (Index i = 0; i < n_points; i += lanes<T>()) {
    Vec<T> sum = hn::Zero(d);
    for (Index f = 0; f < n_rows; ++f) {
      const Vec<T> value = hn::Load(d, rows + f * rows_apart + i);
      sum = hn::MulAdd(value, value, sum);
    }
    hn::Store(sum, d, out + i);
  }
}

/// The means of a table in the precision of the kernel.
template <typename T>
AlignedArray<T> packed_means(const KernelTable& table) {
  AlignedArray<T> means(table.means.size());
  for (Index i = 0; i < table.means.size(); ++i) {
    means[i] = static_cast<T>(table.means.data()[i]);
  }
  return means;
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
