// SPDX-License-Identifier: MIT
// lbw: parses the command line, runs a command and reports errors.
#include <iostream>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
#include <new>
#include <string>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/narrow.hpp"
#include "cli/terminal.hpp"
#include "cli/terms.hpp"

namespace lbw::cli {

namespace {

constexpr const char* introduction =
    "Local Bures-Wasserstein transport: learn maps between groups of samples.";

constexpr const char* program_examples = R"(Examples:
  lbw fit A.csv B.csv -o model.safetensors --components 3
  lbw inspect model.safetensors
  lbw transport model.safetensors A.csv --from A --to B -o transported.csv
  lbw repair table.csv --protected site -o repaired.csv

Each command has its own help: lbw fit --help)";

/// Runs the program, prints errors once and returns the exit code.
ExitCode guarded_run(Program& program, int argc, char** argv) {
  const auto failed = [&](const std::string& text, ExitCode code) {
    const std::string name = program.spoken_name();
    const std::string shown = for_terminal(name + ": " + text + "\n", stderr);
    const std::size_t end = shown.find(':') + 1;
    std::cerr << painted(shown.substr(0, end), Paint::red, stderr) << shown.substr(end);
    if (code == exit_misused) std::cerr << "Try '" << name << " --help'.\n";
    return code;
  };
  try {
    return program.run(argc, argv);
  } catch (const UsageError& error) {
    return failed(error.what(), exit_misused);
  } catch (const Interrupted& error) {
    return failed(error.what(), static_cast<ExitCode>(exit_by_signal + error.signal()));
  } catch (const InvalidArgument& error) {
    return failed(in_terms_of_the_program(error.what()), exit_failed);
  } catch (const NumericalError& error) {
    return failed(in_terms_of_the_program(error.what()), exit_failed);
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
  Program program(introduction, lbw::version, program_examples);
  for (const auto add : {add_fit, add_transport, add_barycenter, add_select, add_inspect,
                         add_repair, add_score, add_morph, add_options, add_completion, add_man}) {
    add(program);
  }
  return guarded_run(program, argc, argv);
}
