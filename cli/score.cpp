// SPDX-License-Identifier: MIT
// lbw score: measures the parity of a column of scores between protected groups.
#include <algorithm>
#include <cmath>
#include <lbw/parity.hpp>
#include <memory>

#include "cli/by_group.hpp"
#include "cli/commands.hpp"
#include "cli/grouped_table.hpp"
#include "cli/input.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/score_measures.hpp"
#include "cli/system.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr const char* score_examples = R"(Examples:
  Measure how far apart the scores of the groups are, here the column x by "site":
    lbw score table.csv --score x --protected site
  Compare the proportions of the groups at two thresholds, and write them to a file:
    lbw score table.csv --score x --protected site --threshold 0.5,1 -o parity.csv
  Print all measures for a program:
    lbw score table.csv --score x --protected site --json

gamma is the largest difference, over all thresholds, between the proportions of two groups whose score is at least the threshold. It is the Kolmogorov-Smirnov distance of their scores. Compare it with its noise, not with 0.)";

struct ScoreCommand {
  CommonOptions common;
  CsvOptions csv;
  ParityOptions parity;
  std::uint64_t seed = ParityOptions{}.seed;
  std::vector<std::string> protected_columns;
  std::string threshold_text;
  std::vector<double> thresholds;
  std::string table;
  std::string score;
  std::string target;
  std::string output;
};

std::vector<double> thresholds_from(const std::string& text) {
  std::vector<double> thresholds;
  for (const std::string& part : split(text, ',')) {
    const std::optional<double> number = number_from<double>(part);
    if (!number || !std::isfinite(*number)) {
      throw UsageError("--threshold is '" + text +
                       "', expected numbers separated by commas, such as 0.5 or 0.3,0.5");
    }
    thresholds.push_back(*number);
  }
  return thresholds;
}

void check_usage(const ScoreCommand& command) {
  if (command.target == command.score) {
    throw UsageError("--score and --target are both '" + command.score +
                     "', expected different columns");
  }
  const std::string& thresholds = command.threshold_text;
  const bool has_points = thresholds.find('.') != std::string::npos;
  if (command.csv.decimal == ',' && thresholds.find(',') != std::string::npos && !has_points) {
    throw UsageError("--threshold is '" + thresholds +
                     "', but --decimal comma does not apply to options; write decimal points, such "
                     "as 0.5 or 1.0,2.0");
  }
  if (is_npy(command.table)) {
    throw UsageError("lbw score needs column names, which " + command.table + " does not have");
  }
  if (command.common.json && command.output == "-") {
    throw UsageError("--json and the table cannot both go to standard output");
  }
}

/// Whether the target of each row is 1.
std::vector<bool> targets_of(const ScoreCommand& command, const RowMatrix& values,
                             const std::vector<Index>& rows) {
  std::vector<bool> targets;
  for (const Index row : rows) {
    const double value = values(row, 1);
    if (value != 0.0 && value != 1.0) {
      throw InvalidArgument("--target: column '" + command.target + "' contains " + to_text(value) +
                            " in row " + to_text(row + 1) + ", expected 0 or 1");
    }
    targets.push_back(value == 1.0);
  }
  return targets;
}

ScoredRows read_scores(const ScoreCommand& command) {
  ColumnWishes wishes{.protected_columns = command.protected_columns, .features = {command.score}};
  std::vector<std::string> options = {"--score"};
  if (!command.target.empty()) {
    wishes.features.push_back(command.target);
    options.emplace_back("--target");
  }
  const GroupedTable grouped = read_grouped_table(command.table, command.csv, wishes,
                                                  teller(command.common.quiet, "score"), options);
  if (grouped.groups.size() < 2) {
    throw InvalidArgument("the protected column has a single value, '" + grouped.groups.front() +
                          "'; parity compares two or more groups");
  }
  const std::string warning =
      missing_warning(grouped.table, command.table, "they are left out of all measures");
  if (!warning.empty()) tell(command.common.quiet, "score", warning);
  const std::vector<Index> complete = complete_rows(grouped.table);
  ScoredRows rows{.scores = {},
                  .groups = values_at(grouped.codes(grouped.groups), complete),
                  .group_names = grouped.groups};
  for (const Index row : complete) rows.scores.push_back(grouped.table.values(row, 0));
  if (!command.target.empty()) {
    rows.targets = targets_of(command, grouped.table.values, complete);
  }
  return rows;
}

