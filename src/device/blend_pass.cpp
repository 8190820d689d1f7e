// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/blend_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <numbers>

#include "device/blend_pass.hpp"
#include "device/map_panels-inl.hpp"
#include "device/map_rows-inl.hpp"
#include "device/responsibility_block.hpp"
#include "device/shares-inl.hpp"
#include "device/triangle_averages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

constexpr double relevant_to_maps = 28.0;
static_assert(relevant_to_maps > 40.0 * std::numbers::ln2);

/// Vectors [first, first + Vectors) of the average of the maps of a point.
template <int Vectors>
HWY_INLINE void average_tile(const BlendTable& maps, const PointShares& parts, Index first,
                             double* to) {
  const Tag<double> d;
  const Index step = lanes<double>();
  Vec<double> sums[Vectors];
  LBW_UNROLL
  for (int v = 0; v < Vectors; ++v) sums[v] = hn::Zero(d);
  for (std::size_t part = 0; part < parts.count; ++part) {
    const double* values = maps.map(parts.components[part]) + first * step;
    const Vec<double> share = hn::Set(d, parts.shares[part]);
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) {
      sums[v] = hn::MulAdd(hn::Load(d, values + v * step), share, sums[v]);
    }
  }
  LBW_UNROLL
  for (int v = 0; v < Vectors; ++v) hn::Store(sums[v], d, to + (first + v) * step);
}

template <int Vectors>
HWY_INLINE void average_tile_of(int n_vectors, const BlendTable& maps, const PointShares& parts,
                                Index first, double* to) {
  if constexpr (Vectors > 1) {
    if (n_vectors < Vectors) {
      return average_tile_of<Vectors - 1>(n_vectors, maps, parts, first, to);
    }
  }
  average_tile<Vectors>(maps, parts, first, to);
}

/// Works in tiles of similar size, because a short tile stalls on the latency of its sums.
HWY_INLINE void average_maps(const BlendTable& maps, const PointShares& parts, double* to) {
  constexpr Index longest = 8;
  Index left = maps.stride / lanes<double>();
  Index first = 0;
  for (Index n_tiles = (left + longest - 1) / longest; n_tiles > 0; --n_tiles) {
    const Index n_vectors = (left + n_tiles - 1) / n_tiles;
    average_tile_of<longest>(static_cast<int>(n_vectors), maps, parts, first, to);
    first += n_vectors;
    left -= n_vectors;
  }
}

/// Rows of map(point) = image of the origin + matrix * (point - origin).
template <typename Input>
struct AwayRows {
  const BlendTable& table;
  const double* map;
  const Input* point;
  double* to;

  template <int Vectors, class ShortTag>
  HWY_INLINE void run(Index first) const {
    const Tag<double> d;
    const ShortTag short_tag;
    const Index step = lanes<double>();
    const double* column = map + first;
    Vec<double> sums[Vectors + 1];
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) sums[v] = hn::LoadU(d, column + v * step);
    auto last = hn::LoadU(short_tag, column + Vectors * step);
    for (Index c = 0; c < table.n_features; ++c) {
      column += table.n_features;
      const double away = static_cast<double>(point[c]) - table.origin.data()[c];
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) {
        sums[v] = hn::MulAdd(hn::LoadU(d, column + v * step), hn::Set(d, away), sums[v]);
      }
      last =
          hn::MulAdd(hn::LoadU(short_tag, column + Vectors * step), hn::Set(short_tag, away), last);
    }
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, to + first + v * step);
    hn::StoreU(last, short_tag, to + first + Vectors * step);
  }
};

template <typename Input>
HWY_INLINE void scale_away(const BlendTable& table, const double* map, const Input* point,
                           double* to) {
  const double* scale = map + table.n_features;
  const double* origin = table.origin.data();
  for (Index f = 0; f < table.n_features; ++f) {
    to[f] = map[f] + scale[f] * (static_cast<double>(point[f]) - origin[f]);
  }
}

/// The average of the images of a point under its maps.
template <typename Input>
void average_images(const MapTable& maps, const PointShares& parts, const Input* point,
                    double* to) {
  const Index d = maps.source_means.cols();
  std::fill_n(to, d, 0.0);
  for (std::size_t part = 0; part < parts.count; ++part) {
    const Index k = parts.components[part];
    const Matrix& matrix = maps.matrices[static_cast<std::size_t>(k)];
    for (Index row = 0; row < d; ++row) {
      double image = maps.target_means(k, row);
      for (Index c = 0; c < matrix.cols(); ++c) {
        const Index f = matrix.cols() == 1 ? row : c;
        image += matrix(row, c) * (static_cast<double>(point[f]) - maps.source_means(k, f));
      }
      to[row] += parts.shares[part] * image;
    }
  }
}

