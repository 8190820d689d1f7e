// SPDX-License-Identifier: MIT
// lbw fit: groups of samples to a model.
#include <lbw/transport.hpp>
#include <memory>

#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"

namespace lbw::cli {

namespace {

constexpr const char* examples = R"(Examples:
  One file per group, named after the files:
    lbw fit A.csv B.csv -o model.safetensors --components 3
  Other names for the groups:
    lbw fit before=A.csv after=B.csv -o renamed.safetensors --components 3
  Groups of 3 and 5 components, coupled without losing mass, points carried by chance:
    lbw fit A.csv B.csv -o plan.safetensors --components 3,5 --coupling plan --map random
  Groups brought closer to each other at the barycenter, by 10 sliced steps:
    lbw fit A.csv B.csv -o refined.safetensors --components 3 --refine 10
  One file, the group of each row in the column "site":
    lbw fit table.csv --group-column site -o sites.safetensors --components 3

Exit codes: 0 done, 1 failed, 2 misused, 3 written without having converged.)";

/// "5" for all groups or "5,8", one for each.
void set_components(const std::string& text, TransportOptions& options) {
  std::vector<int> numbers;
  for (const std::string& part : split(text, ',')) {
    const std::optional<int> number = number_from<int>(part);
    if (!number || *number < 1) {
      throw UsageError("--components is '" + text +
                       "', expected a whole number >= 1, or one for each group between commas");
    }
    numbers.push_back(*number);
  }
  options.mixture.n_components = numbers.front();
  options.n_components_per_group = numbers.size() > 1 ? numbers : std::vector<int>();
}

/// "3 components each", or how many each group has.
std::string components_text(const TransportModel& model) {
  std::string list;
  bool equal = true;
  for (const Mixture& mixture : model.mixtures) {
    list += (list.empty() ? "" : ", ") + to_text(mixture.n_components());
    equal = equal && mixture.n_components() == model.mixtures.front().n_components();
  }
  return equal ? counted(model.mixtures.front().n_components(), "component") + " each"
               : list + " components";
}

struct FitCommand {
  CommonOptions common;
  CsvOptions csv;
  TransportOptions transport;
  std::vector<std::string> files;
  std::string output;
};

void show_step(Progress& progress, std::string_view group, const FitProgress& step) {
  stop_if_interrupted();
  const std::string count = to_text(step.iteration);
  const std::string work =
      step.starting ? ", k-means step " + count
                    : ", step " + count + ", log-likelihood " + fixed(step.mean_log_likelihood, 6);
  const std::string part = step.subsample ? " on some samples" : "";
  progress.show("fitting '" + std::string(group) + "': start " + to_text(step.restart + 1) + part +
                work);
}

TransportModel fit_groups(const FitCommand& command, const std::vector<NamedInput>& inputs) {
  TransportOptions options = command.transport;
  options.mixture.execution = command.common.execution;
  options.feature_names = inputs.front().input.table.feature_names;
  Progress progress(command.common.quiet);
  options.on_iteration = [&progress](std::string_view group, const FitProgress& step) {
    show_step(progress, group, step);
  };
  std::vector<Group> groups;
  for (const NamedInput& input : inputs) groups.push_back({input.name, input.input.samples()});
  return fit_transport(groups, options);
}

ExitCode run_fit(const FitCommand& command) {
  if (command.common.json && is_standard_output(command.output)) {
    throw UsageError("--json and the model cannot both go to standard output");
  }
  check_output(command.output);
  const Stopwatch watch;
  const TransportModel model = fit_groups(command, read_groups(command.files, command.csv));
  stop_if_interrupted();
  write_model(command.output, model);
  if (command.common.json) write_json(to_json(model));
  const bool converged = report_convergence(command.common.quiet, "fit", model);
  tell(command.common.quiet, "fit",
       counted(model.n_groups(), "group") + ", " + components_text(model) + ", fitted in " +
           fixed(watch.seconds(), 2) + " s");
  return converged ? exit_done : exit_not_converged;
}

}  // namespace

Verb add_fit(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("fit", "Fit a model to two or more groups of samples");
  const auto command = std::make_shared<FitCommand>();
  verb->add_option("files", command->files,
                   "One CSV or NPY file per group, as path or name=path; - is CSV from standard "
                   "input. NPY files may be larger than memory")
      ->required()
      ->type_name("FILE");
  verb->add_option("-o,--output", command->output, "The model; - is standard output")
      ->required()
      ->type_name("MODEL");
  verb->add_option_function<std::string>(
          "-k,--components",
          [command](const std::string& text) { set_components(text, command->transport); },
          "Components of every mixture, or one number for each group between commas, which needs "
          "--coupling plan where they differ")
      ->type_name("N")
      ->default_str(to_text(command->transport.mixture.n_components));
  add_mixture_options(*verb, command->transport.mixture);
  add_coupling_options(*verb, command->transport);
  add_refine_options(*verb, command->transport);
  verb->add_option("--reference", command->transport.reference,
                   "Group that the others are coupled to; the first unless given")
      ->type_name("GROUP");
  add_csv_options(*verb, command->csv, "Column that holds the group of each row");
  add_common_options(*verb, command->common, "Print how the fit went as JSON");
  verb->footer(examples);
  return {verb, [command] { return run_fit(*command); }};
}

}  // namespace lbw::cli
