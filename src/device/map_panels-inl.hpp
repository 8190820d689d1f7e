// SPDX-License-Identifier: MIT
// One affine map of many points as a matrix product: vectors run over the features of the result.
#if defined(LBW_DEVICE_MAP_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_MAP_PANELS_INL_HPP
#undef LBW_DEVICE_MAP_PANELS_INL_HPP
#else
#define LBW_DEVICE_MAP_PANELS_INL_HPP
#endif

#include <algorithm>

#include "device/packed_maps.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// target_mean + matrix * (point - source_mean) for many features, every sum in the order of the
/// columns. A panel of a matrix stays in the first-level cache while all points pass by.
class MapPanels {
 public:
  /// @param maps  with panels
  explicit MapPanels(const PackedMaps& maps)
      : maps_(maps),
        // the extra cache line prevents rows from sharing the same cache sets
        apart_(maps.padded + 8),
        capacity_(std::clamp(numbers_at_once / apart_ / tile_points * tile_points,
                             Index{tile_points}, Index{64})),
        differences_(capacity_ * apart_),
        images_(capacity_ * apart_) {}

  /// Points that are mapped together at most.
  [[nodiscard]] Index capacity() const { return capacity_; }
  /// n_features numbers, then others up to whole vectors.
  [[nodiscard]] const double* image(Index i) const { return images_.data() + i * apart_; }

  /// The images of points [0, count), where point(i) is the first feature of point i.
  template <typename Point>
  HWY_INLINE void apply(int label, Index count, const Point& point) const {
    for (Index i = 0; i < count; ++i) {
      subtract(point(i), maps_.source_mean(label), differences_.data() + i * apart_);
    }
    for (Index first = 0; first < maps_.n_features; first += PackedMaps::panel_rows) {
      for (Index v = 0; v < PackedMaps::panel_rows; v += tile_vectors * lanes<double>()) {
        for (Index i = 0; i < count; i += tile_points) {
          multiply_points<tile_points>(std::min<Index>(tile_points, count - i),
                                       maps_.panel(label, first) + v, i, first + v);
        }
      }
    }
  }

 private:
  static constexpr Index numbers_at_once = Index{1} << 14;
  static constexpr int tile_points = many_registers ? 8 : 4;
  static constexpr int tile_vectors = 2;
  static_assert(PackedMaps::panel_rows % (tile_vectors * hn::MaxLanes(Tag<double>())) == 0);

  template <typename Input>
  HWY_INLINE void subtract(const Input* point, const double* source, double* to) const {
    for (Index f = 0; f < maps_.n_features; ++f) to[f] = static_cast<double>(point[f]) - source[f];
  }

  /// The last tile may compute points beyond the end, which nobody reads.
  template <int Points>
  HWY_INLINE void multiply_points(Index n_points, const double* panel, Index point,
                                  Index row) const {
    if constexpr (Points > 2) {
      if (n_points <= Points / 2) return multiply_points<Points / 2>(n_points, panel, point, row);
    }
    multiply_tile<Points>(panel, differences_.data() + point * apart_,
                          images_.data() + point * apart_ + row);
  }

  template <int Points>
  HWY_NOINLINE void multiply_tile(const double* column, const double* differences,
                                  double* to) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    Vec<double> sums[Points][tile_vectors];
    LBW_UNROLL
    for (int v = 0; v < tile_vectors; ++v) {
      const Vec<double> target = hn::Load(d, column + v * step);
      LBW_UNROLL
      for (int p = 0; p < Points; ++p) sums[p][v] = target;
    }
    for (Index c = 0; c < maps_.n_features; ++c) {
      column += PackedMaps::panel_rows;
      Vec<double> entries[tile_vectors];
      LBW_UNROLL
      for (int v = 0; v < tile_vectors; ++v) entries[v] = hn::Load(d, column + v * step);
      LBW_UNROLL
      for (int p = 0; p < Points; ++p) {
        const Vec<double> value = hn::Set(d, differences[p * apart_ + c]);
        LBW_UNROLL
        for (int v = 0; v < tile_vectors; ++v) {
          sums[p][v] = hn::MulAdd(entries[v], value, sums[p][v]);
        }
      }
    }
    LBW_UNROLL
    for (int p = 0; p < Points; ++p) {
      LBW_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        hn::Store(sums[p][v], d, to + p * apart_ + v * step);
      }
    }
  }

  const PackedMaps& maps_;
  Index apart_;  ///< numbers from one point to the next
  Index capacity_;
  AlignedArray<double> differences_;
  AlignedArray<double> images_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