/// Averages the maps of a point and applies the result, so another component costs only one
/// multiply-add per entry of its map.
class AveragedMaps final : public BlendPass {
 public:
  AveragedMaps(const KernelTable& table, const BlendTable& maps, SampleView samples)
      : maps_(maps),
        samples_(samples),
        block_(table, relevant_to_maps),
        parts_(table.n_components()),
        average_(maps.stride + padding),
        transported_(maps.n_features) {
    if (maps.n_entries > 0) triangles_.emplace(maps);
  }

  void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) override {
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      block_.find({samples_, {}}, first, count, 1.0);
      const Index n_shares = find_shares(block_.joint, block_.n_components, count);
      // averages of triangles read those of all components
      const bool are_many = triangles_ && 2 * n_shares > block_.n_components * count;
      for (Index i = 0; i < count; i += TransportedRows::capacity) {
        const Index n = std::min(TransportedRows::capacity, count - i);
        if (are_many) {
          blend_strips(first + i, i, n);
        } else {
          blend_points(first + i, i, n);
        }
        transported_.store(first + i, n, out, around_cache);
      }
    }
    if (around_cache) hwy::FlushStream();
  }

 private:
  static constexpr Index padding = 64 / sizeof(double);

  /// Samples [first, first + count), which are those of the block from `begin` on.
  HWY_INLINE void blend_strips(Index first, Index begin, Index count) {
    for (Index i = 0; i < count; i += strip_points) {
      triangles_->apply(samples_, first + i, std::min(strip_points, count - i),
                        block_.joint.row(0) + begin + i, transported_.row(i));
    }
  }

  /// As blend_strips, one by one.
  HWY_INLINE void blend_points(Index first, Index begin, Index count) {
    for (Index i = 0; i < count; ++i) {
      parts_.collect(block_.joint, block_.n_components, begin + i);
      const Index at = (first + i) * samples_.row_stride();
      if (samples_.is_float()) {
        blend(samples_.floats() + at, transported_.row(i));
      } else {
        blend(samples_.doubles() + at, transported_.row(i));
      }
    }
  }

  template <typename Input>
  HWY_INLINE void blend(const Input* point, double* to) {
    if (maps_.apply_each) return average_images(maps_.exact, parts_, point, to);
    const bool alone = parts_.count == 1;
    if (!alone) average_maps(maps_, parts_, average_.data());
    const double* map = alone ? maps_.map(parts_.components[0]) : average_.data();
    if (maps_.n_columns == 1) {
      scale_away(maps_, map, point, to);
    } else {
      for_each_row_tile(maps_.n_features, AwayRows<Input>{maps_, map, point, to});
    }
  }

  const BlendTable& maps_;
  SampleView samples_;
  ResponsibilityBlock<double> block_;
  PointShares parts_;
  AlignedArray<double> average_;
  std::optional<TriangleAverages> triangles_;  ///< of symmetric maps
  TransportedRows transported_;
};

/// Applies the map of each component in turn to all of its points, and averages the images.
class AveragedImages final : public BlendPass {
 public:
  AveragedImages(const KernelTable& table, const PackedMaps& maps, SampleView samples)
      : maps_(maps),
        samples_(samples),
        block_(table, relevant_to_maps),
        images_(maps),
        sums_(block_points<double> * maps.padded) {}

