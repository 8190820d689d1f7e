// SPDX-License-Identifier: MIT
// lbw: parses the command line, runs a command and reports errors.
#include <iostream>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
#include <new>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"

namespace lbw::cli {

namespace {

constexpr const char* introduction =
    "Local Bures-Wasserstein transport: learn maps between groups of samples.";

constexpr const char* examples = R"(Examples:
  lbw fit A.csv B.csv -o model.safetensors --components 3
  lbw inspect model.safetensors
  lbw transport model.safetensors A.csv --from A --to B -o transported.csv

Each command has its own help: lbw fit --help)";

/// Runs the program, prints errors once and returns the exit code.
ExitCode guarded_run(Program& program, int argc, char** argv) {
  const auto failed = [&](const std::string& text, ExitCode code) {
    const std::string name = program.spoken_name();
    std::cerr << name << ": " << text << "\n";
    if (code == exit_misused) std::cerr << "Try '" << name << " --help'.\n";
    return code;
  };
  try {
    return program.run(argc, argv);
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
  Program program(introduction, lbw::version, examples);
  for (const auto add :
       {add_fit, add_transport, add_barycenter, add_select, add_inspect, add_morph, add_options}) {
    add(program);
  }
  return guarded_run(program, argc, argv);
}
