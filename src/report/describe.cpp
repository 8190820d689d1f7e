// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include "report/words.hpp"

namespace lbw {

namespace {

std::string components_text(const Report& report, std::size_t most_rows) {
  TextTable table({{"group", true}, {"component"}, {"mass"}, {"samples"}, {"condition"}});
  for (const ComponentReport& row : report.components) {
    table.add({row.group, std::to_string(row.component), rounded(row.mass), rounded(row.n_samples),
               rounded(row.condition)});
  }
  return table.text(most_rows);
}

std::string pairs_text(const Report& report, std::size_t most_rows) {
  TextTable table({{"group", true},
                   {"group", true},
                   {"mixture distance"},
                   {"coupling cost"},
                   {"plan cost"},
                   {"matching cost"},
                   {"misplaced mass"},
                   {"remaining"},
                   {"runner-up"}});
  for (const PairReport& row : report.pairs) {
    const auto of_matching = [&](double MatchingReport::*member) {
      return row.matching ? rounded((*row.matching).*member) : std::string("none");
    };
    table.add({row.first, row.second, rounded(row.mixture_distance), rounded(row.coupling_cost),
               rounded(row.plan_cost), of_matching(&MatchingReport::cost),
               of_matching(&MatchingReport::misplaced_mass),
               of_matching(&MatchingReport::remaining_distance),
               of_matching(&MatchingReport::gap)});
  }
  return table.text(most_rows);
}

std::string carries_text(const Report& report, std::size_t most_rows) {
  TextTable table({{"from", true},
                   {"to", true},
                   {"mixture distance"},
                   {"moved, rms"},
                   {"largest"},
                   {"log-likelihood"},
                   {"target's own"},
                   {"sliced before"},
                   {"after"},
                   {"limit"}});
  for (const CarryReport& row : report.carries) {
    const auto distance = [](const std::optional<SlicedDistance>& sliced) {
      return sliced ? rounded(sliced->distance) : std::string();
    };
    table.add({row.from, row.to.empty() ? "(barycenter)" : row.to, rounded(row.mixture_distance),
               rounded(row.displacement.rms), rounded(row.displacement.largest),
               rounded(row.log_likelihood), rounded(row.target_log_likelihood),
               distance(row.before), distance(row.after),
               row.after_limit ? rounded(*row.after_limit) : ""});
  }
  return table.text(most_rows);
}

std::string separations_text(const Report& report, std::size_t most_rows) {
  TextTable table({{"group", true},
                   {"group", true},
                   {"AUC before"},
                   {"at barycenter"},
                   {"limit"},
                   {"sliced before"},
                   {"at barycenter"},
                   {"limit"}});
  for (const SeparationReport& row : report.separations) {
    table.add({row.first, row.second, rounded(row.before.auc), rounded(row.after.auc),
               rounded(row.auc_limit), rounded(row.distance_before.distance),
               rounded(row.distance_after.distance),
               row.distance_limit ? rounded(*row.distance_limit) : ""});
  }
  return table.text(most_rows);
}

std::string verdict_text(const Report& report) {
  std::string text = "verdict\n";
  for (const Finding& finding : report.verdict) {
    text += std::string(finding.warning ? "  ! " : "  - ") + finding.text + "\n";
  }
  return text;
}

}  // namespace

std::string describe(const Report& report, std::size_t most_rows) {
  std::string text;
  for (const std::string& part :
       {components_text(report, most_rows), pairs_text(report, most_rows),
        carries_text(report, most_rows), separations_text(report, most_rows)}) {
    if (!part.empty()) text += part + "\n";
  }
  return text + verdict_text(report);
}

}  // namespace lbw