  void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) override {
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      block_.find({samples_, {}}, first, count, 1.0);
      find_shares(block_.joint, block_.n_components, count);
      sums_.fill(0.0);
      const Index at = first * samples_.row_stride();
      for (Index k = 0; k < block_.n_components; ++k) {
        if (samples_.is_float()) {
          add_images(static_cast<int>(k), samples_.floats() + at, count);
        } else {
          add_images(static_cast<int>(k), samples_.doubles() + at, count);
        }
      }
      for (Index i = 0; i < count; ++i) {
        const double* const from = sums_.data() + i * maps_.padded;
        double* const to = out.data() + (first + i) * out.outerStride();
        if (around_cache) {
          stream_copy(from, maps_.n_features, to);
        } else {
          std::copy_n(from, maps_.n_features, to);
        }
      }
    }
    if (around_cache) hwy::FlushStream();
  }

 private:
  template <typename Input>
  HWY_INLINE void add_images(int label, const Input* points, Index count) {
    const double* const shares = block_.joint.row(label);
    Index n_chosen = 0;
    for (Index i = 0; i < count; ++i) {
      chosen_[n_chosen] = static_cast<int>(i);
      n_chosen += shares[i] != 0.0 ? 1 : 0;
    }
    for (Index first = 0; first < n_chosen; first += images_.capacity()) {
      const int* const chosen = chosen_.data() + first;
      const Index n = std::min(images_.capacity(), n_chosen - first);
      images_.apply(label, n, [&](Index i) { return points + chosen[i] * samples_.row_stride(); });
      for (Index i = 0; i < n; ++i) add_image(i, shares[chosen[i]], chosen[i]);
    }
  }

  HWY_INLINE void add_image(Index i, double share, Index point) const {
    const Tag<double> d;
    const Vec<double> factor = hn::Set(d, share);
    const double* const image = images_.image(i);
    double* const sum = sums_.data() + point * maps_.padded;
    for (Index f = 0; f < maps_.n_features; f += lanes<double>()) {
      hn::Store(hn::MulAdd(factor, hn::Load(d, image + f), hn::Load(d, sum + f)), d, sum + f);
    }
  }

  const PackedMaps& maps_;
  SampleView samples_;
  ResponsibilityBlock<double> block_;
  AlignedArray<int> chosen_{block_points<double>};
  MapPanels images_;
  AlignedArray<double> sums_;
};

std::unique_ptr<BlendPass> make_blend_pass(const KernelTable& table, const BlendTable& maps,
                                           SampleView samples) {
  if (maps.packed) return std::make_unique<AveragedImages>(table, *maps.packed, samples);
  return std::make_unique<AveragedMaps>(table, maps, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

namespace {

constexpr Index line = 64 / sizeof(double);  // doubles of a cache line

// At this distance the average has an error of about 1e-11 standard deviations.
constexpr double most_deviations_of_origin = 1e5;

}  // namespace

BlendTable::BlendTable(const MapTable& maps, const DensityTable& densities)
    : n_features(maps.source_means.cols()), n_columns(maps.n_columns()), exact(maps) {
  if (n_columns > 1 && n_features >= fewest_features_of_panels) {
    packed.emplace(maps);
  } else {
    set_values(densities);
  }
}

void BlendTable::set_values(const DensityTable& densities) {
  stride = (n_features * (n_columns + 1) + line - 1) / line * line;
  origin = densities.means.colwise().mean().transpose();
  values = AlignedArray<double>(exact.source_means.rows() * stride + line);
  apply_each = !(most_deviations(densities, densities.means.rowwise() - origin.transpose()) <
                 most_deviations_of_origin);
  for (Index k = 0; k < exact.source_means.rows(); ++k) {
    const Matrix& matrix = exact.matrices[static_cast<std::size_t>(k)];
    Eigen::Map<Matrix> to(values.data() + k * stride, n_features, n_columns + 1);
    const Vector away = origin - exact.source_means.row(k).transpose();
    to.col(0) = exact.target_means.row(k).transpose();
    if (n_columns == 1) {
      to.col(0) += matrix.col(0).cwiseProduct(away);
    } else {
      to.col(0) += matrix * away;
    }
    to.rightCols(n_columns) = matrix;
  }
  if (n_columns == 1 || apply_each) return;
  const bool are_symmetric = std::ranges::all_of(
      exact.matrices, [](const Matrix& matrix) { return matrix == matrix.transpose(); });
  if (are_symmetric) set_triangles();
}

void BlendTable::set_triangles() {
  n_entries = triangle_place(n_features, 0);
  triangles = AlignedArray<double>(exact.source_means.rows() * n_entries);
  for (Index k = 0; k < exact.source_means.rows(); ++k) {
    double* const to = triangles.data() + k * n_entries;
    std::copy_n(map(k), n_features, to);
    for (Index r = 0; r < n_features; ++r) {
      for (Index c = 0; c <= r; ++c) {
        to[triangle_place(r, c)] = exact.matrices[static_cast<std::size_t>(k)](r, c);
      }
    }
  }
}

HWY_EXPORT(make_blend_pass);

std::unique_ptr<BlendPass> make_blend_pass(const KernelTable& table, const BlendTable& maps,
                                           SampleView samples) {
  return HWY_DYNAMIC_DISPATCH(make_blend_pass)(table, maps, samples);
}

}  // namespace lbw
#endif  // HWY_ONCE
