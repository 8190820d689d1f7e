// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// How far estimated covariances are drawn towards equal variances without correlations, which
/// keeps those of few samples in many features away from singular ones. With S the estimate of a
/// component (of all components together where they are tied), d the number of features and a the
/// amount:
///
///   S <- (1 - a) S + a (tr(S) / d) I
///
/// A diagonal S keeps its shape, a spherical one has nothing to draw. The floor is added
/// afterwards.
///
/// Automatic: a is the oracle-approximating amount for normal samples (Chen, Wiesel, Eldar, Hero
/// 2010), at most 1, of every component in every step. With N the samples that the component
/// holds (the sum of its responsibilities; of all components together where they are tied):
///
///   full, tied:  a = ((1 - 2/d) tr(S^2) + tr(S)^2) / ((N + 1 - 2/d) (tr(S^2) - tr(S)^2 / d))
///   diagonal:    a = (2 - 2/d) tr(S^2) / ((N + 2 - 2/d) (tr(S^2) - tr(S)^2 / d))
///
/// The second line is the same derivation for variances that are estimated feature by feature:
/// d errors take the place of d^2.
struct Shrinkage {
  bool automatic = false;
  double amount = 0.0;  ///< 0 (none) to 1 (all variances equal); not used where automatic

  [[nodiscard]] bool is_none() const { return !automatic && amount == 0.0; }
  friend bool operator==(const Shrinkage&, const Shrinkage&) = default;
};

/// "auto", or the amount as the shortest text that reads back to it.
[[nodiscard]] std::string to_string(const Shrinkage& shrinkage);
/// The inverse of to_string. @throws InvalidArgument unless it is "auto" or a number from 0 to 1.
[[nodiscard]] Shrinkage shrinkage_from(std::string_view text);

}  // namespace lbw
