// SPDX-License-Identifier: MIT
// Responsibilities and densities of one block of points.
#pragma once

#include "device/density_model.hpp"

namespace lbw {

/// joint (n_components rows of log joint densities) becomes weight * responsibility, log_density
/// the log density of the mixture, for the first `count` points of a block. A value that is
/// `relevant` or more below the largest one of its point counts as -infinity. A point so far out
/// that every density is 0 belongs to no component and has log density -infinity.
template <typename T>
void normalize(Rows<T>& joint, Index n_components, Index count, T relevant, const T* weights,
               T* log_density);

/// The working memory of one thread that finds responsibilities block by block.
template <typename T>
struct ResponsibilityBlock {
  std::unique_ptr<DensityModel<T>> model;
  Index n_components;
  T relevant;     ///< responsibilities below e^-relevant of the largest one are 0
  Rows<T> joint;  ///< one row per component: weight * responsibility
  AlignedArray<T> weights{block_points<T>};
  AlignedArray<T> log_density{block_points<T>};

  ResponsibilityBlock(const KernelTable& table, T relevant_difference)
      : model(make_density_model<T>(table)),
        n_components(table.n_components()),
        relevant(relevant_difference),
        joint(table.n_components()) {}

  /// Fills `joint` and `log_density` for samples [first, first + count).
  void find(const WeightedSamples& samples, Index first, Index count, double weight_scale);
};

}  // namespace lbw
