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

/// Points with the same map that share each read of a column of its matrix.
constexpr int points_a_column = many_registers ? 4 : 2;

/// Rows of target_mean + matrix * (point - source_mean) for a few points, every sum in the order of
/// the columns.
template <typename Input, int Points>
struct MapRows {
  const PackedMaps& maps;
  int label;
  const Input* points;
  Index stride;
  double* to;

  template <int Vectors, class ShortTag>
  HWY_INLINE void run(Index first) const {
    const Tag<double> d;
    const ShortTag short_tag;
    const Index step = lanes<double>();
    const double* column = maps.map(label) + first;
    const double* source = maps.source_mean(label);
    Vec<double> sums[Points][Vectors + 1];
    hn::Vec<ShortTag> last[Points];
    LBW_UNROLL
    for (int p = 0; p < Points; ++p) {
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) sums[p][v] = hn::Load(d, column + v * step);
      last[p] = hn::Load(short_tag, column + Vectors * step);
    }
    for (Index c = 0; c < maps.n_features; ++c) {
      column += maps.padded;
      LBW_UNROLL
      for (int p = 0; p < Points; ++p) {
        const double difference = static_cast<double>(points[p * stride + c]) - source[c];
        LBW_UNROLL
        for (int v = 0; v < Vectors; ++v) {
          sums[p][v] =
              hn::MulAdd(hn::Load(d, column + v * step), hn::Set(d, difference), sums[p][v]);
        }
        last[p] = hn::MulAdd(hn::Load(short_tag, column + Vectors * step),
                             hn::Set(short_tag, difference), last[p]);
      }
    }
    // in the order of the points, because each one overwrites the padding of the one before
    LBW_UNROLL
    for (int p = 0; p < Points; ++p) {
      double* const row = to + p * maps.n_features + first;
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[p][v], d, row + v * step);
      hn::StoreU(last[p], short_tag, row + Vectors * step);
    }
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

template <typename Input, int Points>
HWY_INLINE void map_rows(const PackedMaps& maps, int label, const Input* points, Index stride,
                         double* to) {
  for_each_row_tile(maps.n_features, MapRows<Input, Points>{maps, label, points, stride, to});
}

/// Whether the next few points share their map.
HWY_INLINE bool share_label(const int* labels) {
  bool same = true;
  for (int p = 1; p < points_a_column; ++p) same &= labels[p] == labels[0];
  return same;
}

template <typename Input>
HWY_INLINE void map_points(const PackedMaps& maps, const Input* points, Index stride,
                           const int* labels, Index count, const TransportedRows& carried) {
  for (Index i = 0; i < count;) {
    const Input* const point = points + i * stride;
    if (maps.n_columns == 1) {
      scale_point(maps, labels[i], point, carried.row(i));
      ++i;
    } else if (i + points_a_column <= count && share_label(labels + i)) {
      map_rows<Input, points_a_column>(maps, labels[i], point, stride, carried.row(i));
      i += points_a_column;
    } else {
      map_rows<Input, 1>(maps, labels[i], point, stride, carried.row(i));
      ++i;
    }
  }
}

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  const TransportedRows carried(maps.n_features);
  for (Index first = begin; first < end; first += TransportedRows::capacity) {
    const Index count = std::min(TransportedRows::capacity, end - first);
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
                      Index end, Eigen::Ref<RowMatrix> out,  // NOLINT: written through
                      bool around_cache) {
  HWY_DYNAMIC_DISPATCH(chunk_apply_maps)(maps, samples, labels, begin, end, out, around_cache);
}

}  // namespace lbw
#endif  // HWY_ONCE
