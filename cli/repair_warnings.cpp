// SPDX-License-Identifier: MIT
// Warnings of lbw repair. Those before the report are the ones of Python's GroupRepair.
#include <algorithm>
#include <cmath>
#include <lbw/report.hpp>
#include <unordered_set>

#include "cli/describe.hpp"
#include "cli/output.hpp"
#include "cli/repair.hpp"
#include "cli/terms.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr Index few_rows = 50;           // of a group
constexpr double much_separation = 0.1;  // of an AUC from 0.5
constexpr Index least_id_rows = 50;
constexpr double unmeasured = 2.0;  // times these limits where the noise was not measured

void warn(const RepairCommand& command, const std::string& text) {
  tell(command.common.quiet, "repair", "warning: " + text);
}

void warn_of_small_groups(const RepairCommand& command, const TransportModel& model) {
  std::vector<std::string> few;
  for (std::size_t g = 0; g < model.group_names.size(); ++g) {
    const Index n_rows = model.reports[g].n_samples;
    const std::string& name = model.group_names[g];
    const bool is_kept = std::ranges::count(model.kept_groups, name) > 0;
    if (is_kept) {
      warn(command, "group '" + name +
                        "' is too small to fit (1 row) and is left unchanged; the other groups are "
                        "repaired without it");
    } else if (n_rows < few_rows) {
      few.push_back("'" + shortened(name) + "' (" + counted(n_rows, "row") + ")");
    }
  }
  if (few.empty()) return;
  warn(command, "few rows of groups " + short_list(few) +
                    ": differences that sampling noise explains are not repaired, so that new rows "
                    "of these groups can stay far from the others. Give more rows, or join groups");
}

/// Whether the rows of a column have distinct whole numbers, as identifiers have. Rows with missing
/// values are NaN.
bool looks_like_identifier(const RowMatrix& values, Index column) {
  std::unordered_set<double> seen;
  for (const double value : values.col(column)) {
    if (std::isnan(value)) continue;
    if (value != std::floor(value) || !seen.insert(value).second) return false;
  }
  return std::ssize(seen) >= least_id_rows;
}

/// 'town', 'rate' (text, for example '12.3%')
std::string listed_text_columns(const GroupedTable& grouped) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < grouped.text_columns.size(); ++i) {
    const std::string& example = grouped.text_examples[i];
    list.push_back("'" + shortened(grouped.text_columns[i]) + "'" +
                   (example.empty() ? "" : " (text, for example '" + example + "')"));
  }
  return short_list(list);
}

void warn_of_dates(const RepairCommand& command, const std::vector<std::string>& columns) {
  constexpr const char* kind = " look like dates and are repaired like other columns. If they are ";
  const std::size_t n_listed = std::min(columns.size(), most_listed);
  for (std::size_t i = 0; i < n_listed; ++i) {
    warn(command, "the numbers of column " + columns[i] + kind +
                      "dates, name the column in --except, or replace them by numbers of days");
  }
  if (columns.size() == n_listed) return;
  warn(command, "the numbers of " + counted(columns.size() - n_listed, "more column") + kind +
                    "dates, name the columns in --except, or replace them by numbers of days");
}

void warn_of_columns(const RepairCommand& command, const GroupedTable& grouped) {
  if (!grouped.text_columns.empty()) {
    warn(command, "columns without numbers are left unchanged and may reveal the group: " +
                      listed_text_columns(grouped) +
                      ". Encode them as numbers to repair them, or name them in --except");
  }
  if (!grouped.code_columns.empty()) {
    warn(command,
         "columns " + quoted_list(grouped.code_columns) +
             " have numbers with leading zeros, such as 00459, and are repaired like other "
             "columns. If they are codes, name them in --except");
  }
  warn_of_dates(command, grouped.date_columns);
  if (!command.wishes.features.empty()) return;
  std::vector<std::string> identifiers;
  for (std::size_t f = 0; f < grouped.table.feature_names.size(); ++f) {
    if (!looks_like_identifier(grouped.table.values, static_cast<Index>(f))) continue;
    identifiers.push_back(grouped.table.feature_names[f]);
  }
  if (identifiers.empty()) return;
  warn(command, "columns " + quoted_list(identifiers) +
                    " have a different whole number in every row and are repaired like other "
                    "columns. If they are identifiers, name them in --except");
}

std::vector<Group> groups_of(const GroupedTable& grouped, const TransportModel& model) {
  std::vector<Group> groups;
  const std::vector<int> codes = grouped.codes(model.group_names);
  for (std::size_t g = 0; g < model.group_names.size(); ++g) {
    std::vector<Index> rows;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == static_cast<int>(g)) rows.push_back(static_cast<Index>(row));
    }
    if (rows.empty()) continue;
    groups.push_back({model.group_names[g], RowMatrix(grouped.table.values(rows, Eigen::all))});
  }
  return groups;
}

/// Whether all steps of the refinement leave all groups as they are, because sampling noise
/// explains their differences. Other steps then do no more.
bool is_inactive(const Refinement& refinement) {
  const auto leaves_all = [](const RefinementStep& step) {
    return !step.shrinkage.empty() &&
           std::ranges::all_of(step.shrinkage, [](double fraction) { return fraction == 1.0; });
  };
  return !refinement.empty() && std::ranges::all_of(refinement.steps, leaves_all);
}

