// SPDX-License-Identifier: MIT
// The points of a block about an origin, in the precision of the kernel.
#if defined(LBW_DEVICE_POINT_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_POINT_ROWS_INL_HPP
#undef LBW_DEVICE_POINT_ROWS_INL_HPP
#else
#define LBW_DEVICE_POINT_ROWS_INL_HPP
#endif

#include "device/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Features up to whole vectors.
template <typename T>
HWY_INLINE Index padded_features(Index n_features) {
  return (n_features + lanes<T>() - 1) / lanes<T>() * lanes<T>();
}

HWY_INLINE Vec<double> load_doubles(const double* values) {
  return hn::LoadU(Tag<double>(), values);
}
HWY_INLINE Vec<double> load_doubles(const float* values) {
  const Tag<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag<double>>(), values));
}

/// One row per point, its features and then 0 up to whole vectors, so that kernels read aligned
/// vectors and need no special case for the last one.
template <typename T>
class PointRows {
 public:
  PointRows(const Vector& origin, Index n_points)
      : n_features_(origin.size()),
        // the extra cache line prevents rows from sharing the same cache sets
        apart_(padded_features<T>(n_features_) + 64 / static_cast<Index>(sizeof(T))),
        origin_(padded_features<double>(n_features_)),
        values_(n_points * apart_) {
    std::copy_n(origin.data(), n_features_, origin_.data());
  }

  [[nodiscard]] Index n_features() const { return n_features_; }
  [[nodiscard]] Index apart() const { return apart_; }
  [[nodiscard]] HWY_INLINE T* row(Index i) const { return values_.data() + i * apart_; }

  /// rows [to, to + count) = samples from `begin` on minus the origin. The subtraction is done in
  /// double precision; single precision clamps at +-1e15.
  void load(SampleView samples, Index begin, Index count, Index to) {
    const Index stride = samples.row_stride();
    for (Index i = 0; i < count; ++i) {
      if (samples.is_float()) {
        load_row(samples.floats() + (begin + i) * stride, row(to + i));
      } else {
        load_row(samples.doubles() + (begin + i) * stride, row(to + i));
      }
    }
  }

  void clear(Index to, Index count) {
    for (Index i = to; i < to + count; ++i) std::fill_n(row(i), apart_, T{0});
  }

 private:
  static HWY_INLINE void store(Vec<double> values, T* to) {
    if constexpr (std::is_same_v<T, double>) {
      hn::Store(values, Tag<double>(), to);
    } else {
      const hn::Rebind<float, Tag<double>> half;
      hn::Store(hn::DemoteTo(half, clamped(values)), half, to);
    }
  }

  template <typename Input>
  HWY_INLINE void load_row(const Input* from, T* to) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    Index f = 0;
    for (; f + step <= n_features_; f += step) {
      store(hn::Sub(load_doubles(from + f), hn::Load(d, origin_.data() + f)), to + f);
    }
    if (f == n_features_) return;
    HWY_ALIGN double rest[HWY_MAX_BYTES / sizeof(double)] = {};
    for (Index i = f; i < n_features_; ++i) rest[i - f] = static_cast<double>(from[i]);
    store(hn::Sub(hn::Load(d, rest), hn::Load(d, origin_.data() + f)), to + f);
  }

  Index n_features_;
  Index apart_;
  AlignedArray<double> origin_;
  AlignedArray<T> values_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
