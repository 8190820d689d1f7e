// SPDX-License-Identifier: MIT
#include "cli/score_measures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

ScoreMeasure overall(const std::string& name, const Parity& parity) {
  ScoreMeasure measure{.measure = name, .value = parity.value};
  if (parity.null) {
    measure.noise = parity.null->quantile;
    measure.p_value = parity.null->p_value;
  }
  if (parity.interval) {
    measure.low = parity.interval->low;
    measure.high = parity.interval->high;
  }
  return measure;
}

/// Rows of a group: all of them, or those of one target.
struct Selected {
  Index n_rows = 0;
  Index n_passed = 0;
};

template <typename Condition>
Selected passing(const ScoredRows& rows, int group, double threshold, Condition&& is_selected) {
  Selected selected;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    if (rows.groups[i] != group || !is_selected(i)) continue;
    ++selected.n_rows;
    selected.n_passed += rows.scores[i] >= threshold;
  }
  return selected;
}

/// The fraction of the rows with each score or a higher one, and the largest difference between
/// groups, tested like a score of 0 and 1.
template <typename Condition>
void add_rates(const ScoredRows& rows, double threshold, const std::string& name,
               const ParityOptions& options, Condition&& is_selected,
               std::vector<ScoreMeasure>& measures) {
  bool all_have_rows = true;
  for (std::size_t g = 0; g < rows.group_names.size(); ++g) {
    const Selected selected = passing(rows, static_cast<int>(g), threshold, is_selected);
    if (selected.n_rows == 0) {
      all_have_rows = false;
      continue;
    }
    const Interval limits =
        proportion_interval(selected.n_passed, selected.n_rows, options.confidence);
    measures.push_back(
        {.measure = name,
         .group = rows.group_names[g],
         .threshold = threshold,
         .value = static_cast<double>(selected.n_passed) / static_cast<double>(selected.n_rows),
         .low = limits.low,
         .high = limits.high});
  }
  if (!all_have_rows) return;
  std::vector<double> passed;
  std::vector<int> groups;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    if (!is_selected(i)) continue;
    passed.push_back(rows.scores[i] >= threshold ? 1.0 : 0.0);
    groups.push_back(rows.groups[i]);
  }
  measures.push_back(
      overall(name + " difference", demographic_parity_gamma(passed, groups, options)));
  measures.back().threshold = threshold;
}

/// The probability that a positive row has a higher score than a negative one, with ties as 1/2.
std::optional<double> auc_of(const ScoredRows& rows, int group) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    if (rows.groups[i] == group) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return rows.scores[i]; });
  double n_lower = 0.0;  // negative rows of lower scores
  double n_positive = 0.0;
  double sum = 0.0;
  for (std::size_t first = 0; first < order.size();) {
    double tied_positive = 0.0;
    double tied_negative = 0.0;
    std::size_t next = first;
    for (; next < order.size() && rows.scores[order[next]] == rows.scores[order[first]]; ++next) {
      (rows.targets[order[next]] ? tied_positive : tied_negative) += 1.0;
    }
    sum += tied_positive * (n_lower + 0.5 * tied_negative);
    n_lower += tied_negative;
    n_positive += tied_positive;
    first = next;
  }
  if (n_positive == 0.0 || n_lower == 0.0) return std::nullopt;
  return sum / (n_positive * n_lower);
}

void add_groups(const ScoredRows& rows, const ParityOptions& options,
                std::vector<ScoreMeasure>& measures) {
  for (std::size_t g = 0; g < rows.group_names.size(); ++g) {
    Index n_rows = 0;
    Index n_positive = 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      if (rows.groups[i] != static_cast<int>(g)) continue;
      ++n_rows;
      sum += rows.scores[i];
      n_positive += !rows.targets.empty() && rows.targets[i];
    }
    const std::string& name = rows.group_names[g];
    const auto count = static_cast<double>(n_rows);
    measures.push_back({.measure = "rows", .group = name, .value = count});
    measures.push_back({.measure = "mean", .group = name, .value = sum / count});
    if (rows.targets.empty()) continue;
    const Interval limits = proportion_interval(n_positive, n_rows, options.confidence);
    measures.push_back({.measure = "base rate",
                        .group = name,
                        .value = static_cast<double>(n_positive) / count,
                        .low = limits.low,
                        .high = limits.high});
    if (const auto auc = auc_of(rows, static_cast<int>(g))) {
      measures.push_back({.measure = "auc", .group = name, .value = *auc});
    }
  }
}

constexpr std::size_t n_cells = 8;
constexpr const char* headings[n_cells] = {"measure", "group",   "threshold", "value",
                                           "noise",   "p_value", "low",       "high"};

/// The cells of a line, with thresholds and other numbers as these functions write them.
template <typename Threshold, typename Number>
std::vector<std::string> cells_of(const ScoreMeasure& measure, Threshold&& threshold,
                                  Number&& number) {
  const auto text = [&](const std::optional<double>& value) {
    return value ? number(*value) : std::string();
  };
  return {measure.measure,
          measure.group,
          measure.threshold ? threshold(*measure.threshold) : "",
          measure.measure == "rows" ? fixed(measure.value, 0) : number(measure.value),
          text(measure.noise),
          text(measure.p_value),
          text(measure.low),
          text(measure.high)};
}

