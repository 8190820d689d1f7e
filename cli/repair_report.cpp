// SPDX-License-Identifier: MIT
#include "cli/repair_report.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr Index most_separation_rows = 2000;  // of a group and of the others; the cost is quadratic
constexpr Index least_separation_rows = 10;
constexpr std::size_t most_separations = 20;
constexpr std::size_t widest_name = 32;

/// Some of these rows, chosen at random, in their order.
std::vector<Index> some_of(std::vector<Index> rows, std::uint32_t seed) {
  if (std::ssize(rows) <= most_separation_rows) return rows;
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(most_separation_rows); ++i) {
    std::swap(rows[i], rows[i + random() % (rows.size() - i)]);
  }
  rows.resize(static_cast<std::size_t>(most_separation_rows));
  std::ranges::sort(rows);
  return rows;
}

Separation separation_of(const RowMatrix& values, const std::vector<Index>& own,
                         const std::vector<Index>& others, const ParityOptions& options,
                         const Execution& execution) {
  return separation(
      rows_at(values, others), rows_at(values, own),
      {.n_permutations = options.n_permutations, .seed = options.seed, .execution = execution});
}

void measure_separations(const ReportInput& input, const ParityOptions& options,
                         const Execution& execution, RepairReport& report) {
  // with two groups, one is separated from the other as well as the other from the one
  const std::size_t n_measured = report.groups.size() == 2 ? 1 : report.groups.size();
  for (std::size_t g = 0; g < std::min(n_measured, most_separations); ++g) {
    std::vector<Index> own;
    std::vector<Index> others;
    const auto code =
        static_cast<int>(std::ranges::find(input.groups, report.groups[g]) - input.groups.begin());
    for (std::size_t row = 0; row < input.codes.size(); ++row) {
      if (input.codes[row] < 0) continue;
      (input.codes[row] == code ? own : others).push_back(static_cast<Index>(row));
    }
    if (std::min(std::ssize(own), std::ssize(others)) < least_separation_rows) continue;
    own = some_of(own, options.seed);
    others = some_of(others, options.seed);
    report.separations.push_back({report.groups[g],
                                  separation_of(input.before, own, others, options, execution),
                                  separation_of(input.after, own, others, options, execution)});
  }
}

/// The values of a column in rows of known groups.
std::vector<double> known_values(const RowMatrix& values, Index column,
                                 const std::vector<int>& codes) {
  std::vector<double> known;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] >= 0) known.push_back(values(static_cast<Index>(row), column));
  }
  return known;
}

/// The codes of groups that have rows: 0, 1, ... without gaps.
std::vector<int> dense_codes(const ReportInput& input, RepairReport& report) {
  std::vector<Index> sizes(input.groups.size(), 0);
  for (const int code : input.codes) {
    if (code >= 0) ++sizes[static_cast<std::size_t>(code)];
  }
  std::vector<int> dense(input.groups.size(), -1);
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    if (sizes[g] == 0) continue;
    dense[g] = static_cast<int>(report.groups.size());
    report.groups.push_back(input.groups[g]);
    report.sizes.push_back(sizes[g]);
  }
  std::vector<int> codes;
  for (const int code : input.codes) {
    if (code >= 0) codes.push_back(dense[static_cast<std::size_t>(code)]);
  }
  return codes;
}

/// A line of the table: a name and three numbers, with an asterisk beyond noise.
std::string table_line(const std::string& name, std::size_t width, double before, double after,
                       std::optional<double> noise, bool exceeds) {
  return padded(clipped(name, width), width) + right(fixed(before, 3), 9) +
         right(fixed(after, 3), 9) + right(noise ? fixed(*noise, 3) : "", 9) +
         (exceeds ? " *" : "") + "\n";
}

}  // namespace

double GroupSeparation::distance_from_chance() const { return std::abs(after.auc - 0.5); }

