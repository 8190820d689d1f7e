// SPDX-License-Identifier: MIT
// Averages of symmetric maps for points that belong to many components: vectors run over points.
#if defined(LBW_DEVICE_TRIANGLE_AVERAGES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_TRIANGLE_AVERAGES_INL_HPP
#undef LBW_DEVICE_TRIANGLE_AVERAGES_INL_HPP
#else
#define LBW_DEVICE_TRIANGLE_AVERAGES_INL_HPP
#endif

#include "device/blend_pass.hpp"
#include "device/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Averages one triangle of the maps of some points at a time, so that each of its numbers is read
/// once for all of them, and applies the averages. All sums have the order of AveragedMaps, where a
/// share of 0 adds nothing, so both give the same bits.
class TriangleAverages {
 public:
  explicit TriangleAverages(const BlendTable& maps)
      : maps_(maps),
        away_(maps.n_features * strip_points),
        averages_(maps.n_entries * tile_vectors * lanes<double>()) {}

  /// The images of samples [begin, begin + count), at most strip_points, whose shares of the first
  /// component are at `shares`, the others row_stride apart: n_features numbers each.
  HWY_INLINE void apply(SampleView samples, Index begin, Index count, const double* shares,
                        double* images) const {
    load_strip_of(samples, begin, count, maps_.origin, away_.data(), strip_points);
    const Index tile = tile_vectors * lanes<double>();
    for (Index i = 0; i < count; i += tile) {
      average(shares + i);
      map_tile(away_.data() + i, std::min(tile, count - i), images + i * maps_.n_features);
    }
  }

 private:
  static constexpr int tile_vectors = 2;
  static constexpr Index longest = many_registers ? 13 : 6;  // entries, as registers permit
  static_assert(strip_points % (tile_vectors * hn::MaxLanes(Tag<double>())) == 0);

  /// Works in tiles of similar size, because a short tile stalls on the latency of its sums.
  HWY_INLINE void average(const double* shares) const {
    Index left = maps_.n_entries;
    for (Index n_tiles = (left + longest - 1) / longest; n_tiles > 0; --n_tiles) {
      const Index n = (left + n_tiles - 1) / n_tiles;
      average_tile_of<longest>(n, shares, maps_.n_entries - left);
      left -= n;
    }
  }

  template <int Entries>
  HWY_INLINE void average_tile_of(Index n_entries, const double* shares, Index first) const {
    if constexpr (Entries > 1) {
      if (n_entries < Entries) return average_tile_of<Entries - 1>(n_entries, shares, first);
    }
    average_tile<Entries>(shares, first);
  }

  template <int Entries>
  HWY_NOINLINE void average_tile(const double* shares, Index first) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    Vec<double> sums[Entries][tile_vectors];
    LBW_UNROLL
    for (int e = 0; e < Entries; ++e) sums[e][0] = sums[e][1] = hn::Zero(d);
    const double* entries = maps_.triangles.data() + first;
    for (Index k = 0; k < maps_.exact.source_means.rows(); ++k) {
      const Vec<double> share_0 = hn::Load(d, shares);
      const Vec<double> share_1 = hn::Load(d, shares + step);
      LBW_UNROLL
      for (int e = 0; e < Entries; ++e) {
        const Vec<double> entry = hn::Set(d, entries[e]);
        sums[e][0] = hn::MulAdd(entry, share_0, sums[e][0]);
        sums[e][1] = hn::MulAdd(entry, share_1, sums[e][1]);
      }
      entries += maps_.n_entries;
      shares += row_stride<double>;
    }
    double* to = averages_.data() + first * tile_vectors * step;
    LBW_UNROLL
    for (int e = 0; e < Entries; ++e) {
      hn::Store(sums[e][0], d, to + e * tile_vectors * step);
      hn::Store(sums[e][1], d, to + (e * tile_vectors + 1) * step);
    }
  }

  /// Rows of map(point) = image of the origin + matrix * (point - origin).
  HWY_INLINE void map_tile(const double* away, Index count, double* images) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    HWY_ALIGN double row[tile_vectors * hn::MaxLanes(Tag<double>())];
    for (Index r = 0; r < maps_.n_features; ++r) {
      for (int v = 0; v < tile_vectors; ++v) {
        const double* average = averages_.data() + v * step;
        Vec<double> sum = hn::Load(d, average + r * tile_vectors * step);
        for (Index c = 0; c < maps_.n_features; ++c) {
          const Vec<double> entry =
              hn::Load(d, average + maps_.triangle_place(r, c) * tile_vectors * step);
          sum = hn::MulAdd(entry, hn::Load(d, away + c * strip_points + v * step), sum);
        }
        hn::Store(sum, d, row + v * step);
      }
      for (Index i = 0; i < count; ++i) images[i * maps_.n_features + r] = row[i];
    }
  }

  const BlendTable& maps_;
  AlignedArray<double> away_;      ///< points minus the origin, one row per feature
  AlignedArray<double> averages_;  ///< one row per entry of the triangles, a number per point
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