std::string measures_table(const std::vector<ScoreMeasure>& measures) {
  constexpr std::size_t widest = 32;
  std::vector<std::vector<std::string>> lines = {{headings, headings + n_cells}};
  for (const ScoreMeasure& measure : measures) {
    lines.push_back(
        cells_of(measure, to_text<double>, [](double value) { return fixed(value, 4); }));
  }
  std::vector<std::size_t> widths(n_cells, 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < n_cells; ++c) {
      widths[c] = std::min(widest, std::max(widths[c], display_width(line[c])));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string shown;
    for (std::size_t c = 0; c < n_cells; ++c) {
      const std::string cell = clipped(line[c], widths[c]);
      const bool is_text = c < 2;
      shown += (c == 0 ? "" : "  ") + (is_text ? padded(cell, widths[c]) : right(cell, widths[c]));
    }
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  return text;
}

/// One line per measure, such as "rate of 'f' at 0.5: value 0.25, low 0.21, high 0.3".
std::string measures_list(const std::vector<ScoreMeasure>& measures) {
  constexpr std::size_t first_number = 3;
  std::string text;
  for (const ScoreMeasure& measure : measures) {
    const std::vector<std::string> cells =
        cells_of(measure, to_text<double>, [](double value) { return fixed(value, 4); });
    text += measure.measure;
    if (!measure.group.empty()) text += " of '" + measure.group + "'";
    if (measure.threshold) text += " at " + cells[2];
    for (std::size_t c = first_number; c < n_cells; ++c) {
      if (cells[c].empty()) continue;
      text += (c == first_number ? ": " : ", ") + std::string(headings[c]) + " " + cells[c];
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<ScoreMeasure> score_measures(const ScoredRows& rows,
                                         const std::vector<double>& thresholds,
                                         const ParityOptions& options) {
  const EndAtOnce computing;  // the work for one measure is quadratic in the number of groups
  std::vector<ScoreMeasure> measures = {
      overall("gamma", demographic_parity_gamma(rows.scores, rows.groups, options))};
  ParityOptions kuiper = options;
  kuiper.kind = ParityKind::kuiper;
  measures.push_back(overall("kuiper", demographic_parity_gamma(rows.scores, rows.groups, kuiper)));
  measures.push_back(
      overall("mean difference", mean_difference(rows.scores, rows.groups, options)));
  add_groups(rows, options, measures);
  for (const double threshold : thresholds) {
    add_rates(
        rows, threshold, "rate", options, [](std::size_t) { return true; }, measures);
    if (rows.targets.empty()) continue;
    add_rates(
        rows, threshold, "true positive rate", options,
        [&](std::size_t i) { return rows.targets[i]; }, measures);
    add_rates(
        rows, threshold, "false positive rate", options,
        [&](std::size_t i) { return !rows.targets[i]; }, measures);
  }
  return measures;
}

std::string describe(const std::vector<ScoreMeasure>& measures, double confidence,
                     std::size_t width) {
  const std::string percent = to_text(std::round(1000.0 * confidence) / 10.0) + " %";
  std::string text = measures_table(measures);
  const std::size_t table_width = text.find('\n');  // that of the headings
  if (table_width > width) text = measures_list(measures);
  return text + "noise: what " + percent +
         " of random groups of these sizes do not exceed; low, high: " + percent +
         " confidence interval\n";
}

Json to_json(const std::vector<ScoreMeasure>& measures) {
  Json json = Json::array();
  for (const ScoreMeasure& measure : measures) {
    Json& entry = json.emplace_back(Json{{"measure", measure.measure}});
    if (!measure.group.empty()) entry["group"] = measure.group;
    if (measure.threshold) entry["threshold"] = *measure.threshold;
    entry["value"] = measure.value;
    if (measure.noise) entry["noise"] = *measure.noise;
    if (measure.p_value) entry["p_value"] = *measure.p_value;
    if (measure.low) entry["low"] = *measure.low;
    if (measure.high) entry["high"] = *measure.high;
  }
  return {{"measures", json}};
}

Table to_table(const std::vector<ScoreMeasure>& measures, char decimal) {
  constexpr std::size_t value_place = 3;  // the only column that every measure has
  Table table;
  table.feature_names = {headings[value_place]};
  table.values.resize(std::ssize(measures), 1);
  table.places = {value_place};
  table.others.count = n_cells - 1;
  for (std::size_t c = 0; c < n_cells; ++c) {
    if (c == value_place) continue;
    table.places.push_back(c);
    table.others.names.push_back(headings[c]);
  }
  const auto number = [decimal](double value) {
    std::string text = to_text(value);
    std::ranges::replace(text, '.', decimal);
    return text;
  };
  for (std::size_t row = 0; row < measures.size(); ++row) {
    table.values(static_cast<Index>(row), 0) = measures[row].value;
    const auto cells = cells_of(measures[row], number, number);
    for (std::size_t c = 0; c < n_cells; ++c) {
      if (c != value_place) table.others.cells.push_back(cells[c]);
    }
  }
  return table;
}

}  // namespace lbw::cli