bool GroupSeparation::exceeds_noise() const {
  return after.null.n_permutations > 0 && distance_from_chance() > after.null.quantile - 0.5;
}

const GroupSeparation* RepairReport::worst() const {
  const auto found =
      std::ranges::max_element(separations, {}, &GroupSeparation::distance_from_chance);
  return found == separations.end() ? nullptr : &*found;
}

std::optional<RepairReport> repair_report(const ReportInput& input, const ParityOptions& options,
                                          const Execution& execution, bool quiet) {
  RepairReport report;
  const std::vector<int> codes = dense_codes(input, report);
  if (report.groups.size() < 2) return std::nullopt;
  ParityOptions plain = options;
  plain.n_permutations = 0;
  plain.n_bootstraps = 0;
  ParityOptions with_null = options;
  with_null.n_bootstraps = 0;
  // the work for one column is quadratic in the number of groups
  const EndAtOnce computing("nothing was written", !quiet);
  Progress progress(quiet);
  for (std::size_t c = 0; c < input.columns.size(); ++c) {
    progress.show("measuring column " + to_text(c + 1) + " of " + to_text(input.columns.size()),
                  static_cast<double>(c) / static_cast<double>(input.columns.size()));
    const auto column = static_cast<Index>(c);
    const auto before = known_values(input.before, column, input.codes);
    const auto after = known_values(input.after, column, input.codes);
    report.columns.push_back({input.columns[c],
                              demographic_parity_gamma(before, codes, plain).value,
                              demographic_parity_gamma(after, codes, with_null)});
  }
  measure_separations(input, options, execution, report);
  return report;
}

std::string describe(const RepairReport& report) {
  std::size_t width = 10;
  for (const ColumnParity& column : report.columns) {
    width = std::max(width, display_width(column.name));
  }
  for (const GroupSeparation& own : report.separations) {
    width = std::max(width, display_width(own.group) + 4);
  }
  width = std::min(width, widest_name);
  std::string text = "Largest difference of the groups' distributions (gamma), 0 is parity:\n" +
                     padded("column", width) + "   before    after    noise\n";
  for (const ColumnParity& column : report.columns) {
    const auto& null = column.after.null;
    text += table_line(column.name, width, column.before, column.after.value,
                       null ? std::optional(null->quantile) : std::nullopt,
                       null && column.after.value > null->quantile);
  }
  if (!report.separations.empty()) {
    text += "All columns together, AUC of nearest neighbours, 0.5 is chance:\n";
  }
  for (const GroupSeparation& own : report.separations) {
    const PermutationNull& null = own.after.null;
    text += table_line(
        report.groups.size() == 2 ? "all" : own.group, width, own.before.auc, own.after.auc,
        null.n_permutations > 0 ? std::optional(null.quantile) : std::nullopt, own.exceeds_noise());
  }
  return text +
         "noise: what 95 % of random groups of these sizes do not exceed; * is beyond noise, an "
         "AUC also below 1 - noise\n";
}

Json to_json(const RepairReport& report) {
  Json columns = Json::array();
  for (const ColumnParity& column : report.columns) {
    Json& entry = columns.emplace_back(
        Json{{"name", column.name}, {"before", column.before}, {"after", column.after.value}});
    if (!column.after.null) continue;
    entry["noise"] = column.after.null->quantile;
    entry["p_value"] = column.after.null->p_value;
  }
  Json separations = Json::array();
  for (const GroupSeparation& own : report.separations) {
    Json& entry = separations.emplace_back(
        Json{{"group", own.group}, {"auc_before", own.before.auc}, {"auc_after", own.after.auc}});
    if (own.after.null.n_permutations > 0) entry["noise"] = own.after.null.quantile;
  }
  Json groups = Json::array();
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    groups.push_back({{"name", report.groups[g]}, {"n_rows", report.sizes[g]}});
  }
  return {{"groups", groups}, {"columns", columns}, {"separations", separations}};
}

}  // namespace lbw::cli
