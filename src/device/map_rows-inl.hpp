// SPDX-License-Identifier: MIT
// Affine maps of single points: vectors run over the features of the result.
#if defined(LBW_DEVICE_MAP_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_MAP_ROWS_INL_HPP
#undef LBW_DEVICE_MAP_ROWS_INL_HPP
#else
#define LBW_DEVICE_MAP_ROWS_INL_HPP
#endif

#include <hwy/cache_control.h>

#include <cstring>

#include "device/packed_maps.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Up to three full vectors, then the shortest vector for the rest.
template <class ShortTag, typename Work>
HWY_INLINE void run_last_rows(Index first, Index n_full, const Work& work) {
  switch (n_full) {
    case 0:
      return work.template run<0, ShortTag>(first);
    case 1:
      return work.template run<1, ShortTag>(first);
    case 2:
      return work.template run<2, ShortTag>(first);
    default:
      return work.template run<3, ShortTag>(first);
  }
}

/// Calls work.run<Vectors, ShortTag>(first) for tiles of rows that together are all: Vectors full
/// vectors from row `first` on, and one more of the (shorter) tag. The last tile comes first,
/// because it writes beyond the end of a point into rows that the first tile of the next point
/// overwrites.
template <typename Work>
HWY_INLINE void for_each_row_tile(Index n_features, const Work& work) {
  const Index step = lanes<double>();
  const Index tile = 4 * step;
  const Index last = (n_features - 1) / tile * tile;
  const Index n_full = (n_features - 1 - last) / step;
  const Index rest = n_features - last - n_full * step;
  if (rest <= 2) {
    run_last_rows<hn::CappedTag<double, 2>>(last, n_full, work);
  } else if (rest <= 4) {
    run_last_rows<hn::CappedTag<double, 4>>(last, n_full, work);
  } else {
    run_last_rows<Tag<double>>(last, n_full, work);
  }
  for (Index first = 0; first < last; first += tile) work.template run<3, Tag<double>>(first);
}

/// Points with the same map that share each read of a column of its matrix.
constexpr int points_a_column = many_registers ? 4 : 2;

/// Rows of target_mean + matrix * (point - source_mean) for a few points, every sum in the order of
/// the columns.
template <typename Input, int Points>
struct MapRows {
  const PackedMaps& maps;
  int label;
  const Input* points[Points];
  double* to;  ///< rows of stored_apart doubles
  Index stored_apart;

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
        const double difference = static_cast<double>(points[p][c]) - source[c];
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
      double* const row = to + p * stored_apart + first;
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[p][v], d, row + v * step);
      hn::StoreU(last[p], short_tag, row + Vectors * step);
    }
  }
};

/// Copies n doubles and bypasses the cache where the target is aligned.
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

/// Buffer of transported points before they are stored in the output. Kernels write whole vectors,
/// and the padding of each point is overwritten by the next point.
class TransportedRows {
 public:
  static constexpr Index capacity = 128;

  explicit TransportedRows(Index n_features)
      : n_features_(n_features), values_(capacity * n_features + padding) {}

  [[nodiscard]] HWY_INLINE double* row(Index i) const { return values_.data() + i * n_features_; }

  /// To rows [first, first + count) of `out`.
  HWY_INLINE void store(Index first, Index count, Eigen::Ref<RowMatrix>& out,
                        bool around_cache) const {
    const bool adjacent = out.outerStride() == n_features_;
    for (Index i = 0; i < (adjacent ? 1 : count); ++i) {
      const Index n = adjacent ? count * n_features_ : n_features_;
      double* const to = out.data() + (first + i) * out.outerStride();
      if (around_cache) {
        stream_copy(row(i), n, to);
      } else {
        std::memcpy(to, row(i), static_cast<std::size_t>(n) * sizeof(double));
      }
    }
  }

 private:
  static constexpr Index padding = 64 / sizeof(double);  // the longest vector

  Index n_features_;
  AlignedArray<double> values_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
