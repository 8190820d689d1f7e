// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/map_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <vector>

#include "device/map_panels-inl.hpp"
#include "device/map_pass.hpp"
#include "device/map_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

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
  MapRows<Input, Points> rows{maps, label, {}, to, maps.n_features};
  for (int p = 0; p < Points; ++p) rows.points[p] = points + p * stride;
  for_each_row_tile(maps.n_features, rows);
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

/// The positions of labels in the order of the labels.
std::vector<Index> order_of(const int* labels, Index count, Index n_labels) {
  std::vector<Index> next(static_cast<std::size_t>(n_labels) + 1, 0);
  for (Index i = 0; i < count; ++i) ++next[static_cast<std::size_t>(labels[i]) + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  std::vector<Index> order(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    order[static_cast<std::size_t>(next[static_cast<std::size_t>(labels[i])]++)] = i;
  }
  return order;
}

/// Maps points of many features, each map to all of its points in turn. A matrix does not fit the
/// first-level cache, so that reading it takes as long as the product with several points.
template <typename Input>
HWY_INLINE void apply_in_turn(const PackedMaps& maps, const Input* points, Index stride,
                              const int* labels, Index begin, Index end, Eigen::Ref<RowMatrix>& out,
                              bool around_cache) {
  const std::vector<Index> order = order_of(labels, end - begin, maps.source_means.rows());
  const MapPanels panels(maps);
  for (Index first = 0; first < end - begin;) {
    const Index* const chosen = order.data() + first;
    const int label = labels[chosen[0]];
    const Index most = std::min(panels.capacity(), end - begin - first);
    Index count = 1;
    while (count < most && labels[chosen[count]] == label) ++count;
    // the rows of `out` are written after all have been read, because they may be the points
    panels.apply(label, count, [&](Index i) { return points + (begin + chosen[i]) * stride; });
    for (Index i = 0; i < count; ++i) {
      double* const to = out.data() + (begin + chosen[i]) * out.outerStride();
      if (around_cache) {
        stream_copy(panels.image(i), maps.n_features, to);
      } else {
        std::copy_n(panels.image(i), maps.n_features, to);
      }
    }
    first += count;
  }
}

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  if (maps.has_panels) {
    if (samples.is_float()) {
      apply_in_turn(maps, samples.floats(), samples.row_stride(), labels, begin, end, out,
                    around_cache);
    } else {
      apply_in_turn(maps, samples.doubles(), samples.row_stride(), labels, begin, end, out,
                    around_cache);
    }
    if (around_cache) hwy::FlushStream();
    return;
  }
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
