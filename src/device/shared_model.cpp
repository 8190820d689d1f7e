// SPDX-License-Identifier: MIT
// Points are whitened once for all components, and their second moments are summed once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/shared_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <optional>

#include "device/model_dispatch.hpp"
#include "device/scatter_panels-inl.hpp"
#include "device/shared_model.hpp"
#include "device/triangle_panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

template <typename T>
class SharedModel final : public DensityModel<T> {
 public:
  explicit SharedModel(const KernelTable& table)
      : table_(table),
        n_components_(table.n_components()),
        triangle_(table.whitening.front(), Vector::Zero(table.n_features())),
        means_(n_components_ * table.n_features()),
        points_(table.origin, panels_of<T>(block_points<T>)),
        whitened_(table.n_features() * panel_points<T>) {
    for (Index k = 0; k < n_components_; ++k) {
      const Vector mean = table.whitening.front() * mean_of(k);
      for (Index f = 0; f < mean.size(); ++f) {
        means_[k * mean.size() + f] = static_cast<T>(mean[f]);
      }
    }
  }

  void load(SampleView samples, Index first, Index count) override {
    points_.load(samples, first, count);
  }

  void evaluate(Index count, T /*relevant*/, Rows<T>& joint) override {
    for (Index p = 0; p < panels_of<T>(count); ++p) {
      triangle_.multiply(points_.panel(p), whitened_.data());
      Index k = 0;
      for (; k + tile_components <= n_components_; k += tile_components) {
        subtract_squares<tile_components>(k, p * panel_points<T>, joint);
      }
      for (; k < n_components_; ++k) subtract_squares<1>(k, p * panel_points<T>, joint);
    }
  }

  void add_moments(const Rows<T>& weights, Index count) override {
    if (!second_) prepare_moments();
    sum_weights(weights, count);
    for (Index k = 0; k < n_components_; k += tile_components) {
      add_first(weights, k, std::min<Index>(tile_components, n_components_ - k), count);
    }
    weighted_->choose(totals_.data(), count);
    second_->add(*weighted_, origin_.data());
  }

  void flush(RowMatrix& moments) override {
    if (!second_) return;
    const Index d = table_.n_features();
    Vector all = Vector::Zero(moments.cols());
    second_->flush(all.data());
    for (Index k = 0; k < n_components_; ++k) {
      const Vector mean = mean_of(k);
      const Vector first = Eigen::Map<const Vector>(first_.data() + k * padded(), d);
      moments(k, 0) += weight_[k];
      moments.row(k).segment(1, d) += (first - weight_[k] * mean).transpose();
      shift_second(first, mean, weight_[k], all.data() + 1 + d);
    }
    moments.row(0).tail(moments.cols() - 1 - d) += all.tail(all.size() - 1 - d).transpose();
    weight_.fill(0.0);
    first_.fill(0.0);
  }

  void squared_norms(Index count, T* out) override {
    for (Index p = 0; p < panels_of<T>(count); ++p) {
      points_.squared_norms(p, out + p * panel_points<T>);
    }
  }

 private:
  static constexpr int tile_components = 4;
  static constexpr int tile_vectors = many_registers ? 4 : 2;

  /// About the origin, like all points.
  [[nodiscard]] Vector mean_of(Index component) const {
    return table_.means.row(component).transpose();
  }

  /// sum w (x - m)(x - m)^T = sum w x x^T - m f^T - f m^T + W m m^T, with f = sum w x, W = sum w.
  static void shift_second(const Vector& first, const Vector& mean, double weight, double* second) {
    for (Index row = 0; row < mean.size(); ++row) {
      const double from_mean = weight * mean[row] - first[row];
      for (Index column = 0; column <= row; ++column) {
        *second++ += from_mean * mean[column] - mean[row] * first[column];
      }
    }
  }

  [[nodiscard]] Index padded() const { return padded_features<T>(table_.n_features()); }

  /// joint = log_scale - |whitened - mean|^2 for a panel of points and a few components.
  template <int Components>
  HWY_INLINE void subtract_squares(Index component, Index first, Rows<T>& joint) const {
    const Index step = lanes<T>() * tile_vectors;
    for (Index i = 0; i < panel_points<T>; i += step) {
      const T* const values = whitened_.data() + i;
      subtract_tile<Components>(component, values, joint.row(component) + first + i);
    }
  }

