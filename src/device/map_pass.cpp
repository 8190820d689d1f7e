// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/map_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "device/map_pass.hpp"
#include "device/map_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Rows of target_mean + matrix * (point - source_mean).
template <typename Input>
struct MapRows {
  const PackedMaps& maps;
  int label;
  const Input* point;
  double* to;

  template <int Vectors, class ShortTag>
  HWY_INLINE void run(Index first) const {
    const Tag<double> d;
    const ShortTag short_tag;
    const Index step = lanes<double>();
    const double* column = maps.map(label) + first;
    const double* source = maps.source_mean(label);
    Vec<double> sums[Vectors + 1];
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) sums[v] = hn::Load(d, column + v * step);
    auto last = hn::Load(short_tag, column + Vectors * step);
    for (Index c = 0; c < maps.n_features; ++c) {
      column += maps.padded;
      const double difference = static_cast<double>(point[c]) - source[c];
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) {
        sums[v] = hn::MulAdd(hn::Load(d, column + v * step), hn::Set(d, difference), sums[v]);
      }
      last = hn::MulAdd(hn::Load(short_tag, column + Vectors * step),
                        hn::Set(short_tag, difference), last);
    }
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, to + first + v * step);
    hn::StoreU(last, short_tag, to + first + Vectors * step);
  }
};

template <typename Input>
HWY_INLINE void scale_point(const PackedMaps& maps, int label, const Input* point, double* to) {
  const double* target = maps.map(label);
  const double* scale = target + maps.padded;
  const double* source = maps.source_mean(label);
  for (Index f = 0; f < maps.n_features; ++f) {
    to[f] = target[f] + scale[f] * (static_cast<double>(point[f]) - source[f]);
  }
}

template <typename Input>
HWY_INLINE void map_points(const PackedMaps& maps, const Input* points, Index stride,
                           const int* labels, Index count, const CarriedRows& carried) {
  for (Index i = 0; i < count; ++i) {
    if (maps.n_columns == 1) {
      scale_point(maps, labels[i], points + i * stride, carried.row(i));
      continue;
    }
    for_each_row_tile(maps.n_features,
                      MapRows<Input>{maps, labels[i], points + i * stride, carried.row(i)});
  }
}

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  const CarriedRows carried(maps.n_features);
  for (Index first = begin; first < end; first += CarriedRows::capacity) {
    const Index count = std::min(CarriedRows::capacity, end - first);
    if (samples.is_float()) {
      map_points(maps, samples.floats() + first * samples.row_stride(), samples.row_stride(),
                 labels + (first - begin), count, carried);
    } else {
      map_points(maps, samples.doubles() + first * samples.row_stride(), samples.row_stride(),
                 labels + (first - begin), count, carried);
    }
    carried.store(first, count, out, around_cache);
  }
  if (around_cache) hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(chunk_apply_maps);

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  HWY_DYNAMIC_DISPATCH(chunk_apply_maps)(maps, samples, labels, begin, end, out, around_cache);
}

}  // namespace lbw
#endif  // HWY_ONCE
