// SPDX-License-Identifier: MIT
// lbw fit: fits a model to groups of samples.
#include <algorithm>
#include <lbw/fit_transport.hpp>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/component_numbers.hpp"
#include "cli/describe.hpp"
#include "cli/fit_progress.hpp"
#include "cli/fit_quality.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/repair_notes.hpp"
#include "cli/terms.hpp"

namespace lbw::cli {

namespace {

constexpr const char* fit_examples = R"(Examples:
  Read one file per group, named after the files:
    lbw fit A.csv B.csv -o model.safetensors --components 3
  Choose other names for the groups:
    lbw fit before=A.csv after=B.csv -o renamed.safetensors --components 3
  Use 3 and 5 components:
    lbw fit A.csv B.csv -o uneven.safetensors --components 3,5
  Reproduce the paper, with a one-to-one matching and a hard map:
    lbw fit A.csv B.csv -o paper.safetensors --components 3 --coupling matching --map hard
  Fit an invertible map, required by --inverse:
    lbw fit A.csv B.csv -o hard.safetensors --components 3 --map hard
  Select the number of components separately for each group, from 1 to 5:
    lbw fit A.csv B.csv -o chosen.safetensors --components auto:1:5 --criterion bic
  Shrink covariances towards equal variances, for many features:
    lbw fit A.csv B.csv -o shrunk.safetensors --components 3 --shrinkage auto
  Do not correct differences that sampling noise explains, for small groups:
    lbw fit A.csv B.csv -o repaired.safetensors --refine 10 --group-shrinkage auto
  Align the groups at the barycenter by 10 refinement steps:
    lbw fit A.csv B.csv -o refined.safetensors --components 3 --refine 10
  Add noise to columns that take few values, such as whole numbers:
    lbw fit A.csv B.csv -o dithered.safetensors --components 3 --dither auto
  Read one file with the group of each row in the column "site":
    lbw fit table.csv --group-column site -o sites.safetensors --components 3
  Read the weight of each row from the column "weight":
    lbw fit survey.csv --group-column site --weight-column weight -o survey.safetensors

Exit codes: 0 done, 1 failed, 2 invalid usage, 3 written without convergence.)";

struct FitCommand {
  CommonOptions common;
  CsvOptions csv;
  TransportOptions transport;
  GroupNumbers<int> components;  ///< one per group, or empty
  GroupNumbers<double> refine_weights;
  std::vector<int> candidates;  ///< candidate numbers of components for each group, or empty
  Criterion criterion = SelectionOptions{}.criterion;
  bool has_criterion = false;
  std::vector<std::string> files;
  std::string output;
};

void set_numbers(const std::vector<int>& numbers, TransportOptions& options) {
  options.mixture.n_components = numbers.front();
  options.n_components_per_group = numbers.size() > 1 ? numbers : std::vector<int>();
}

/// "5" for all groups, "5,8" or "a=5,b=8" per group, or "auto:" and the candidates.
void set_components(const std::string& text, FitCommand& command) {
  constexpr std::string_view choose = "auto:";
  if (text.starts_with(choose)) {
    try {
      command.candidates = component_numbers_from(text.substr(choose.size()));
    } catch (const UsageError&) {
      throw UsageError("--components is '" + text +
                       "', expected auto: and at most 10000 candidates >= 1, such as auto:1:10, "
                       "auto:1:40:3 or auto:5,10,20");
    }
    return;
  }
  const std::optional<GroupNumbers<int>> list = group_numbers_from<int>(text);
  if (!list || std::ranges::min(list->numbers) < 1) {
    throw UsageError("--components is '" + text +
                     "', expected a whole number >= 1, one per group such as 3,5 or a=3,b=5, or "
                     "auto: with candidates such as auto:1:10");
  }
  command.candidates.clear();
  command.components = {};
  if (list->names.empty() && list->numbers.size() == 1) {
    set_numbers(list->numbers, command.transport);
  } else {
    command.components = *list;
  }
}

/// Sets the numbers of components and the weights of every group, and checks the reference group.
void set_group_numbers(const FitCommand& command, std::span<const Group> groups,
                       TransportOptions& options) {
  std::vector<std::string> names;
  for (const Group& group : groups) names.push_back(group.name);
  const std::string& reference = command.transport.reference;
  if (!reference.empty() && std::ranges::find(names, reference) == names.end()) {
    throw InvalidArgument("--reference is '" + reference + "', expected one of " +
                          quoted_list(names) + suggestion(reference, names));
  }
  if (!command.components.empty()) {
    set_numbers(in_order_of_groups(command.components, "--components", names), options);
  }
  if (!command.refine_weights.empty()) {
    options.refine_weights = in_order_of_groups(command.refine_weights, "--refine-weights", names);
  }
}

/// "3 components each", or the number for each group.
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

/// Selects the number of components of every group and prints it.
void choose_components(const FitCommand& command, std::span<const Group> groups,
                       TransportOptions& options) {
  SelectionOptions selection;
  selection.criterion = command.criterion;
  if (command.criterion == Criterion::heldout && !command.common.quiet) {
    std::vector<SampleView> samples;
    for (const Group& group : groups) samples.emplace_back(group.samples);
    const auto copies = copies_warning(samples);
    if (copies) tell(command.common.quiet, "fit", "warning: " + *copies);
  }
  selection.mixture = options.mixture;
  Progress progress(command.common.quiet);
  std::size_t done = 0;
  const std::size_t all = groups.size() * command.candidates.size();
  selection.mixture.on_iteration = [&](const FitProgress& step) {
    stop_if_interrupted();
    progress.show(to_text(done) + " of " + to_text(all) + " numbers of components fitted, step " +
                      to_text(step.iteration),
                  static_cast<double>(done) / static_cast<double>(all));
  };
  selection.on_point = [&](const SelectionPoint&) { ++done; };
  set_numbers(select_components_per_group(groups, command.candidates, selection).n_components,
              options);
}

/// Selection needs a coupling that allows different numbers.
void check_choice(const FitCommand& command) {
  if (command.candidates.empty()) {
    if (command.has_criterion) throw UsageError("--criterion needs --components auto:RANGE");
    return;
  }
  if (command.transport.coupling != CouplingMethod::matching) return;
  throw UsageError(
      "--components auto: selects a number for each group, but --coupling matching needs equal "
      "numbers; use plan or multimarginal");
}

TransportModel fit_groups(const FitCommand& command, const std::vector<NamedInput>& inputs) {
  TransportOptions options = command.transport;
  options.mixture.execution = command.common.execution;
  options.feature_names = inputs.front().input.table.feature_names;
  const std::vector<Group> groups = groups_of(inputs);
  set_group_numbers(command, groups, options);
  if (!command.candidates.empty()) choose_components(command, groups, options);
  return fit_with_progress(groups, options, command.common.quiet);
}

/// Prints which columns take few values.
void tell_dither(const FitCommand& command, const TransportModel& model) {
  if (command.transport.dither.is_none()) return;
  const std::string features = dithered_features(model);
  tell(command.common.quiet, "fit",
       features.empty() ? "dither: no column takes few values, so no noise is added"
                        : "dither: " + features);
}

/// Warns about kept groups.
void report_kept_groups(const CommonOptions& common, const TransportModel& model) {
  for (const std::string& name : model.kept_groups) {
    tell(common.quiet, "fit",
         "warning: group '" + name +
             "' is too small to fit (1 sample) and is not transported; the other groups are fitted "
             "without it");
  }
}

/// Warns about large displacements of the training samples.
void report_displacement(const CommonOptions& common, const TransportModel& model,
                         const std::vector<NamedInput>& inputs) {
  if (common.quiet) return;
  const std::optional<std::string> text =
      displacement_warning(model, groups_of(inputs), {}, common.execution);
  if (text) tell(common.quiet, "fit", "warning: " + in_terms_of_the_program(*text));
}

ExitCode run_fit(const FitCommand& command) {
  check_choice(command);
  if (command.common.json && is_standard_output(command.output)) {
    throw UsageError("--json and the model cannot both go to standard output");
  }
  check_output(command.output, model_extensions);
  check_not_input(command.output, paths_of(command.files), "the model");
  check_names_of_files(command.files, command.csv);
  const Stopwatch watch;
  const std::vector<NamedInput> inputs =
      read_groups(command.files, command.csv, teller(command.common.quiet, "fit"));
  TransportModel model = fit_groups(command, inputs);
  note_columns(model, command.csv);
  note_parameters(model, command.transport);
  stop_if_interrupted();
  write_model(command.output, model);
  if (command.common.json) write_json(to_json(model));
  tell_numbers(command.common.quiet, "fit", "--components", command.components, model.group_names);
  tell_numbers(command.common.quiet, "fit", "--refine-weights", command.refine_weights,
               model.group_names);
  tell_dither(command, model);
  const bool converged = report_convergence(command.common.quiet, "fit", model);
  report_kept_groups(command.common, model);
  for (const std::string& text : fit_warnings(model)) {
    tell(command.common.quiet, "fit", "warning: " + in_terms_of_the_program(text));
  }
  if (!command.common.quiet) {
    for (const std::string& text : quality_warnings(model, groups_of(inputs))) {
      tell(command.common.quiet, "fit", "warning: " + text);
    }
  }
  report_displacement(command.common, model, inputs);
  tell(command.common.quiet, "fit",
       counted(model.n_groups(), "group") + ", " + components_text(model) + ", fitted in " +
           fixed(watch.seconds(), 2) + " s");
  return converged ? exit_done : exit_not_converged;
}

}  // namespace

