// SPDX-License-Identifier: MIT
// Noise for features that take few values, such as whole numbers or one-hot categories. A map moves
// such values to a few places that differ between groups and therefore reveal the group. Noise
// added before the transport prevents this.
#pragma once

#include <cstdint>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// How features that take few values are detected and how much noise they get.
struct Dither {
  bool automatic = false;  ///< by dither_cells
  /// Width of the noise as a fraction of the step between neighbouring values, from 0 (none) to 1,
  /// for features whose values lie on a grid (grid_steps). Ignored if automatic.
  double amount = 0.0;

  Dither() = default;
  Dither(double fraction) : amount(fraction) {}  // NOLINT: implicit on purpose
  [[nodiscard]] static Dither automatically() {
    Dither dither;
    dither.automatic = true;
    return dither;
  }

  [[nodiscard]] bool is_none() const { return !automatic && amount == 0.0; }
  friend bool operator==(const Dither&, const Dither&) = default;
};

/// Ascending, disjoint intervals of one feature. A value in [lower[i], upper[i]) is replaced by a
/// random value of that interval; other values do not change.
struct DitherCells {
  std::vector<double> lower = {};
  std::vector<double> upper = {};

  [[nodiscard]] bool empty() const { return lower.empty(); }
  friend bool operator==(const DitherCells&, const DitherCells&) = default;
};

/// The grid step of each feature, or 0 if its values do not lie on a grid.
///
/// Values lie on a grid if they repeat (two or more values, four or more samples per value on
/// average) and the gaps between them are multiples of the smallest gap, within 1e-6 of it.
/// Examples are whole numbers and categories, also after scaling and shifting.
///
/// A sample of weight 2 counts as two samples, and samples of weight 0 are ignored.
///
/// @param samples         one or more views with the same number of features, pooled; finite
/// @param sample_weights  empty, or one list per view: empty, or one weight per sample, finite,
///                        >= 0, not all 0
/// @return                (n_features)
[[nodiscard]] Vector grid_steps(std::span<const SampleView> samples,
                                const Execution& execution = {},
                                std::span<const std::span<const double>> sample_weights = {});

/// The cells of each feature around values that many samples share.
///
/// A feature takes few values if there are 2 to 1024 distinct values with at least four samples per
/// value on average. Every value then has a cell, which ends at the midpoints to its neighbours. In
/// other features, a value has a cell if at least 10 samples and 1 of 200 have it, such as the
/// zeros of an otherwise continuous income. The outermost cells extend outwards as far as inwards,
/// and at least by their fraction of the samples times the feature's standard deviation; otherwise
/// the zeros would stay close together. Values that differ by less than 1e-9 of the feature's range
/// count as one.
///
/// Cells preserve the order of distinct values and are the same for all groups. A sample of weight
/// 2 counts as two samples, and samples of weight 0 are ignored.
///
/// @param samples         one or more views with the same number of features, pooled; finite. A
///                        view of more than 65536 samples is represented by a random subsample of
///                        that size.
/// @param seed            of the subsample
/// @param sample_weights  as in grid_steps
/// @return                one per feature, without cells if its values do not change
[[nodiscard]] std::vector<DitherCells> dither_cells(
    std::span<const SampleView> samples, std::uint64_t seed = 0, const Execution& execution = {},
    std::span<const std::span<const double>> sample_weights = {});

/// Adds a random number from [-width / 2, width / 2) to every feature of every sample. The numbers
/// depend only on the seed, the sample and its key, not on batches, order or threads.
///
/// @param samples  (n_samples, n_features), finite
/// @param widths   (n_features), >= 0; 0 leaves a feature unchanged
/// @param keys     one per sample; if empty, derived from copies and all samples (lbw/samples.hpp)
[[nodiscard]] RowMatrix dithered(SampleView samples, const Vector& widths, std::uint64_t seed,
                                 const Execution& execution = {},
                                 std::span<const std::uint64_t> keys = {});

/// Adds noise by cells. @param cells  one per feature
[[nodiscard]] RowMatrix dithered(SampleView samples, std::span<const DitherCells> cells,
                                 std::uint64_t seed, const Execution& execution = {},
                                 std::span<const std::uint64_t> keys = {});

}  // namespace lbw
