// SPDX-License-Identifier: MIT
// Noise for features that take few values, such as whole numbers or categories as 0 and 1. The
// values of such a feature are transported to a few places, other ones for every group, and so give
// the group away. Spread out before, they do not.
#pragma once

#include <cstdint>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// How the features that take few values are found and spread.
struct Dither {
  bool automatic = false;  ///< by dither_cells
  /// Width of the noise as a fraction of the step between neighbouring values, from 0 (none) to 1,
  /// for the features whose values lie on a grid (grid_steps). Not used where automatic.
  double amount = 0.0;

  Dither() = default;
  Dither(double fraction) : amount(fraction) {}  // NOLINT: a number is a dither
  [[nodiscard]] static Dither automatically() {
    Dither dither;
    dither.automatic = true;
    return dither;
  }

  [[nodiscard]] bool is_none() const { return !automatic && amount == 0.0; }
  friend bool operator==(const Dither&, const Dither&) = default;
};

/// Intervals of one feature, ascending and without overlap. A value in [lower[i], upper[i]) moves
/// to a random place in that interval, any other value stays.
struct DitherCells {
  std::vector<double> lower = {};
  std::vector<double> upper = {};

  [[nodiscard]] bool empty() const { return lower.empty(); }
  friend bool operator==(const DitherCells&, const DitherCells&) = default;
};

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

/// The cells of each feature around the values that many samples share.
///
/// A feature takes few values if there are at most 1024 of them, two or more, with four samples or
/// more to each on average. Every value then has a cell, up to the midpoints between it and its
/// neighbours. In another feature a value has a cell if at least 10 samples and 1 of 200 have it:
/// the many zeros of an income that is else continuous. The outermost cell of a feature reaches
/// outwards as far as inwards, and at least by its fraction of the samples times the feature's
/// standard deviation: otherwise the zeros would stay close together. Values that differ by less
/// than 1e-9 of the feature's range count as one.
///
/// Cells keep the order of distinct values, and all groups have the same.
///
/// @param samples  one or more views of one number of features, looked at together; finite. Of more
///                 than 65536 samples in a view a random subsample of that size is looked at.
/// @param seed     of the subsample
/// @return         one per feature, without cells where its values stay
[[nodiscard]] std::vector<DitherCells> dither_cells(std::span<const SampleView> samples,
                                                    std::uint64_t seed = 0,
                                                    const Execution& execution = {});

/// The samples, every feature moved by a number from [-width / 2, width / 2). The numbers are a
/// function of the seed, of the sample and of its key alone, in any batch, order or thread.
///
/// @param samples  (n_samples, n_features), finite
/// @param widths   (n_features), >= 0; 0 leaves a feature as it is
/// @param keys     one per sample, or none: by copies and all samples (lbw/samples.hpp)
[[nodiscard]] RowMatrix dithered(SampleView samples, const Vector& widths, std::uint64_t seed,
                                 const Execution& execution = {},
                                 std::span<const std::uint64_t> keys = {});

/// The same by cells. @param cells  one per feature
[[nodiscard]] RowMatrix dithered(SampleView samples, std::span<const DitherCells> cells,
                                 std::uint64_t seed, const Execution& execution = {},
                                 std::span<const std::uint64_t> keys = {});

}  // namespace lbw