void add_fit(Program& program) {
  Command& command = program.add_command("fit", "Fit a model to two or more groups of samples");
  const auto state = std::make_shared<FitCommand>();
  command.add(
      {"files",
       "One CSV (also compressed by gzip or zstd) or NPY file per group, as path or name=path, or "
       "any files with --group-column. - is CSV from standard input. NPY files may be larger than "
       "memory",
       "FILE", "", true},
      state->files);
  command.add({"-o,--output", "Output file of the model; - is standard output", "MODEL", "", true},
              state->output);
  command.add({"-k,--components,--n-components",
               "Number of components: one for all groups, one per group such as 3,5 or a=3,b=5, or "
               "auto: with candidates such as auto:1:10, auto:1:40:3 or auto:5,10,20, from which "
               "--criterion selects one per group. A matching needs equal numbers",
               "N", to_text(state->transport.mixture.n_components)},
              [state](const std::string& text) { set_components(text, *state); });
  add_mixture_options(command, state->transport.mixture);
  add_criterion_option(command, state->criterion);
  add_transport_options(command, state->transport);
  add_refine_weights_option(command, state->refine_weights);
  command.add({"--reference",
               "Reference group that the others are coupled to; the first by default", "GROUP"},
              state->transport.reference);
  add_csv_options(command, state->csv, "Column with the group of each row");
  add_key_option(command, state->csv);
  add_weight_option(command, state->csv);
  add_common_options(command, state->common, "Print a summary of the fit as JSON");
  command.set_footer(fit_examples);
  command.run_by([state, &command] {
    state->has_criterion = command.was_given("--criterion");
    return run_fit(*state);
  });
}

}  // namespace lbw::cli
