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

/// to = target_mean + matrix * (point - source_mean); writes whole vectors, up to maps.padded.
/// Vectors: of the padded column; 0 for many.
template <int Vectors, typename Input>
HWY_INLINE void map_point(const PackedMaps& maps, int label, const Input* point, double* to) {
  const Tag<double> d;
  const Index step = lanes<double>();
  const double* packed = maps.values.data() + label * maps.padded * (maps.n_features + 1);
  const double* source = maps.source_means.data() + label * maps.n_features;
  for (Index first = 0; first < maps.n_features; first += Vectors * step) {
    Vec<double> sums[Vectors];
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) sums[v] = hn::Load(d, packed + first + v * step);
    const double* column = packed + first;
    for (Index c = 0; c < maps.n_features; ++c) {
      column += maps.padded;
      const Vec<double> difference = hn::Set(d, static_cast<double>(point[c]) - source[c]);
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) {
        sums[v] = hn::MulAdd(hn::Load(d, column + v * step), difference, sums[v]);
      }
    }
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, to + first + v * step);
  }
}

template <typename Input>
HWY_INLINE void map_points(const PackedMaps& maps, const Input* points, Index stride,
                           const int* labels, Index count, double* to) {
  // vectors that a column fills, and how many of them a pass over the columns takes
  const Index n_vectors = (maps.n_features + lanes<double>() - 1) / lanes<double>();
  for (Index i = 0; i < count; ++i) {
    const Input* point = points + i * stride;
    double* const out = to + i * maps.n_features;
    switch (n_vectors) {
      case 1:
        map_point<1>(maps, labels[i], point, out);
        break;
      case 2:
        map_point<2>(maps, labels[i], point, out);
        break;
      case 3:
        map_point<3>(maps, labels[i], point, out);
        break;
      default:
        map_point<4>(maps, labels[i], point, out);
        break;
    }
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
