// SPDX-License-Identifier: MIT
// k-means++ seeds and Lloyd's iteration.
#pragma once

#include <functional>
#include <lbw/types.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Greedy k-means++ (Arthur, Vassilvitskii 2007; 2 + log k candidates per step). Returns distinct
/// samples that are far apart. There must be at least n_centers distinct samples of positive
/// weight.
[[nodiscard]] RowMatrix kmeans_plusplus(const WeightedSamples& samples, Index n_centers,
                                        Random& random, const Execution& execution);

/// Lloyd's algorithm, until the squared shift of all centers is at most 1e-4 of the mean variance
/// of the features, or 300 steps. An empty center moves to the sample farthest from its center.
/// @param on_step  called after each step with the number of steps; may be empty
[[nodiscard]] RowMatrix lloyd(const WeightedSamples& samples, RowMatrix centers,
                              const Execution& execution,
                              const std::function<void(int)>& on_step = {});

}  // namespace lbw
