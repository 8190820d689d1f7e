// SPDX-License-Identifier: MIT
// Squared distances of a block of samples to centers.
#if defined(LBW_DEVICE_CENTER_DISTANCES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_CENTER_DISTANCES_INL_HPP
#undef LBW_DEVICE_CENTER_DISTANCES_INL_HPP
#else
#define LBW_DEVICE_CENTER_DISTANCES_INL_HPP
#endif

#include "device/load-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

using Group = Vec<double>[group_vectors];

/// Squared distances of a group of points to one center.
HWY_INLINE void squared_distances(const double* features, const double* center, Index n_features,
                                  Group& out) {
  const Tag<double> d;
  const Index step = lanes<double>();
  LBW_UNROLL
  for (int v = 0; v < group_vectors; ++v) out[v] = hn::Zero(d);
  for (Index f = 0; f < n_features; ++f) {
    const Vec<double> shift = hn::Set(d, center[f]);
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      const Vec<double> difference = hn::Sub(hn::Load(d, features + v * step), shift);
      out[v] = hn::MulAdd(difference, difference, out[v]);
    }
    features += row_stride<double>;
  }
}

/// One block of samples, feature by feature.
struct FeatureBlock {
  Vector origin;  ///< 0: differences to close centers are exact
  Rows<double> features;

  explicit FeatureBlock(Index n_features)
      : origin(Vector::Zero(n_features)), features(n_features) {}

  void load(SampleView samples, Index first, Index count) {
    load_features(samples, first, count, origin, features);
  }

  /// Some samples, at most block_points. Those after them keep the values of an earlier block.
  void gather(SampleView samples, const Index* positions, Index count) {
    if (samples.is_float()) {
      gather_rows(samples.floats(), samples.row_stride(), positions, count);
    } else {
      gather_rows(samples.doubles(), samples.row_stride(), positions, count);
    }
  }

 private:
  template <typename Input>
  HWY_INLINE void gather_rows(const Input* data, Index stride, const Index* positions,
                              Index count) {
    for (Index i = 0; i < count; ++i) {
      const Input* const sample = data + positions[i] * stride;
      for (Index f = 0; f < origin.size(); ++f) {
        features.row(f)[i] = static_cast<double>(sample[f]);
      }
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
