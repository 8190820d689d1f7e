// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/map_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/cache_control.h>

#include <cstring>

#include "device/map_pass.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Copies n doubles past the cache where the target is aligned for it.
HWY_INLINE void stream_copy(const double* from, Index n, double* to) {
  const Tag<double> d;
  const Index step = lanes<double>();
  const auto misaligned =
      reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % static_cast<std::uintptr_t>(step);
  Index i = 0;
  for (; i < n && misaligned != 0 && i < step - static_cast<Index>(misaligned); ++i)
    to[i] = from[i];
  for (; i + step <= n; i += step) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  for (; i < n; ++i) to[i] = from[i];
}

/// Rows [first, ...) of target_mean + matrix * (point - source_mean), Vectors full vectors and one
/// of the (shorter) tag; writes whole vectors.
template <int Vectors, class ShortTag, typename Input>
HWY_INLINE void map_rows(const PackedMaps& maps, int label, const Input* point, Index first,
                         double* to) {
  const Tag<double> d;
  const ShortTag short_tag;
  const Index step = lanes<double>();
  const double* column = maps.values.data() + label * maps.padded * (maps.n_features + 1) + first;
  const double* source = maps.source_means.data() + label * maps.n_features;
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
    last = hn::MulAdd(hn::Load(short_tag, column + Vectors * step), hn::Set(short_tag, difference),
                      last);
  }
  LBW_UNROLL
  for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, to + first + v * step);
  hn::StoreU(last, short_tag, to + first + Vectors * step);
}

/// As many full vectors as fit (up to three), then the shortest that holds the rest.
template <class ShortTag, typename Input>
HWY_INLINE void map_last_rows(const PackedMaps& maps, int label, const Input* point, Index first,
                              Index n_full, double* to) {
  switch (n_full) {
    case 0:
      return map_rows<0, ShortTag>(maps, label, point, first, to);
    case 1:
      return map_rows<1, ShortTag>(maps, label, point, first, to);
    case 2:
      return map_rows<2, ShortTag>(maps, label, point, first, to);
    default:
      return map_rows<3, ShortTag>(maps, label, point, first, to);
  }
}

template <typename Input>
HWY_INLINE void map_point(const PackedMaps& maps, int label, const Input* point, double* to) {
  const Index step = lanes<double>();
  Index first = 0;
  for (; first + 4 * step < maps.n_features; first += 4 * step) {
    map_rows<3, Tag<double>>(maps, label, point, first, to);
  }
  const Index n_full = (maps.n_features - 1 - first) / step;
  const Index rest = maps.n_features - first - n_full * step;
  if (rest <= 2) {
    map_last_rows<hn::CappedTag<double, 2>>(maps, label, point, first, n_full, to);
  } else if (rest <= 4) {
    map_last_rows<hn::CappedTag<double, 4>>(maps, label, point, first, n_full, to);
  } else {
    map_last_rows<Tag<double>>(maps, label, point, first, n_full, to);
  }
}

template <typename Input>
HWY_INLINE void map_points(const PackedMaps& maps, const Input* points, Index stride,
                           const int* labels, Index count, double* to) {
  for (Index i = 0; i < count; ++i) {
    map_point(maps, labels[i], points + i * stride, to + i * maps.n_features);
  }
}

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  constexpr Index batch = 128;
  const Index d = maps.n_features;
  // rows are written one after the other, the padding of each over the beginning of the next
  AlignedArray<double> carried(batch * d + maps.padded);
  for (Index first = begin; first < end; first += batch) {
    const Index count = std::min(batch, end - first);
    if (samples.is_float()) {
      map_points(maps, samples.floats() + first * samples.row_stride(), samples.row_stride(),
                 labels + (first - begin), count, carried.data());
    } else {
      map_points(maps, samples.doubles() + first * samples.row_stride(), samples.row_stride(),
                 labels + (first - begin), count, carried.data());
    }
    const bool adjacent = out.outerStride() == d;
    for (Index i = 0; i < (adjacent ? 1 : count); ++i) {
      const Index n = adjacent ? count * d : d;
      double* const to = out.data() + (first + i) * out.outerStride();
      if (around_cache) {
        stream_copy(carried.data() + i * d, n, to);
      } else {
        std::memcpy(to, carried.data() + i * d, static_cast<std::size_t>(n) * sizeof(double));
      }
    }
  }
  if (around_cache) hwy::FlushStream();
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(chunk_apply_maps);

PackedMaps::PackedMaps(const MapTable& maps)
    : n_features(maps.source_means.cols()),
      // whole tiles of four vectors, of whatever length
      padded(n_features <= 16 ? (n_features + 7) / 8 * 8 : (n_features + 31) / 32 * 32),
      values(maps.source_means.rows() * padded * (n_features + 1)),
      source_means(maps.source_means) {
  for (Index k = 0; k < source_means.rows(); ++k) {
    double* to = values.data() + k * padded * (n_features + 1);
    for (Index i = 0; i < n_features; ++i) to[i] = maps.target_means(k, i);
    const Matrix& matrix = maps.matrices[static_cast<std::size_t>(k)];
    for (Index c = 0; c < n_features; ++c) {
      to += padded;
      for (Index i = 0; i < n_features; ++i) to[i] = matrix(i, c);
    }
  }
}

void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache) {
  HWY_DYNAMIC_DISPATCH(chunk_apply_maps)(maps, samples, labels, begin, end, out, around_cache);
}

}  // namespace lbw
#endif  // HWY_ONCE
