// SPDX-License-Identifier: MIT
// lbw: words in, one library call, words out.
#include <algorithm>
#include <cerrno>
#include <iostream>
#include <lbw/error.hpp>
#include <lbw/version.hpp>
#include <new>

#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace lbw::cli {

namespace {

constexpr const char* introduction =
    "Local Bures-Wasserstein transport: learn maps between groups of samples.";

constexpr const char* examples = R"(Examples:
  lbw fit A.csv B.csv -o model.safetensors --components 3
  lbw inspect model.safetensors
  lbw transport model.safetensors A.csv --from A --to B -o carried.csv

Each command has its own: lbw fit --help)";

/// "lbw fit" once a verb has been recognised, before that "lbw".
std::string spoken_name(const CLI::App& program) {
  const std::vector<CLI::App*> verbs = program.get_subcommands();
  return verbs.empty() ? "lbw" : "lbw " + verbs.front()->get_name();
}

ExitCode complain(const std::string& name, const std::string& text, ExitCode code) {
  std::cerr << name << ": " << text << "\n";
  if (code == exit_misused) std::cerr << "Try '" << name << " --help'.\n";
  return code;
}

/// CLI11 alone would say that a subcommand is required, and not which there are.
void check_verb(const std::vector<Verb>& verbs, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.starts_with('-')) return;
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.command->get_name());
  if (std::ranges::find(names, word) != names.end()) return;
  throw UsageError((word.empty() ? "no command" : "unknown command '" + word + "'") +
                   ", expected " + choice_list(names));
}

ExitCode run(CLI::App& program, const std::vector<Verb>& verbs, int argc, char** argv) {
  ExitCode code = exit_done;
  check_verb(verbs, argc, argv);
  try {
    program.parse(argc, argv);
    for (const Verb& verb : verbs) {
      if (verb.command->parsed()) code = verb.run();
    }
  } catch (const CLI::Success& help_or_version) {
    errno = 0;
    program.exit(help_or_version);
    finish_standard_output();
  }
  return code;
}

/// What went wrong, said once, with its exit code.
ExitCode guarded_run(CLI::App& program, const std::vector<Verb>& verbs, int argc, char** argv) {
  const auto failed = [&](const std::string& text, ExitCode code) {
    return complain(spoken_name(program), text, code);
  };
  try {
    return run(program, verbs, argc, argv);
  } catch (const CLI::ParseError& error) {
    return failed(error.what(), exit_misused);
  } catch (const UsageError& error) {
    return failed(error.what(), exit_misused);
  } catch (const Interrupted& error) {
    return failed(error.what(), exit_interrupted);
  } catch (const std::bad_alloc&) {
    return failed("not enough memory", exit_failed);
  } catch (const std::exception& error) {
    return failed(error.what(), exit_failed);
  }
}

}  // namespace

}  // namespace lbw::cli

int main(int argc, char** argv) {
  using namespace lbw::cli;
  std::ios::sync_with_stdio(false);
  watch_signals();
  CLI::App program{introduction, "lbw"};
  program.set_version_flag("--version", std::string("lbw ") + lbw::version);
  program.require_subcommand(1);
  program.footer(examples);
  const std::vector<Verb> verbs = {add_fit(program),        add_transport(program),
                                   add_barycenter(program), add_select(program),
                                   add_inspect(program),    add_morph(program)};
  return guarded_run(program, verbs, argc, argv);
}
