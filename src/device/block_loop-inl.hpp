// SPDX-License-Identifier: MIT
// The loop that all passes share: blocks of samples through one of the models.
#if defined(LBW_DEVICE_BLOCK_LOOP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_BLOCK_LOOP_INL_HPP
#undef LBW_DEVICE_BLOCK_LOOP_INL_HPP
#else
#define LBW_DEVICE_BLOCK_LOOP_INL_HPP
#endif

#include "device/feature_model-inl.hpp"
#include "device/kernel_table.hpp"
#include "device/responsibility-inl.hpp"
#include "device/scaled_model-inl.hpp"
#include "device/vector-inl.hpp"
#include "device/whitened_model-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Vectors that hold `count` points, whole groups of them.
template <typename T>
HWY_INLINE Index vectors_of(Index count) {
  const Index group = group_vectors * lanes<T>();
  return (count + group - 1) / group * group_vectors;
}

/// What a chunk of samples needs to find responsibilities, block by block.
template <typename Model>
struct ResponsibilityBlock {
  using T = typename Model::Scalar;

  Model model;
  Rows<T> joint;  ///< one row per component: log joint densities, then w r
  AlignedArray<T> weights{block_points<T>};
  AlignedArray<T> log_density{block_points<T>};

  explicit ResponsibilityBlock(const KernelTable& table)
      : model(table), joint(table.n_components()) {}

  /// @return the number of vectors that hold the points
  Index find(const KernelTable& table, const WeightedSamples& samples, Index first, Index count,
             double weight_scale) {
    const Index n_vectors = vectors_of<T>(count);
    model.load(samples.samples, first, count);
    load_weights(samples, first, count, weight_scale, weights.data());
    model.evaluate(n_vectors, joint);
    normalize<T>(joint, table.n_components(), n_vectors, weights.data(), log_density.data());
    return n_vectors;
  }
};

/// work.run<Model>() with the model of the table.
template <typename Work>
HWY_INLINE auto with_model(const KernelTable& table, const Work& work) {
  const bool single = table.precision == Precision::f32;
  switch (table.kind) {
    case KernelTable::Kind::features:
      return work.template run<FeatureModel>();
    case KernelTable::Kind::scaled:
      return single ? work.template run<ScaledModel<float>>()
                    : work.template run<ScaledModel<double>>();
    default:
      return single ? work.template run<WhitenedModel<float>>()
                    : work.template run<WhitenedModel<double>>();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
