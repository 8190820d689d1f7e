// SPDX-License-Identifier: MIT
// Demographic parity of scores: how far apart the scores of groups are, and what noise explains.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace lbw {

/// A distance of two distributions of scores. With D+ and D- the largest differences of their
/// distribution functions in either direction, it is max(D+, D-) or D+ + D-.
enum class ParityKind {
  ks,      ///< Kolmogorov-Smirnov
  kuiper,  ///< Kuiper, which also detects groups that differ in spread only
};

template <>
struct EnumNames<ParityKind> {
  static constexpr std::string_view option = "kind";
  static constexpr NamedValue<ParityKind> values[] = {{ParityKind::ks, "ks"},
                                                      {ParityKind::kuiper, "kuiper"}};
};

struct ParityOptions {
  ParityKind kind = ParityKind::ks;
  int n_permutations = 200;  ///< random permutations behind `null`; 0 for none
  int n_bootstraps = 200;    ///< resamples within each group behind `interval`; 0 for none
  double confidence = 0.95;  ///< of the null quantile and of the interval, between 0 and 1
  std::uint32_t seed = 0;
  /// Scores that differ by no more than this fraction count as equal.
  double rounding = 1e-12;
};

/// The distribution of a distance under random permutations of the groups.
struct ParityNull {
  double mean = 0.0;      ///< the noise floor
  double quantile = 0.0;  ///< the upper `confidence` quantile
  double p_value = 1.0;   ///< fraction of permutations of at least the observed distance, included
};

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

struct Parity {
  double value = 0.0;
  std::optional<ParityNull> null = {};
  std::optional<Interval> interval = {};
};

/// Demographic parity gamma: the largest distance over all pairs of groups, from 0 (the scores of
/// all groups have the same distribution) to 1.
///
/// The definition, the random numbers and hence the results are those of the Python function
/// lbw.metrics.demographic_parity_gamma, whose documentation explains the interval.
///
/// @param scores  without NaN; infinities are allowed
/// @param groups  the group of each score: 0, 1, ..., each of them at least once, two or more
[[nodiscard]] Parity demographic_parity_gamma(std::span<const double> scores,
                                              std::span<const int> groups,
                                              const ParityOptions& options = {});

/// The largest difference between the means of two groups, with the null distribution of the same
/// random permutations. It has no interval.
///
/// @param scores  finite; groups as in demographic_parity_gamma
[[nodiscard]] Parity mean_difference(std::span<const double> scores, std::span<const int> groups,
                                     const ParityOptions& options = {});

/// The confidence interval of a proportion: Wilson's, and that of Clopper and Pearson for fewer
/// than 50 rows.
///
/// @param n_passed    from 0 to n_rows
/// @param confidence  between 0 and 1
[[nodiscard]] Interval proportion_interval(Index n_passed, Index n_rows, double confidence);

}  // namespace lbw