ExitCode run_score(const ScoreCommand& command) {
  check_usage(command);
  check_output(command.output, {".csv"});
  check_not_input(command.output, {command.table}, "the measures");
  ParityOptions options = command.parity;
  options.seed = static_cast<std::uint32_t>(command.seed);
  const ScoredRows rows = read_scores(command);
  const std::vector<ScoreMeasure> measures = score_measures(rows, command.thresholds, options);
  if (!command.output.empty())
    write_table(command.output, to_table(measures, command.csv.decimal), format_of(command.csv));
  if (command.common.json) {
    write_json(to_json(measures));
  } else if (command.common.quiet && command.output.empty()) {
    write_text(to_text(measures.front().value) + "\n");
  } else if (command.output != "-" && !command.common.quiet) {
    const std::size_t width =
        system::is_terminal(stdout) ? terminal_width(stdout) : std::string::npos;
    show_text(describe(measures, options.confidence, width));
  }
  return exit_done;
}

void add_parity_options(Command& command, ScoreCommand& state) {
  command.add(
      integer_option("permutations", state.parity.n_permutations, {.least = 0, .most = 100000},
                     "Number of random permutations behind the noise level and the p-value; "
                     "0 for none"));
  command.add(integer_option("bootstraps", state.parity.n_bootstraps, {.least = 0, .most = 100000},
                             "Number of resamples behind the confidence interval; 0 for none"));
  command.add(number_option("confidence", state.parity.confidence, {.least = 0.5, .most = 0.9999},
                            "Confidence of the noise level and of the intervals"));
  command.add(
      {"--seed", "Seed of all random numbers", "N", "0"}, [&state](const std::string& text) {
        const auto seed = number_from<std::uint32_t>(text);
        if (!seed) {
          throw UsageError("--seed is '" + text + "', expected a whole number from 0 to 2^32 - 1");
        }
        state.seed = *seed;
      });
}

}  // namespace

void add_score(Program& program) {
  Command& command = program.add_command(
      "score", "Measure the parity of a column of scores between protected groups");
  const auto state = std::make_shared<ScoreCommand>();
  command.add({"table", "Table with scores, CSV; - is standard input", "FILE", "", true},
              state->table);
  command.add({"--score", "Column of the scores, by name or by number from 1", "NAME", "", true},
              state->score);
  add_columns_option(command,
                     {"--protected,--group-column",
                      "Protected columns by name or by number from 1; several form joint groups",
                      "A,B,...", "", true},
                     state->protected_columns);
  command.add({"--target",
               "Column of the true class, 0 or 1: adds base rates, the AUC of each group, and true "
               "and false positive rates",
               "NAME"},
              state->target);
  command.add(
      {"--threshold", "Compare the proportions of scores of at least these thresholds", "N,N,..."},
      [state](const std::string& text) {
        state->threshold_text = text;
        state->thresholds = thresholds_from(text);
      });
  command.add({"-o,--output", "Output file for the measures, CSV; - is standard output", "FILE"},
              state->output);
  add_parity_options(command, *state);
  add_table_options(command, state->csv);
  command.add_flag({"-q,--quiet", "Print only gamma, and nothing with --output"},
                   [state] { state->common.quiet = true; });
  command.add_flag({"--json", "Print all measures as JSON"},
                   [state] { state->common.json = true; });
  command.set_footer(score_examples);
  command.run_by([state] { return run_score(*state); });
}

}  // namespace lbw::cli
