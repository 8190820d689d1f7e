// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "cli/output.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// The width of help texts beside the names of the options, from the width of the terminal if
/// COLUMNS is set.
std::size_t help_width() {
  constexpr int names = 30;
  const char* columns = std::getenv("COLUMNS");
  const int width = columns == nullptr ? 100 : number_from<int>(columns).value_or(100);
  return static_cast<std::size_t>(std::clamp(width, 60, 100) - names);
}

/// Breaks a text into lines of at most `width` characters between words.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t length = 0;
  for (const std::string& word : split(text, ' ')) {
    if (length > 0) {
      const bool fits = length + 1 + word.size() <= width;
      lines += fits ? ' ' : '\n';
      length = fits ? length + 1 : 0;
    }
    lines += word;
    length += word.size();
  }
  return lines;
}

void describe(CLI::Option& option, const HelpEntry& entry) {
  option.description(wrapped(entry.help, help_width()));
  if (entry.required) option.required();
  if (!entry.type_name.empty()) option.type_name(entry.type_name);
  if (!entry.default_text.empty()) option.default_str(entry.default_text);
}

/// "--covariance-type" for "covariance_type"
std::string dashed(std::string_view name) {
  std::string text = "--" + std::string(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

/// The long name of an option: "--components" for "-k,--components".
std::string long_name(const std::string& names) {
  const std::size_t at = names.find("--");
  return at == std::string::npos ? names : names.substr(at, names.find(',', at) - at);
}

/// A command line error of CLI11 in plain words.
std::string plain_text(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (text.ends_with(" missing")) return name + " needs a value";
  if (text.find(": At Most 1 ") != std::string::npos) {
    return name + " is given more than once, expected once";
  }
  return text;
}

/// Names the first argument that no option takes.
std::string plain_text(const CLI::ExtrasError& error, const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return error.what();
  const std::string& word = words.front();
  if (!word.starts_with('-')) return "unexpected argument '" + word + "'";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return "unknown option '" + word + "'" + suggestion(word.substr(0, word.find('=')), names);
}

bool is_help_or_version(const std::string& word) {
  return word == "-h" || word == "--help" || word == "--version";
}

HelpEntry entry_of(const Option& option, const std::string& names) {
  HelpEntry entry{names, std::string(option.help)};
  entry.default_text = option.text();
  entry.type_name = option.type == OptionType::choice ? "NAME" : "N";
  if (option.type == OptionType::choice) entry.help += ": " + option.expected();
  return entry;
}

}  // namespace

void Command::add(const HelpEntry& entry, const std::function<void(const std::string&)>& set) {
  describe(*app_->add_option_function<std::string>(entry.names, set, entry.help), entry);
}

void Command::add(const HelpEntry& entry, std::string& value) {
  describe(*app_->add_option(entry.names, value, entry.help), entry);
}

void Command::add(const HelpEntry& entry, std::vector<std::string>& values) {
  describe(*app_->add_option(entry.names, values, entry.help), entry);
}

void Command::add_flag(const HelpEntry& entry, std::function<void()> set) {
  describe(*app_->add_flag_callback(entry.names, std::move(set), entry.help), entry);
}

void Command::add(const Option& option, const std::string& names) {
  const std::string typed = names.empty() ? dashed(option.name) : names;
  if (option.type == OptionType::boolean) {
    add_flag({typed, std::string(option.help)}, [option] { option.set("true"); });
  } else {
    add(option, entry_of(option, typed));
  }
}

void Command::add_without_default(const Option& option) {
  HelpEntry entry = entry_of(option, dashed(option.name));
  entry.default_text.clear();
  add(option, entry);
}

void Command::add(const Option& option, const HelpEntry& entry) {
  const auto set = [option, name = long_name(entry.names)](const std::string& text) {
    if (!option.accepts(text)) {
      throw UsageError(name + " is '" + text + "', expected " + option.expected());
    }
    option.set(text);
  };
  add(entry, set);
}

void Command::exclude(const std::string& name, const std::string& other) {
  app_->get_option(name)->excludes(app_->get_option(other));
}

void Command::need(const std::string& name, const std::string& other) {
  needs_.emplace_back(name, other);
}

ExitCode Command::run() const {
  for (const auto& [name, other] : needs_) {
    if (was_given(name) && !was_given(other)) {
      throw UsageError(name + " has no effect without " + other);
    }
  }
  return run_();
}

bool Command::was_given(const std::string& name) const {
  return app_->get_option(name)->count() > 0;
}

void Command::set_footer(const std::string& text) { app_->footer(text); }

std::string Command::name() const { return app_->get_name(); }

bool Command::was_chosen() const { return app_->parsed(); }

Program::Program(const std::string& introduction, const std::string& version,
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(introduction, "lbw")) {
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->set_version_flag("--version", "lbw " + version, "Print the version and exit");
  app_->require_subcommand(1);
  app_->get_formatter()->label("SUBCOMMAND", "COMMAND");
  app_->footer(footer);
}

Program::~Program() = default;

Command& Program::add_command(const std::string& name, const std::string& help) {
  CLI::App& app = *app_->add_subcommand(name, help);
  app.group("Commands");
  return *commands_.emplace_back(std::make_unique<Command>(app));
}

ExitCode Program::run(int argc, char** argv) {
  // CLI11 would only say that a subcommand is required, without listing them
  const std::string word = argc > 1 ? argv[1] : "";
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->name());
  if (word.starts_with('-') && !is_help_or_version(word)) {
    throw UsageError("unknown option '" + word +
                     "', expected a command first: " + choice_list(names));
  }
  if (!word.starts_with('-') && std::ranges::find(names, word) == names.end()) {
    throw UsageError((word.empty() ? "no command" : "unknown command '" + word + "'") +
                     ", expected " + choice_list(names) + suggestion(word, names));
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    errno = 0;
    app_->exit(help_or_version);
    finish_standard_output();
    return exit_done;
  } catch (const CLI::ExtrasError& error) {
    throw UsageError(plain_text(error, *app_));
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(plain_text(error));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  const auto chosen =
      std::ranges::find_if(commands_, &Command::was_chosen,
                           [](const auto& command) -> const Command& { return *command; });
  return (*chosen)->run();
}

std::string Program::spoken_name() const {
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  return chosen.empty() ? "lbw" : "lbw " + chosen.front()->get_name();
}

}  // namespace lbw::cli
