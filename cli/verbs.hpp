// SPDX-License-Identifier: MIT
// The verbs of the program, one file each. Every function adds its subcommand and returns what
// runs it; that returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace lbw::cli {

enum ExitCode : int {
  exit_done = 0,
  exit_failed = 1,
  exit_misused = 2,
  exit_not_converged = 3,
  exit_interrupted = 130,  // 128 + SIGINT, as shells have it
};

struct Verb {
  CLI::App* command = nullptr;
  std::function<ExitCode()> run;
};

[[nodiscard]] Verb add_fit(CLI::App& program);
[[nodiscard]] Verb add_transport(CLI::App& program);
[[nodiscard]] Verb add_barycenter(CLI::App& program);
[[nodiscard]] Verb add_select(CLI::App& program);
[[nodiscard]] Verb add_inspect(CLI::App& program);
[[nodiscard]] Verb add_morph(CLI::App& program);

}  // namespace lbw::cli
