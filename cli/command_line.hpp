// SPDX-License-Identifier: MIT
// The command line: commands, their options and --help. Only command_line.cpp includes the parser
// library, which is large.
#pragma once

#include <functional>
#include <lbw/options.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace lbw::cli {

/// An invalid command line; the exit code is 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum ExitCode : int {
  exit_done = 0,
  exit_failed = 1,
  exit_misused = 2,
  exit_not_converged = 3,
  exit_by_signal = 128,  // and the number of the signal, as in shells: 130 for SIGINT
};

/// The --help entry of an option or positional argument.
struct HelpEntry {
  std::string names;  ///< for example "-o,--output"
  std::string help;
  std::string type_name = "";     ///< of the value, for example "FILE"
  std::string default_text = "";  ///< shown unless it is empty
  bool required = false;
};

/// One command of the program.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// Adds an option whose value is passed to `set`, which throws UsageError if it is invalid.
  void add(const HelpEntry& entry, const std::function<void(const std::string& text)>& set);
  void add(const HelpEntry& entry, std::string& value);
  /// Adds an option that takes all following values.
  void add(const HelpEntry& entry, std::vector<std::string>& values);
  void add_flag(const HelpEntry& entry, std::function<void()> set);
  /// Adds a library option under its name with dashes, or under `names`.
  void add(const Option& option, const std::string& names = "");
  /// The same without showing a default, for numbers that have no meaning unless given.
  void add_without_default(const Option& option);

  void exclude(const std::string& name, const std::string& other);
  /// An option that has no effect without another one.
  void need(const std::string& name, const std::string& other);
  [[nodiscard]] bool was_given(const std::string& name) const;
  /// Sets the text below the options.
  void set_footer(const std::string& text);
  /// Sets the function that runs the command after its options are set.
  void run_by(std::function<ExitCode()> run) { run_ = std::move(run); }

  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool was_chosen() const;
  /// @throws UsageError  if an option was given without the one that it needs
  [[nodiscard]] ExitCode run() const;

 private:
  void add(const Option& option, const HelpEntry& entry);

  CLI::App* app_;
  std::vector<std::pair<std::string, std::string>> needs_;
  std::function<ExitCode()> run_;
};

class Program {
 public:
  Program(const std::string& introduction, const std::string& version, const std::string& footer);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The result is valid during the lifetime of the program.
  Command& add_command(const std::string& name, const std::string& help);

  /// Parses the command line and runs its command. Prints --help and --version.
  /// @throws UsageError
  ExitCode run(int argc, char** argv);

  /// "lbw fit" after a command was recognized, otherwise "lbw".
  [[nodiscard]] std::string spoken_name() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace lbw::cli
