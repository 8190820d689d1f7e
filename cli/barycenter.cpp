// SPDX-License-Identifier: MIT
// lbw barycenter: prints the barycenter of the groups, or samples it.
#include <lbw/gaussian.hpp>
#include <lbw/transport.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace lbw::cli {

namespace {

constexpr const char* barycenter_examples = R"(Examples:
  Print the barycenter of all groups with equal weights, one component per line:
    lbw barycenter model.safetensors
  Draw a thousand samples from a barycenter close to the first group:
    lbw barycenter model.safetensors --weights A=.9,B=.1 --sample 1000 --seed 1 -o samples.csv)";

struct BarycenterCommand {
  CommonOptions common;
  std::string model;
  GroupNumbers<double> weights;
  Index n_samples = 0;  // 0 prints the mixture
  std::uint64_t seed = 0;
  std::string output;
  CsvOptions csv;  // only the notation of the output
};

std::vector<std::string> column_names(const std::vector<std::string>& features) {
  std::vector<std::string> names = {"component", "weight"};
  for (const std::string& feature : features) names.push_back("mean_" + feature);
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = i; j < features.size(); ++j) {
      names.push_back("covariance_" + features[i] + "_" + features[j]);
    }
  }
  return names;
}

/// One row per component, with the upper triangle of its covariance.
Table mixture_table(const Mixture& mixture, const std::vector<std::string>& features) {
  Table table;
  table.feature_names = column_names(features);
  table.values.resize(mixture.n_components(), static_cast<Index>(table.feature_names.size()));
  for (Index component = 0; component < mixture.n_components(); ++component) {
    const Gaussian gaussian = mixture.component(component);
    Index column = 0;
    table.values(component, column++) = static_cast<double>(component);
    table.values(component, column++) = mixture.weights[component];
    for (const double value : gaussian.mean) table.values(component, column++) = value;
    for (Index i = 0; i < gaussian.mean.size(); ++i) {
      for (Index j = i; j < gaussian.mean.size(); ++j) {
        table.values(component, column++) = gaussian.covariance(i, j);
      }
    }
  }
  return table;
}

Json mixture_json(const Mixture& mixture) {
  Json components = Json::array();
  for (Index component = 0; component < mixture.n_components(); ++component) {
    const Gaussian gaussian = mixture.component(component);
    components.push_back({{"weight", mixture.weights[component]},
                          {"mean", std::vector<double>(gaussian.mean.begin(), gaussian.mean.end())},
                          {"covariance", to_json(RowMatrix(gaussian.covariance))}});
  }
  return components;
}

ExitCode run_barycenter(const BarycenterCommand& command) {
  check_output(command.output, table_extensions);
  check_not_input(command.output, {command.model}, "the barycenter");
  if (is_npy(command.output) && (command.csv.delimiter != '\0' || command.csv.decimal != '.')) {
    throw UsageError("--delimiter and --decimal need CSV, --output is NPY");
  }
  const TransportModel model = read_model(command.model);
  const std::vector<double> weights = weights_or_default(command.weights, model);
  const Mixture mixture = barycenter(model, weights, command.common.execution);
  Table table;
  if (command.n_samples > 0) {
    table.feature_names = model.feature_names;
    table.values = sample(mixture, command.n_samples, command.seed).samples;
  } else {
    table = mixture_table(mixture, feature_names_of(model));
  }
  stop_if_interrupted();
  if (!is_standard_output(command.output) || !command.common.json) {
    write_table(command.output, table, format_of(command.csv));
  }
  if (command.common.json) {
    Json json = {{"groups", model.group_names},
                 {"barycentric_weights", normalized_weights(weights)}};
    json["components"] = mixture_json(mixture);
    if (command.n_samples > 0) json["samples"] = to_json(table);
    write_json(json);
  }
  tell_numbers(command.common.quiet, "barycenter", "--weights", command.weights, model.group_names);
  return exit_done;
}

}  // namespace

void add_barycenter(Program& program) {
  Command& command =
      program.add_command("barycenter", "Print the barycenter of the groups, or sample it");
  const auto state = std::make_shared<BarycenterCommand>();
  command.add({"model", "A model written by lbw fit; - is standard input", "MODEL", "", true},
              state->model);
  add_weights_option(command, state->weights);
  command.add_without_default(
      integer_option("sample", state->n_samples, {.least = 1},
                     "Draw this many samples instead of printing the mixture"));
  command.add(integer_option("seed", state->seed, "Seed of the samples"));
  command.need("--seed", "--sample");
  command.add({"-o,--output",
               "Output file by its extension: .csv, .tsv, also with .gz or .zst, or .npy; standard "
               "output by default",
               "FILE"},
              state->output);
  add_notation_options(command, state->csv,
                       "Delimiter of CSV output: comma, semicolon, tab, space, whitespace, or "
                       "another character; by default a comma",
                       "Decimal mark of CSV output, a point or a comma; the delimiter is a "
                       "semicolon by default then");
  add_common_options(command, state->common, "Print the mixture and its samples as JSON");
  command.set_footer(barycenter_examples);
  command.run_by([state] { return run_barycenter(*state); });
}

}  // namespace lbw::cli
