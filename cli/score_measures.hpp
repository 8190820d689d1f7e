// SPDX-License-Identifier: MIT
// Measures of the parity of a column of scores.
#pragma once

#include <lbw/io.hpp>
#include <lbw/parity.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"

namespace lbw::cli {

/// Scores, groups and targets, one per row.
struct ScoredRows {
  std::vector<double> scores;
  std::vector<int> groups;  ///< places in `group_names`
  std::vector<std::string> group_names;
  std::vector<bool> targets = {};  ///< empty if there are none
};

/// One line of the result: a measure of all groups or of one. What does not apply is empty.
struct ScoreMeasure {
  std::string measure;
  std::string group = {};
  std::optional<double> threshold = {};
  double value = 0.0;
  std::optional<double> noise = {};  ///< quantile under random permutations of the groups
  std::optional<double> p_value = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
};

/// Gamma (Kolmogorov-Smirnov), Kuiper's distance and the difference of means, then for each group
/// its rows, mean, base rate and AUC, and for each threshold the rates and their differences.
[[nodiscard]] std::vector<ScoreMeasure> score_measures(const ScoredRows& rows,
                                                       const std::vector<double>& thresholds,
                                                       const ParityOptions& options);

/// A table, or one sentence per measure if the table is wider than `width`.
[[nodiscard]] std::string describe(const std::vector<ScoreMeasure>& measures, double confidence,
                                   std::size_t width);
[[nodiscard]] Json to_json(const std::vector<ScoreMeasure>& measures);
/// One row per measure, with this decimal mark; cells that do not apply are empty.
[[nodiscard]] Table to_table(const std::vector<ScoreMeasure>& measures, char decimal);

}  // namespace lbw::cli
