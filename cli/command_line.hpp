// SPDX-License-Identifier: MIT
// The command line: commands and their options. Help texts, completion scripts and manual pages are
// made from these declarations. Only command_line.cpp includes the parser library, which is large.
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
  std::vector<std::string> words = {};  ///< values, which shells complete
};

/// An option or positional argument as it was declared.
struct Declaration {
  HelpEntry entry;
  bool takes_value = true;
  bool is_list = false;  ///< takes all following values

  [[nodiscard]] bool is_positional() const { return !entry.names.starts_with('-'); }
  /// Short and long names: "-o", "--output".
  [[nodiscard]] std::vector<std::string> names() const;
};

/// One command of the program.
class Command {
 public:
  Command(CLI::App& app, std::string help);

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
  /// Options that have no effect together with another one.
  void ignore_with(const std::string& other, const std::vector<std::string>& names);
  [[nodiscard]] bool was_given(const std::string& name) const;
  /// Sets the text below the options.
  void set_footer(const std::string& text) { footer_ = text; }
  /// Leaves the command out of lists of commands.
  void hide() { is_hidden_ = true; }
  /// Sets the function that runs the command after its options are set.
  void run_by(std::function<ExitCode()> run) { run_ = std::move(run); }

  [[nodiscard]] std::string name() const;
  [[nodiscard]] const std::string& help() const { return help_; }
  [[nodiscard]] const std::string& footer() const { return footer_; }
  [[nodiscard]] const std::vector<Declaration>& declarations() const { return declarations_; }
  [[nodiscard]] bool is_hidden() const { return is_hidden_; }
  [[nodiscard]] bool was_chosen() const;
  /// @throws UsageError  if an option that was given has no effect
  [[nodiscard]] ExitCode run() const;

 private:
  void add(const Option& option, const HelpEntry& entry);

  CLI::App* app_;
  std::string help_;
  std::string footer_;
  bool is_hidden_ = false;
  std::vector<Declaration> declarations_;
  std::vector<std::pair<std::string, std::string>> needs_;
  std::vector<std::pair<std::string, std::string>> ignored_;
  std::function<ExitCode()> run_;
};

class Program {
 public:
  Program(const std::string& description, const std::string& version, const std::string& footer);
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

  [[nodiscard]] const std::string& introduction() const { return introduction_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::string& footer() const { return footer_; }
  /// The options without a command.
  [[nodiscard]] const std::vector<Declaration>& declarations() const { return declarations_; }
  /// The commands that are not hidden, in the order of their declaration.
  [[nodiscard]] std::vector<const Command*> commands() const;

 private:
  ExitCode run_parsed(int argc, char** argv);

  std::string introduction_;
  std::string version_;
  std::string footer_;
  std::vector<Declaration> declarations_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

}  // namespace lbw::cli
