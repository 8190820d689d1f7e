// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr std::size_t widest_help = 100;
const HelpEntry help_flag = {"-h,--help", "Print this help and exit"};
const HelpEntry version_flag = {"--version", "Print the version and exit"};

template <NamedEnum Enum>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const NamedValue<Enum>& known : EnumNames<Enum>::values) names.emplace_back(known.name);
  return names;
}

void set_color(const std::string& text) {
  const std::vector<std::string> names = names_of<ColorMode>();
  if (std::ranges::find(names, text) == names.end()) {
    throw UsageError("--color is '" + text + "', expected " + choice_list(names) +
                     suggestion(text, names));
  }
  set_color_mode(enum_from<ColorMode>(text));
}

/// Errors of the command line have the requested colour too.
void set_color_before_parsing(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool is_next = word == "--color" && i + 1 < argc;
    if (!is_next && !word.starts_with("--color=")) continue;
    const std::string value(is_next ? argv[i + 1] : word.substr(word.find('=') + 1));
    if (std::ranges::count(names_of<ColorMode>(), value) > 0) set_color(value);
  }
}

void require_if_declared(CLI::Option& option, const HelpEntry& entry) {
  if (entry.required) option.required();
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

/// An empty value, such as that of an unset variable, would stand for an option that is not given.
void check_not_empty(const std::string& name, std::string_view value) {
  if (value.empty()) throw UsageError(name + " is empty, expected a value");
}

/// CLI11 would take the next argument as the value of --output=.
void check_values_behind_equals(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    const std::size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string_view::npos) continue;
    check_not_empty(std::string(word.substr(0, equals)), word.substr(equals + 1));
  }
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

std::string unknown_option(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return "unknown option '" + word + "'" + suggestion(word.substr(0, word.find('=')), names);
}

/// Names the first argument that no option takes.
std::string plain_text(const CLI::ExtrasError& error, const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return error.what();
  const std::string& word = words.front();
  return word.starts_with('-') ? unknown_option(word, app) : "unexpected argument '" + word + "'";
}

/// Names a misspelt option, which may be the one that is missing, or what is missing.
std::string plain_text(const CLI::RequiredError& error, const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto option = std::ranges::find_if(
      words, [](const std::string& word) { return word.starts_with("--") && word.size() > 2; });
  return option == words.end() ? error.what() : unknown_option(*option, app);
}

bool is_help_or_version(const std::string& word) {
  return word == "-h" || word == "--help" || word == "--version";
}

HelpEntry entry_of(const Option& option, const std::string& names) {
  HelpEntry entry{names, std::string(option.help)};
  entry.default_text = option.text();
  entry.type_name = option.type == OptionType::choice ? "NAME" : "N";
  if (option.type == OptionType::choice) {
    entry.help += ": " + option.expected();
    entry.words.assign(option.words.begin(), option.words.end());
  }
  return entry;
}

}  // namespace

std::vector<std::string> Declaration::names() const { return split(entry.names, ','); }

Command::Command(CLI::App& app, std::string help) : app_(&app), help_(std::move(help)) {
  declarations_.push_back({help_flag, false});
  add({"--color", "Use colour: auto (on terminals, unless NO_COLOR is set), always or never",
       "NAME", "auto", false, names_of<ColorMode>()},
      set_color);
}

void Command::add(const HelpEntry& entry, const std::function<void(const std::string&)>& set) {
  declarations_.push_back({entry});
  require_if_declared(*app_->add_option_function<std::string>(entry.names, set, entry.help), entry);
}

void Command::add(const HelpEntry& entry, std::string& value) {
  const bool is_short = !entry.names.starts_with("--") && entry.names.starts_with('-');
  add(entry, [&value, is_short, name = long_name(entry.names)](const std::string& text) {
    check_not_empty(name, text);
    if (is_short && text.starts_with('=')) {  // as CLI11 reads -o=FILE
      throw UsageError(name + " is '" + text + "', expected a value without an equals sign, such " +
                       "as '" + text.substr(1) + "'");
    }
    value = text;
  });
}

