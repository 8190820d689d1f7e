// SPDX-License-Identifier: MIT
// lbw inspect: what a model holds.
#include <memory>

#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace lbw::cli {

namespace {

constexpr const char* examples = R"(Examples:
  Groups, features, how the fit went, which components were coupled, how far groups are apart:
    lbw inspect model.safetensors
  The same for a program:
    lbw inspect model.safetensors --json)";

struct InspectCommand {
  CommonOptions common;
  std::string model;
};

ExitCode run_inspect(const InspectCommand& command) {
  const TransportModel model = read_model(command.model);
  if (command.common.json) {
    Json json = to_json(model);
    json["pairs"] = pairs_to_json(model, command.common.execution);
    write_json(json);
  } else {
    write_text(describe(model) + "\n" + describe_pairs(model, command.common.execution));
  }
  return exit_done;
}

}  // namespace

Verb add_inspect(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("inspect", "Tell what a model holds");
  const auto command = std::make_shared<InspectCommand>();
  verb->add_option("model", command->model, "A model that lbw fit wrote; - is standard input")
      ->required()
      ->type_name("MODEL");
  add_common_options(*verb, command->common, "Print it as JSON");
  verb->footer(examples);
  return {verb, [command] { return run_inspect(*command); }};
}

}  // namespace lbw::cli
