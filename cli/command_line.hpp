// SPDX-License-Identifier: MIT
// The command line: commands, their options and --help. Only command_line.cpp includes the library
// that parses it, which is large.
#pragma once

#include <functional>
#include <lbw/options.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace lbw::cli {

/// A command line that cannot be meant: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum ExitCode : int {
  exit_done = 0,
  exit_failed = 1,
  exit_misused = 2,
  exit_not_converged = 3,
  exit_interrupted = 130,  // 128 + SIGINT, as shells have it
};

/// What --help says about an option, or about an argument without dashes.
struct HelpEntry {
  std::string names;  ///< as they are typed: "-o,--output"
  std::string help;
  std::string type_name = "";     ///< of the value: "FILE"
  std::string default_text = "";  ///< shown; empty: nothing is
  bool required = false;
};

/// One command of the program.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// An option whose value is given to `set`, which throws UsageError if it is not one.
  void add(const HelpEntry& entry, std::function<void(const std::string& text)> set);
  void add(const HelpEntry& entry, std::string& value);
  /// Takes all values that follow.
  void add(const HelpEntry& entry, std::vector<std::string>& values);
  void add_flag(const HelpEntry& entry, std::function<void()> set);
  /// An option of the library, under its own name with dashes unless `names` has others.
  void add(const Option& option, const std::string& names = "");
  /// The same for a number that means something only once it is given: no default is shown.
  void add_without_default(const Option& option);

  void exclude(const std::string& name, const std::string& other);
  [[nodiscard]] bool was_given(const std::string& name) const;
  /// The text below the options.
  void set_footer(const std::string& text);
  /// What the command does once its options are set.
  void run_by(std::function<ExitCode()> run) { run_ = std::move(run); }

  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool was_chosen() const;
  [[nodiscard]] ExitCode run() const { return run_(); }

 private:
  void add(const Option& option, const HelpEntry& entry);

  CLI::App* app_;
  std::function<ExitCode()> run_;
};

class Program {
 public:
  Program(const std::string& introduction, const std::string& version, const std::string& footer);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Valid while the program lives.
  Command& add_command(const std::string& name, const std::string& help);

  /// Reads the command line and runs the command that it names. --help and --version are printed.
  /// @throws UsageError
  ExitCode run(int argc, char** argv);

  /// "lbw fit" once a command has been recognised, before that "lbw".
  [[nodiscard]] std::string spoken_name() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace lbw::cli
