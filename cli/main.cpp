// SPDX-License-Identifier: MIT
// lbw: parses the command line, runs a command and reports errors.
#include <algorithm>
#include <array>
#include <iostream>
#include <lbw/types.hpp>
#include <lbw/version.hpp>
#include <new>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"

namespace lbw::cli {

namespace {

constexpr const char* introduction =
    "Local Bures-Wasserstein transport: learn maps between groups of samples.";

constexpr const char* program_examples = R"(Examples:
  lbw fit A.csv B.csv -o model.safetensors --components 3
  lbw inspect model.safetensors
  lbw transport model.safetensors A.csv --from A --to B -o transported.csv

Each command has its own help: lbw fit --help)";

/// Functions of the library whose names precede their messages.
constexpr std::array<std::string_view, 9> functions = {
    "fit_transport",     "fit_mixture",       "barycenter", "map_between", "map_to_barycenter",
    "inverse_transport", "silhouette_points", "transport",  "report"};

/// Options of the library that differ from those of the program.
constexpr std::array<std::string_view, 11> option_names = {
    "n_components",   "n_components_per_group", "covariance_floor",   "relative_covariance_floor",
    "max_iterations", "start_samples",          "scale_features",     "group_shrinkage",
    "small_groups",   "refine_weights",         "barycentric_weights"};

/// "--small-groups" for "small_groups"
std::string typed_name(std::string_view option) {
  if (option.starts_with("n_components")) return "--components";
  if (option == "barycentric_weights") return "--weights";
  std::string text = "--" + std::string(option);
  std::ranges::replace(text, '_', '-');
  return text;
}

/// A message of the library in the terms of the program: without the names of C++ functions, and
/// with options as they are typed. Quoted text, such as the name of a group, is not changed.
std::string in_terms_of_the_program(std::string_view text) {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
  std::string result;
  bool is_quoted = false;
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_letter);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const std::string_view rest = text.substr(word.size());
    const bool at_start = result.empty() || result.ends_with("': ");
    if (at_start && rest.starts_with(": ") &&
        std::ranges::find(functions, word) != functions.end()) {
      text = rest.substr(2);
    } else if (!is_quoted && std::ranges::find(option_names, word) != option_names.end()) {
      result += typed_name(word);
      text = rest;
    } else {
      const std::size_t n_taken = std::max<std::size_t>(word.size(), 1);
      is_quoted = is_quoted != text.starts_with('\'');
      result += text.substr(0, n_taken);
      text.remove_prefix(n_taken);
    }
  }
  return result;
}

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
  for (const auto add :
       {add_fit, add_transport, add_barycenter, add_select, add_inspect, add_morph, add_options}) {
    add(program);
  }
  return guarded_run(program, argc, argv);
}
