// SPDX-License-Identifier: MIT
// Log densities and moment sums by quadratic features.
#if defined(LBW_DEVICE_FEATURE_MODEL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_FEATURE_MODEL_INL_HPP
#undef LBW_DEVICE_FEATURE_MODEL_INL_HPP
#else
#define LBW_DEVICE_FEATURE_MODEL_INL_HPP
#endif

#include "device/forms-inl.hpp"
#include "device/kernel_table.hpp"
#include "device/load-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

class FeatureModel {
 public:
  using Scalar = double;

  explicit FeatureModel(const KernelTable& table)
      : table_(table), forms_(table.forms), terms_(table.n_terms()) {}

  void load(SampleView samples, Index first, Index count) {
    load_features(samples, first, count, table_.origin, terms_);
    const Index next = std::min(first + count, samples.n_samples());
    const Index last = std::min(next + block_points<double>, samples.n_samples());
    ahead_ = Ahead(samples.row_data(next), samples.row_data(last));
  }

  /// joint.row(k): log joint density of the first n_vectors vectors of points.
  void evaluate(Index n_vectors, Rows<double>& joint) {
    const Index group = group_vectors * lanes<double>();
    for (Index first = 0; first < n_vectors * lanes<double>(); first += group) {
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

  /// Adds the products of every row with the terms, after `evaluate`.
  void add_moments(const ProductRows<double>& rows, const std::vector<Index>& /*components*/,
                   Index n_vectors) {
    ProductSums<double>::add(rows, terms_.row(0), table_.n_terms(), n_vectors);
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
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
