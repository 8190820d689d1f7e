// SPDX-License-Identifier: MIT
// Noise for features that take few values: whole numbers, categories as 0 and 1. Carried from
// different groups their values land in different places, one by one, and so give the group away;
// spread out they do not.
#pragma once

#include <cstdint>
#include <lbw/execution.hpp>
#include <lbw/sample_view.hpp>
#include <span>

namespace lbw {

/// The step of the grid that the values of each feature lie on, 0 where they lie on none.
///
/// They do when values repeat (there are four samples or more to each, and two values or more) and
/// the gaps between them are multiples of the smallest, to 1e-6 of it: whole numbers and
/// categories, scaled and shifted or not.
///
/// @param samples  one or more views of one number of features, looked at together; finite
/// @return         (n_features)
[[nodiscard]] Vector grid_steps(std::span<const SampleView> samples,
                                const Execution& execution = {});

/// The samples, every feature moved by a number from [-width / 2, width / 2). The numbers are a
/// function of the seed and of the sample alone: a point is moved alike in any batch, order or
/// thread, and equal points go together.
///
/// @param samples  (n_samples, n_features), finite
/// @param widths   (n_features), >= 0; 0 leaves a feature as it is
[[nodiscard]] RowMatrix dithered(SampleView samples, const Vector& widths, std::uint64_t seed,
                                 const Execution& execution = {});

}  // namespace lbw
