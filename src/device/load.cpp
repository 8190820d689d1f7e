// SPDX-License-Identifier: MIT
#include "device/load.hpp"

#include <algorithm>
#include <type_traits>

namespace lbw {

namespace {

// Points that are carried over together: one cache line of every row.
constexpr Index strip = 8;

// Farther than any sample that single precision is used for: its square is not infinite.
constexpr double farthest_single = 1e15;

template <typename T>
T converted(double value) {
  if constexpr (std::is_same_v<T, double>) return value;
  return static_cast<T>(std::clamp(value, -farthest_single, farthest_single));
}

/// Count: points of the strip.
template <Index Count, typename T, typename Input>
void load_strip(const Input* input, Index stride, const Vector& origin, T* rows) {
  for (Index feature = 0; feature < origin.size(); ++feature) {
    const double center = origin[feature];
    for (Index i = 0; i < Count; ++i) {
      rows[i] = converted<T>(static_cast<double>(input[i * stride]) - center);
    }
    ++input;
    rows += row_stride<T>;
  }
}

}  // namespace

template <typename T>
void load_features(SampleView samples, Index begin, Index count, const Vector& origin,
                   Rows<T>& rows) {
  const auto load_from = [&](const auto* data) {
    const Index stride = samples.row_stride();
    const auto* input = data + begin * stride;
    Index i = 0;
    for (; i + strip <= count; i += strip) {
      load_strip<strip>(input + i * stride, stride, origin, rows.row(0) + i);
    }
    for (; i < count; ++i) load_strip<1>(input + i * stride, stride, origin, rows.row(0) + i);
  };
  if (samples.is_float()) {
    load_from(samples.floats());
  } else {
    load_from(samples.doubles());
  }
  for (Index feature = 0; feature < origin.size(); ++feature) {
    std::fill(rows.row(feature) + count, rows.row(feature) + block_points<T>, T{0});
  }
}

template <typename T>
void load_weights(const WeightedSamples& samples, Index begin, Index count, double scale,
                  T* weights) {
  for (Index i = 0; i < count; ++i) weights[i] = static_cast<T>(scale * samples.weight(begin + i));
  std::fill(weights + count, weights + block_points<T>, T{0});
}

template void load_features(SampleView, Index, Index, const Vector&, Rows<double>&);
template void load_features(SampleView, Index, Index, const Vector&, Rows<float>&);
template void load_weights(const WeightedSamples&, Index, Index, double, double*);
template void load_weights(const WeightedSamples&, Index, Index, double, float*);

}  // namespace lbw