/// What to change if the groups can still be told apart.
/// @param amount  the least of all groups
std::string separation_advice(const RepairCommand& command, const TransportModel& model,
                              double amount, bool is_below_chance) {
  if (is_below_chance) {
    return "Below 0.5, rows have fewer neighbours of their own group than in random groups: the "
           "repair may have adapted to sampling noise, so that new rows differ. Fit it to more "
           "rows, or try fewer steps of --refine";
  }
  if (amount < 1.0) {
    const bool is_typed = command.model.empty() || command.has_amount;
    return (is_typed ? "--amount " : "the amount of the model, ") + to_text(amount) +
           (is_typed ? "" : ",") +
           " leaves a part of the difference between the groups; increase it";
  }
  if (!command.model.empty()) {
    return "If these rows are not those of the fit, fit the repair to more rows, or try fewer "
           "steps of --refine";
  }
  if (is_inactive(model.refinement)) {
    return "The steps of --refine find no differences beyond sampling noise. Use --components 5, "
           "take logarithms of columns with heavy tails, or fit the repair to more rows";
  }
  return "Increase --refine, for example to " +
         to_text(3 * std::max(command.transport.refine, 50)) +
         ", take logarithms of columns with heavy tails, or use --components 5";
}

std::string worse_columns_advice(bool has_model) {
  if (has_model) {
    return "If these rows are not like those of the fit, fit the repair to more rows. Otherwise, "
           "fit it without these columns (--except), or with --components 5 or --group-shrinkage 1";
  }
  return "This happens if groups have few rows and values are in separate clusters, such as a code "
         "for missing values, or have heavy tails. Leave these columns out with --except, replace "
         "codes by empty cells and use --missing skip, take logarithms, or use --components 5 or "
         "--group-shrinkage 1";
}

std::string noise_note(const RepairCommand& command) {
  return command.n_permutations > 0 ? "" : "; noise was not measured (--permutations 0)";
}

}  // namespace

void warn_of_repair(const RepairCommand& command, const TransportModel& model,
                    const GroupedTable& grouped) {
  if (command.common.quiet) return;
  warn_of_columns(command, grouped);
  (void)report_convergence(command.common.quiet, "repair", model);
  warn_of_small_groups(command, model);
  for (const std::string& text : fit_warnings(model)) {
    warn(command, in_terms_of_the_program(text));
  }
  const std::vector<Group> groups = groups_of(grouped, model);
  for (const std::optional<std::string>& text :
       {far_values_warning(model, groups),
        displacement_warning(model, groups, weights_or_default(command.weights, model),
                             command.common.execution)}) {
    if (text) warn(command, in_terms_of_the_program(*text));
  }
}

std::ptrdiff_t warn_of_unknown(const RepairCommand& command, const TransportModel& model,
                               const GroupedTable& grouped) {
  const std::vector<int> codes = grouped.codes(model.group_names);
  std::vector<std::string> unknown;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] < 0) unknown.push_back(grouped.labels[row]);
  }
  std::erase(unknown, "");
  const auto n_unknown = std::ssize(unknown);
  if (n_unknown == 0) return 0;
  std::ranges::sort(unknown);
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  const bool is_one = n_unknown == 1;
  const std::string what =
      command.handle_unknown == UnknownGroup::ignore
          ? (is_one ? "it stays as it is" : "they stay as they are")
          : "the maps of all groups are averaged for " + std::string(is_one ? "it" : "them");
  tell(command.common.quiet, "repair",
       "warning: " + counted(n_unknown, "row") + " of " + to_text(codes.size()) +
           (is_one ? " belongs" : " belong") +
           " to groups that the model does not have: " + quoted_list(unknown) + "; " + what);
  return n_unknown;
}

void warn_of_worse_columns(const RepairCommand& command, const RepairReport& report) {
  constexpr double least_increase = 0.05;
  constexpr double clearly = 1.5;  // times the noise
  std::vector<std::string> worse;
  for (const ColumnParity& column : report.columns) {
    const double after = column.after.value;
    const bool has_noise = column.after.null.has_value();
    if (has_noise && after <= clearly * column.after.null->quantile) continue;
    if (after <= column.before + (has_noise ? least_increase : unmeasured * least_increase)) {
      continue;
    }
    worse.push_back("'" + shortened(column.name) + "' (gamma " + fixed(column.before, 2) +
                    " before and " + fixed(after, 2) + " after)");
  }
  if (worse.empty()) return;
  warn(command, "the groups differ more after the repair than before in columns " +
                    short_list(worse) + noise_note(command) + ". " +
                    worse_columns_advice(!command.model.empty()));
}

void warn_of_separation(const RepairCommand& command, const TransportModel& model,
                        double least_amount, const RepairReport& report) {
  const GroupSeparation* worst = report.worst();
  if (worst == nullptr) return;
  const bool has_noise = worst->after.null.n_permutations > 0;
  if (has_noise && !worst->exceeds_noise()) return;
  if (worst->distance_from_chance() <= (has_noise ? 1.0 : unmeasured) * much_separation) return;
  warn(command,
       "the repaired groups can still be told apart: the nearest neighbours of a row predict group "
       "'" +
           worst->group + "' with an AUC of " + fixed(worst->after.auc, 2) + " (0.5 is chance, " +
           fixed(worst->before.auc, 2) + " before the repair)" + noise_note(command) + ". " +
           separation_advice(command, model, least_amount, worst->after.auc < 0.5));
}

}  // namespace lbw::cli
