// SPDX-License-Identifier: MIT
// Joint densities and moment sums about the mean of each component.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/whitened_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <type_traits>

#include "device/centered_moments-inl.hpp"
#include "device/load-inl.hpp"
#include "device/model_dispatch.hpp"
#include "device/moment_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// differences.row(f) = features.row(f) - mean[f].
template <typename T>
HWY_INLINE void subtract_mean(const Rows<T>& features, const T* mean, Index n_features,
                              Index n_vectors, Rows<T>& differences) {
  const Tag<T> d;
  for (Index feature = 0; feature < n_features; ++feature) {
    const Vec<T> center = hn::Set(d, mean[feature]);
    const T* from = features.row(feature);
    T* to = differences.row(feature);
    for (Index i = 0; i < n_vectors * lanes<T>(); i += lanes<T>()) {
      hn::Store(hn::Sub(hn::Load(d, from + i), center), d, to + i);
    }
  }
}

/// x -> triangle * x - shift for a lower triangular matrix, in tiles of rows: the shift, then
/// column after column, zeros above the diagonal.
template <typename T>
class PackedTriangle {
 public:
  static constexpr int tile = 2;

  PackedTriangle(const Matrix& triangle, const Vector& shift)
      : n_tiles_((triangle.rows() + tile - 1) / tile),
        values_(tile * n_tiles_ + tile * tile * n_tiles_ * (n_tiles_ + 1) / 2) {
    Index next = 0;
    for (Index first = 0; first < n_tiles_ * tile; first += tile) {
      for (Index row = first; row < first + tile; ++row) {
        values_[next++] = row < triangle.rows() ? static_cast<T>(-shift[row]) : T{0};
      }
      for (Index column = 0; column < first + tile; ++column) {
        for (Index row = first; row < first + tile; ++row) {
          const bool inside = row < triangle.rows() && column <= row;
          values_[next++] = inside ? static_cast<T>(triangle(row, column)) : T{0};
        }
      }
    }
  }

  /// out = start - || triangle * column - shift ||^2 for a group of points; `columns` has an even
  /// number of rows.
  HWY_INLINE void subtract_squares(const T* columns, T start, T* out) const {
    const Tag<T> d;
    const Index step = lanes<T>();
    Vec<T> result[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) result[v] = hn::Set(d, start);
    const T* factor = values_.data();
    for (Index first = 0; first < n_tiles_ * tile; first += tile) {
      Vec<T> sums[tile][group_vectors];
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        sums[0][v] = hn::Set(d, factor[0]);
        sums[1][v] = hn::Set(d, factor[1]);
      }
      factor += tile;
      const T* column = columns;
      for (Index c = 0; c < first + tile; ++c) {
        const Vec<T> upper = hn::Set(d, factor[0]);
        const Vec<T> lower = hn::Set(d, factor[1]);
        LBW_UNROLL
        for (int v = 0; v < group_vectors; ++v) {
          const Vec<T> value = hn::Load(d, column + v * step);
          sums[0][v] = hn::MulAdd(upper, value, sums[0][v]);
          sums[1][v] = hn::MulAdd(lower, value, sums[1][v]);
        }
        factor += tile;
        column += row_stride<T>;
      }
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        result[v] = hn::NegMulAdd(sums[0][v], sums[0][v], result[v]);
        result[v] = hn::NegMulAdd(sums[1][v], sums[1][v], result[v]);
      }
    }
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) hn::Store(result[v], d, out + v * step);
  }

 private:
  Index n_tiles_;
  AlignedArray<T> values_;
};

template <typename T>
class WhitenedModel final : public DensityModel<T> {
 public:
  explicit WhitenedModel(const KernelTable& table)
      : table_(table),
        means_(packed_means<T>(table)),
        features_(even_rows()),
        differences_(even_rows()),
        moments_(table) {
    for (Index k = 0; k < table.n_components(); ++k) {
      const Matrix& whitening = table.whitening_of(k);
      Vector shift = Vector::Zero(table.n_features());
      if constexpr (shifts) shift = whitening * table.means.row(k).transpose();
      triangles_.emplace_back(whitening, shift);
    }
  }

  void load(SampleView samples, Index first, Index count) override {
    load_features(samples, first, count, table_.origin, features_);
  }

  void evaluate(Index count, T /*relevant*/, Rows<T>& joint) override {
    const Index n_vectors = vectors_of<T>(count);
    const Rows<T>& columns = shifts ? features_ : differences_;
    for (Index k = 0; k < table_.n_components(); ++k) {
      if constexpr (!shifts) {
        subtract_mean(features_, mean(k), table_.n_features(), n_vectors, differences_);
      }
      const auto start = static_cast<T>(table_.log_scale[k]);
      const Index group = group_vectors * lanes<T>();
      for (Index i = 0; i < n_vectors * lanes<T>(); i += group) {
        triangles_[static_cast<std::size_t>(k)].subtract_squares(columns.row(0) + i, start,
                                                                 joint.row(k) + i);
      }
    }
  }

  void add_moments(const Rows<T>& weights, Index count) override {
    const Index d = table_.n_features();
    const Index n_vectors = vectors_of<T>(count);
    const WeightRows<T>& present = moments_.add_weights(weights, n_vectors);
    for (std::size_t i = 0; i < present.rows.size(); ++i) {
      const CenteredMoments<T> moments{
          present.rows[i], features_.row(0), mean(present.components[i]),     d,
          n_vectors,       present.sums[i],  present.sums[i] + d * lanes<T>()};
      moments.add();
    }
  }

  void flush(RowMatrix& moments) override { moments_.flush(moments); }

  void squared_norms(Index count, T* out) override {
    sum_squares(features_.row(0), row_stride<T>, table_.n_features(),
                vectors_of<T>(count) * lanes<T>(), out);
  }

 private:
  /// In single precision, rounding the samples has already lost the digits that the difference to
  /// the mean would keep. The mean is therefore part of the shift, which saves a subtraction.
  static constexpr bool shifts = std::is_same_v<T, float>;

  Index even_rows() const { return table_.n_features() + table_.n_features() % 2; }
  const T* mean(Index component) const { return means_.data() + component * table_.n_features(); }

  const KernelTable& table_;
  AlignedArray<T> means_;
  std::vector<PackedTriangle<T>> triangles_;
  Rows<T> features_;     ///< an even number of rows, the last 0 if need be
  Rows<T> differences_;  ///< likewise
  MomentVectors<T> moments_;
};

LBW_NEW_MODELS(WhitenedModel);

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

LBW_MAKE_MODELS(WhitenedModel, make_whitened_model);

}  // namespace lbw
#endif  // HWY_ONCE
