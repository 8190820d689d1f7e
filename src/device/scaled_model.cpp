// SPDX-License-Identifier: MIT
// Joint densities and moment sums of diagonal covariances.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/scaled_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "device/load-inl.hpp"
#include "device/model_dispatch.hpp"
#include "device/moment_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

template <typename T>
class ScaledModel final : public DensityModel<T> {
 public:
  explicit ScaledModel(const KernelTable& table)
      : table_(table),
        means_(packed_means<T>(table)),
        scales_(table.means.size()),
        features_(table.n_features()),
        moments_(table) {
    for (Index k = 0; k < table.n_components(); ++k) {
      for (Index f = 0; f < table.n_features(); ++f) {
        scales_[k * table.n_features() + f] = static_cast<T>(table.whitening_of(k)(f, 0));
      }
    }
  }

  void load(SampleView samples, Index first, Index count) override {
    load_features(samples, first, count, table_.origin, features_);
  }

  void evaluate(Index count, T /*relevant*/, Rows<T>& joint) override {
    for (Index i = 0; i < count; i += group_vectors * lanes<T>()) {
      for (Index k = 0; k < table_.n_components(); ++k) evaluate_group(k, i, joint.row(k) + i);
    }
  }

  void add_moments(const Rows<T>& weights, Index count) override {
    const Index n_vectors = vectors_of<T>(count);
    const WeightRows<T>& present = moments_.add_weights(weights, n_vectors);
    for (std::size_t i = 0; i < present.rows.size(); ++i) {
      for (Index f = 0; f < table_.n_features(); ++f) {
        add_feature(present.rows[i], present.components[i], f, n_vectors, present.sums[i]);
      }
    }
  }

  void flush(RowMatrix& moments) override { moments_.flush(moments); }

  void squared_norms(Index count, T* out) override {
    sum_squares(features_.row(0), row_stride<T>, table_.n_features(),
                vectors_of<T>(count) * lanes<T>(), out);
  }

 private:
  HWY_INLINE void evaluate_group(Index component, Index first, T* out) const {
    const Tag<T> d;
    const Index step = lanes<T>();
    const Index row = component * table_.n_features();
    Vec<T> result[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      result[v] = hn::Set(d, static_cast<T>(table_.log_scale[component]));
    }
    for (Index f = 0; f < table_.n_features(); ++f) {
      const Vec<T> mean = hn::Set(d, means_[row + f]);
      const Vec<T> scale = hn::Set(d, scales_[row + f]);
      const T* feature = features_.row(f) + first;
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        const Vec<T> scaled = hn::Mul(hn::Sub(hn::Load(d, feature + v * step), mean), scale);
        result[v] = hn::NegMulAdd(scaled, scaled, result[v]);
      }
    }
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) hn::Store(result[v], d, out + v * step);
  }

  HWY_INLINE void add_feature(const T* weights, Index component, Index feature, Index n_vectors,
                              T* sums) const {
    const Tag<T> d;
    const Index step = lanes<T>();
    const Vec<T> mean = hn::Set(d, means_[component * table_.n_features() + feature]);
    const T* row = features_.row(feature);
    T* const first_out = sums + feature * step;
    T* const second_out = sums + (table_.n_features() + feature) * step;
    Vec<T> first[2] = {hn::Zero(d), hn::Zero(d)};
    Vec<T> second[2] = {hn::Zero(d), hn::Zero(d)};
    for (Index v = 0; v < n_vectors; v += 2) {
      LBW_UNROLL
      for (int i = 0; i < 2; ++i) {
        const Vec<T> difference = hn::Sub(hn::Load(d, row + (v + i) * step), mean);
        const Vec<T> weighted = hn::Mul(difference, hn::Load(d, weights + (v + i) * step));
        first[i] = hn::Add(first[i], weighted);
        second[i] = hn::MulAdd(weighted, difference, second[i]);
      }
    }
    hn::Store(hn::Add(hn::Load(d, first_out), hn::Add(first[0], first[1])), d, first_out);
    hn::Store(hn::Add(hn::Load(d, second_out), hn::Add(second[0], second[1])), d, second_out);
  }

  const KernelTable& table_;
  AlignedArray<T> means_;
  AlignedArray<T> scales_;
  Rows<T> features_;
  MomentVectors<T> moments_;
};

LBW_NEW_MODELS(ScaledModel);

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

LBW_MAKE_MODELS(ScaledModel, make_scaled_model);

}  // namespace lbw
#endif  // HWY_ONCE
