// SPDX-License-Identifier: MIT
// Joint densities and moment sums by quadratic features: two matrix products.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/feature_model.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "device/density_model.hpp"
#include "device/forms-inl.hpp"
#include "device/load-inl.hpp"
#include "device/moment_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

class FeatureModel final : public DensityModel<double> {
 public:
  explicit FeatureModel(const KernelTable& table)
      : table_(table), forms_(table.forms), terms_(table.n_terms()), moments_(table) {}

  void load(SampleView samples, Index first, Index count) override {
    load_features(samples, first, count, table_.origin, terms_);
    ahead_ = Ahead(samples, first + count, block_points<double>);
  }

  void evaluate(Index count, double /*relevant*/, Rows<double>& joint) override {
    for (Index first = 0; first < count; first += group_vectors * lanes<double>()) {
      fill_products(terms_.row(0) + first);
      switch (table_.n_features()) {  // one to three features: the loop over terms is unrolled
        case 1:
          forms_.evaluate<2>(terms_, first, joint, ahead_);
          break;
        case 2:
          forms_.evaluate<5>(terms_, first, joint, ahead_);
          break;
        case 3:
          forms_.evaluate<9>(terms_, first, joint, ahead_);
          break;
        default:
          forms_.evaluate<0>(terms_, first, joint, ahead_);
          break;
      }
    }
  }

  void add_moments(const Rows<double>& weights, Index count) override {
    const Index n_vectors = vectors_of<double>(count);
    ProductSums<double>::add(moments_.add_weights(weights, n_vectors), terms_.row(0),
                             table_.n_terms(), n_vectors);
  }

  void flush(RowMatrix& moments) override { moments_.flush(moments); }

  void squared_norms(Index count, double* out) override {
    sum_squares(terms_.row(0), row_stride<double>, table_.n_features(),
                vectors_of<double>(count) * lanes<double>(), out);
  }

 private:
  /// Products of all pairs of features, for one group of points.
  HWY_INLINE void fill_products(double* terms) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    double* out = terms + table_.n_features() * row_stride<double>;
    for (Index a = 0; a < table_.n_features(); ++a) {
      Vec<double> left[group_vectors];
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        left[v] = hn::Load(d, terms + a * row_stride<double> + v * step);
      }
      const double* right = terms;
      for (Index b = 0; b <= a; ++b) {
        LBW_UNROLL
        for (int v = 0; v < group_vectors; ++v) {
          hn::Store(hn::Mul(left[v], hn::Load(d, right + v * step)), d, out + v * step);
        }
        right += row_stride<double>;
        out += row_stride<double>;
      }
    }
  }

  const KernelTable& table_;
  PackedForms forms_;
  Rows<double> terms_;  ///< features, then their products
  Ahead ahead_;         ///< the samples of the next block
  MomentVectors<double> moments_;
};

std::unique_ptr<DensityModel<double>> new_feature_model(const KernelTable& table) {
  return std::make_unique<FeatureModel>(table);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(new_feature_model);

std::unique_ptr<DensityModel<double>> make_feature_model(const KernelTable& table) {
  return HWY_DYNAMIC_DISPATCH(new_feature_model)(table);
}

}  // namespace lbw
#endif  // HWY_ONCE