void Command::add(const HelpEntry& entry, std::vector<std::string>& values) {
  declarations_.push_back({.entry = entry, .is_list = true});
  require_if_declared(*app_->add_option(entry.names, values, entry.help), entry);
}

void Command::add_flag(const HelpEntry& entry, std::function<void()> set) {
  declarations_.push_back({entry, false});
  require_if_declared(*app_->add_flag_callback(entry.names, std::move(set), entry.help), entry);
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
      const std::vector<std::string> words(option.words.begin(), option.words.end());
      throw UsageError(name + " is '" + text + "', expected " + option.expected() +
                       suggestion(text, words));
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

void Command::ignore_with(const std::string& other, const std::vector<std::string>& names) {
  for (const std::string& name : names) ignored_.emplace_back(name, other);
}

ExitCode Command::run() const {
  for (const auto& [name, other] : ignored_) {
    if (was_given(name) && was_given(other)) {
      throw UsageError(name + " has no effect with " + other + "; omit one of them");
    }
  }
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

std::string Command::name() const { return app_->get_name(); }

bool Command::was_chosen() const { return app_->parsed(); }

Program::Program(const std::string& description, const std::string& version,
                 const std::string& footer)
    : introduction_(description),
      version_(version),
      footer_(footer),
      declarations_({{help_flag, false}, {version_flag, false}}),
      app_(std::make_unique<CLI::App>(description, "lbw")) {
  app_->set_help_flag(help_flag.names);
  app_->set_version_flag(version_flag.names, "lbw " + version);
  app_->require_subcommand(1);
}

Program::~Program() = default;

Command& Program::add_command(const std::string& name, const std::string& help) {
  CLI::App& app = *app_->add_subcommand(name, help);
  return *commands_.emplace_back(std::make_unique<Command>(app, help));
}

std::vector<const Command*> Program::commands() const {
  std::vector<const Command*> shown;
  for (const auto& command : commands_) {
    if (!command->is_hidden()) shown.push_back(command.get());
  }
  return shown;
}

ExitCode Program::run(int argc, char** argv) {
  set_color_before_parsing(argc, argv);
  // CLI11 would only say that a subcommand is required, without listing them
  const std::string word = argc > 1 ? argv[1] : "";
  std::vector<std::string> names;
  for (const Command* command : commands()) names.push_back(command->name());
  if (word.starts_with('-') && !is_help_or_version(word)) {
    throw UsageError("unknown option '" + word +
                     "', expected a command first: " + choice_list(names) +
                     suggestion(word, std::vector<std::string>{"--help", "--version"}));
  }
  const bool is_known =
      std::ranges::any_of(commands_, [&](const auto& command) { return command->name() == word; });
  if (!word.starts_with('-') && !is_known) {
    throw UsageError((word.empty() ? "no command" : "unknown command '" + word + "'") +
                     ", expected " + choice_list(names) +
                     (is_help_or_version("--" + word) ? "; did you mean '--" + word + "'?"
                                                      : suggestion(word, names)));
  }
  return run_parsed(argc, argv);
}

ExitCode Program::run_parsed(int argc, char** argv) {
  const auto chosen = [&] {
    const auto found = std::ranges::find_if(commands_, &Command::was_chosen,
                                            [](const auto& own) -> const Command& { return *own; });
    return found == commands_.end() ? nullptr : found->get();
  };
  check_values_behind_equals(argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::size_t width = std::min(terminal_width(stdout, widest_help), widest_help);
    const Command* command = chosen();
    write_text(command == nullptr ? help_text(*this, width) : help_text(*command, width));
    return exit_done;
  } catch (const CLI::CallForVersion&) {
    write_text("lbw " + version_ + "\n");
    return exit_done;
  } catch (const CLI::ExtrasError& error) {
    throw UsageError(plain_text(error, *app_));
  } catch (const CLI::RequiredError& error) {
    throw UsageError(plain_text(error, *app_));
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(plain_text(error));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  name_command(spoken_name());
  return chosen()->run();
}

std::string Program::spoken_name() const {
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  return chosen.empty() ? "lbw" : "lbw " + chosen.front()->get_name();
}

}  // namespace lbw::cli
