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

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

constexpr double negligible = 0x1p-40;  // responsibilities
constexpr double relevant_to_maps = 28.0;
static_assert(relevant_to_maps > 40.0 * std::numbers::ln2);

/// The components of a point with their responsibilities.
struct PointShares {
  std::vector<int> components;
  std::vector<double> shares;
  std::size_t count = 0;

  explicit PointShares(Index n_components)
      : components(static_cast<std::size_t>(n_components) + 1),
        shares(static_cast<std::size_t>(n_components) + 1) {}

  /// Drops negligible responsibilities. Together they move a point by less than n_components *
  /// 1e-12 of the distance between its images. A point of no component gets the first one.
  HWY_INLINE void find(const Rows<double>& responsibilities, Index n_components, Index point) {
    const double* share = responsibilities.row(0) + point;
    double sum = 0.0;
    count = 0;
    for (Index k = 0; k < n_components; ++k) {
      components[count] = static_cast<int>(k);
      shares[count] = *share;
      const bool counts = *share > negligible;
      count += counts ? 1 : 0;
      sum += counts ? *share : 0.0;
      share += row_stride<double>;
    }
    if (count == 0) {
      components[0] = 0;
      shares[0] = 1.0;
      count = 1;
      return;
    }
    // they must sum to 1, because images may be far from 0
    for (std::size_t part = 0; part < count; ++part) shares[part] /= sum;
  }
};

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
      : table_(table),
        maps_(maps),
        samples_(samples),
        block_(table, relevant_to_maps),
        parts_(table.n_components()),
        average_(maps.stride + padding),
        transported_(maps.n_features) {}

  void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) override {
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      block_.find({samples_, {}}, first, count, 1.0);
      for (Index i = 0; i < count; i += TransportedRows::capacity) {
        const Index n = std::min(TransportedRows::capacity, count - i);
        const Index at = (first + i) * samples_.row_stride();
        if (samples_.is_float()) {
          blend(samples_.floats() + at, i, n);
        } else {
          blend(samples_.doubles() + at, i, n);
        }
        transported_.store(first + i, n, out, around_cache);
      }
    }
    if (around_cache) hwy::FlushStream();
  }

 private:
  static constexpr Index padding = 64 / sizeof(double);

  /// `points` are those of the block from `begin` on.
  template <typename Input>
  HWY_INLINE void blend(const Input* points, Index begin, Index count) {
    for (Index i = 0; i < count; ++i) {
      parts_.find(block_.joint, table_.n_components(), begin + i);
      const Input* point = points + i * samples_.row_stride();
      if (maps_.apply_each) {
        average_images(maps_.exact, parts_, point, transported_.row(i));
        continue;
      }
      const bool alone = parts_.count == 1;
      if (!alone) average_maps(maps_, parts_, average_.data());
      const double* map = alone ? maps_.map(parts_.components[0]) : average_.data();
      if (maps_.n_columns == 1) {
        scale_away(maps_, map, point, transported_.row(i));
      } else {
        for_each_row_tile(maps_.n_features,
                          AwayRows<Input>{maps_, map, point, transported_.row(i)});
      }
    }
  }

  const KernelTable& table_;
  const BlendTable& maps_;
  SampleView samples_;
  ResponsibilityBlock<double> block_;
  PointShares parts_;
  AlignedArray<double> average_;
  TransportedRows transported_;
};

/// Applies the map of each component in turn to all of its points, and averages the images.
class AveragedImages final : public BlendPass {
 public:
  AveragedImages(const KernelTable& table, const PackedMaps& maps, SampleView samples)
      : table_(table),
        maps_(maps),
        samples_(samples),
        block_(table, relevant_to_maps),
        parts_(table.n_components()),
        images_(maps),
        sums_(block_points<double> * maps.padded) {}

  void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) override {
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      block_.find({samples_, {}}, first, count, 1.0);
      for (Index i = 0; i < count; ++i) keep_shares(i);
      sums_.fill(0.0);
      const Index at = first * samples_.row_stride();
      for (Index k = 0; k < table_.n_components(); ++k) {
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
  /// The responsibilities of a point become its shares.
  HWY_INLINE void keep_shares(Index point) {
    parts_.find(block_.joint, table_.n_components(), point);
    for (Index k = 0; k < table_.n_components(); ++k) block_.joint.row(k)[point] = 0.0;
    for (std::size_t part = 0; part < parts_.count; ++part) {
      block_.joint.row(parts_.components[part])[point] = parts_.shares[part];
    }
  }

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

  const KernelTable& table_;
  const PackedMaps& maps_;
  SampleView samples_;
  ResponsibilityBlock<double> block_;
  PointShares parts_;
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
}

HWY_EXPORT(make_blend_pass);

std::unique_ptr<BlendPass> make_blend_pass(const KernelTable& table, const BlendTable& maps,
                                           SampleView samples) {
  return HWY_DYNAMIC_DISPATCH(make_blend_pass)(table, maps, samples);
}

}  // namespace lbw
#endif  // HWY_ONCE