  template <int Components>
  HWY_INLINE void subtract_tile(Index component, const T* values, T* out) const {
    const Tag<T> d;
    const Index n_features = table_.n_features();
    const T* const means = means_.data() + component * n_features;
    Vec<T> rests[Components][tile_vectors];
    LBW_UNROLL
    for (int k = 0; k < Components; ++k) {
      LBW_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        rests[k][v] = hn::Set(d, static_cast<T>(table_.log_scale[component + k]));
      }
    }
    for (Index f = 0; f < n_features; ++f) {
      LBW_UNROLL
      for (int k = 0; k < Components; ++k) {
        const Vec<T> mean = hn::Set(d, means[k * n_features + f]);
        LBW_UNROLL
        for (int v = 0; v < tile_vectors; ++v) {
          const Vec<T> rest = hn::Sub(hn::Load(d, values + v * lanes<T>()), mean);
          rests[k][v] = hn::NegMulAdd(rest, rest, rests[k][v]);
        }
      }
      values += panel_points<T>;
    }
    LBW_UNROLL
    for (int k = 0; k < Components; ++k) {
      LBW_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        hn::Store(rests[k][v], d, out + k * row_stride<T> + v * lanes<T>());
      }
    }
  }

  /// The weights of components, and of points over all components.
  void sum_weights(const Rows<T>& weights, Index count) {
    totals_.fill(T{0});
    for (Index k = 0; k < n_components_; ++k) {
      const T* const row = weights.row(k);
      double sum = 0.0;
      for (Index i = 0; i < count; ++i) {
        totals_[i] += row[i];
        sum += static_cast<double>(row[i]);
      }
      weight_[k] += sum;
    }
  }

  /// first += weight * x for a few components.
  HWY_INLINE void add_first(const Rows<T>& weights, Index component, Index n, Index count) const {
    for (Index f = 0; f < padded(); f += lanes<T>()) {
      switch (n) {
        case 1:
          add_first_of<1>(weights, component, f, count);
          break;
        case 2:
          add_first_of<2>(weights, component, f, count);
          break;
        case 3:
          add_first_of<3>(weights, component, f, count);
          break;
        default:
          add_first_of<4>(weights, component, f, count);
          break;
      }
    }
  }

  template <int Components>
  HWY_INLINE void add_first_of(const Rows<T>& weights, Index component, Index feature,
                               Index count) const {
    const Tag<T> d;
    const T* const row = weights.row(component);
    Vec<T> sums[Components][2];
    LBW_UNROLL
    for (int k = 0; k < Components; ++k) sums[k][0] = sums[k][1] = hn::Zero(d);
    for (Index i = 0; i < count; i += 2) {  // weights are 0 from `count` on
      LBW_UNROLL
      for (int j = 0; j < 2; ++j) {
        const Vec<T> values = hn::Load(d, points_.rows().row(i + j) + feature);
        LBW_UNROLL
        for (int k = 0; k < Components; ++k) {
          sums[k][j] = hn::MulAdd(hn::Set(d, row[k * row_stride<T> + i + j]), values, sums[k][j]);
        }
      }
    }
    LBW_UNROLL
    for (int k = 0; k < Components; ++k) {
      HWY_ALIGN T stored[HWY_MAX_BYTES / sizeof(T)];
      hn::Store(hn::Add(sums[k][0], sums[k][1]), d, stored);
      double* const to = first_.data() + (component + k) * padded() + feature;
      for (Index i = 0; i < lanes<T>(); ++i) to[i] += static_cast<double>(stored[i]);
    }
  }

  void prepare_moments() {
    weight_ = AlignedArray<double>(n_components_);
    first_ = AlignedArray<double>(n_components_ * padded());
    origin_ = AlignedArray<T>(padded());
    totals_ = AlignedArray<T>(block_points<T>);
    weighted_.emplace(points_.rows());
    second_.emplace(table_.n_features());
  }

  const KernelTable& table_;
  Index n_components_;
  TrianglePanels<T> triangle_;
  AlignedArray<T> means_;  ///< whitened, n_features each
  PointPanels<T> points_;
  AlignedArray<T> whitened_;  ///< a panel of points
  // empty until moments are added
  AlignedArray<double> weight_;
  AlignedArray<double> first_;  ///< padded() numbers per component
  AlignedArray<T> origin_;      ///< 0
  AlignedArray<T> totals_;      ///< weights of the points of the block
  std::optional<WeightedRows<T>> weighted_;
  std::optional<ScatterPanels<T>> second_;
};

LBW_NEW_MODELS(SharedModel);

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

namespace {

// Sums about the origin, the center of all means, lose the square of this factor. Twelve digits of
// double precision remain, and five of single precision.
constexpr double most_deviations_of_doubles = 64.0;
constexpr double most_deviations_of_floats = 8.0;

}  // namespace

bool can_share(const KernelTable& table) {
  if (table.kind != KernelTable::Kind::whitened || table.whitening.size() != 1 ||
      table.n_components() == 1) {
    return false;
  }
  if (table.origin.isZero(0.0)) return false;  // differences to the means shall be exact
  const double most =
      table.precision == Precision::f32 ? most_deviations_of_floats : most_deviations_of_doubles;
  for (Index k = 0; k < table.n_components(); ++k) {
    const Vector deviations = table.whitening.front() * table.means.row(k).transpose();
    if (!(2.0 * deviations.squaredNorm() < most * most))
      return false;  // also if it is not a number
  }
  return true;
}

LBW_MAKE_MODELS(SharedModel, make_shared_model);

}  // namespace lbw
#endif  // HWY_ONCE
