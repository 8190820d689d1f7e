// SPDX-License-Identifier: MIT
// lbw completion: prints completion scripts for shells, from the declarations of all commands.
#include "cli/completion.hpp"

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr const char* completion_examples = R"(Examples:
  Complete commands, options, values and files in this shell:
    lbw completion bash > lbw.bash && . ./lbw.bash
  Install the script for fish:
    lbw completion fish > lbw.fish

Installed packages of lbw have these scripts already. zsh looks for a file named _lbw in the folders of $fpath.)";

/// What the value of an option or a positional argument is.
enum class ValueKind { words, file, group, other };

ValueKind kind_of(const Declaration& declaration) {
  const std::string& type = declaration.entry.type_name;
  if (!declaration.entry.words.empty()) return ValueKind::words;
  if (type == "FILE" || type == "MODEL" || type == "PNG") return ValueKind::file;
  return type == "GROUP" ? ValueKind::group : ValueKind::other;
}

std::string words_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The values of all positional arguments that are words, or whether they are files.
struct Positionals {
  std::string words;
  bool has_files = false;
};

Positionals positionals_of(const Command& command) {
  Positionals found;
  for (const Declaration& declaration : command.declarations()) {
    if (!declaration.is_positional()) continue;
    if (kind_of(declaration) == ValueKind::words) found.words = words_text(declaration.entry.words);
    found.has_files = found.has_files || kind_of(declaration) == ValueKind::file;
  }
  return found;
}

std::vector<std::string> names_of_options(const std::vector<Declaration>& declarations) {
  std::vector<std::string> names;
  for (const Declaration& declaration : declarations) {
    if (declaration.is_positional()) continue;
    const std::vector<std::string> own = declaration.names();
    names.insert(names.end(), own.begin(), own.end());
  }
  return names;
}

// Names of groups come from a file. compgen -W would expand them like a command line, so they are
// compared one by one.
constexpr const char* bash_start =
    R"script(# bash completion for lbw; printed by: lbw completion bash
_lbw_groups() {
  local word name
  for word in "${COMP_WORDS[@]:2}"; do
    [[ "$word" == *.safetensors ]] || continue
    while IFS= read -r name; do
      [[ "$name" == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
    done < <("${COMP_WORDS[0]}" groups "$word" 2>/dev/null)
    return
  done
}

_lbw_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_lbw() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  local command="${COMP_WORDS[1]}"
  COMPREPLY=()
  if [[ "$cur" == "=" ]]; then  # bash splits --color=never into three words
    cur=
  elif [[ "$prev" == "=" ]]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
)script";

std::string bash_words(const std::string& words) {
  return "mapfile -t COMPREPLY < <(compgen -W '" + words + "' -- \"$cur\")";
}

/// The lines for the values of a command's options.
std::string bash_values(const Command& command) {
  std::string text;
  for (const Declaration& declaration : command.declarations()) {
    if (declaration.is_positional() || !declaration.takes_value) continue;
    std::string pattern;
    for (const std::string& name : declaration.names()) {
      pattern += (pattern.empty() ? "'" : "|'") + command.name() + " " + name + "'";
    }
    const ValueKind kind = kind_of(declaration);
    const std::string action = kind == ValueKind::words
                                   ? bash_words(words_text(declaration.entry.words)) + "; return"
                               : kind == ValueKind::file  ? "_lbw_files \"$cur\"; return"
                               : kind == ValueKind::group ? "_lbw_groups \"$cur\"; return"
                                                          : "return";
    text += "    " + pattern + ") " + action + " ;;\n";
  }
  return text;
}

std::string bash_script(const Program& program) {
  std::vector<std::string> first = names_of_options(program.declarations());
  std::string values;
  std::string options;
  std::string arguments;
  for (const Command* command : program.commands()) {
    first.push_back(command->name());
    values += bash_values(*command);
    options += "      " + command->name() + ") " +
               bash_words(words_text(names_of_options(command->declarations()))) + " ;;\n";
    const Positionals own = positionals_of(*command);
    const std::string action = !own.words.empty() ? bash_words(own.words)
                               : own.has_files    ? "_lbw_files \"$cur\""
                                                  : ":";
    arguments += "    " + command->name() + ") " + action + " ;;\n";
  }
  return std::string(bash_start) + "  if ((COMP_CWORD == 1)); then\n    " +
         bash_words(words_text(first)) + "\n    return\n  fi\n  case \"$command $prev\" in\n" +
         values + "  esac\n  if [[ \"$cur\" == -* ]]; then\n    case \"$command\" in\n" + options +
         "    esac\n    return\n  fi\n  case \"$command\" in\n" + arguments +
         "  esac\n}\ncomplete -F _lbw lbw\n";
}

/// The help of an option in brackets, as _arguments of zsh reads it.
std::string zsh_help(const std::string& help) {
  std::string text = replaced(help, "\\", "\\\\");
  for (const char* c : {"[", "]"}) text = replaced(text, c, std::string("\\") + c);
  return "[" + text + "]";
}

std::string zsh_action(const Declaration& declaration) {
  switch (kind_of(declaration)) {
    case ValueKind::words:
      return "(" + words_text(declaration.entry.words) + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::group:
      return "_lbw_groups";
    case ValueKind::other:
      break;
  }
  return " ";
}

/// The specifications of a command's arguments, one per line.
std::string zsh_arguments(const Command& command) {
  std::string text;
  for (const Declaration& declaration : command.declarations()) {
    std::string value(1, ':');
    value += declaration.is_positional() ? declaration.entry.names : declaration.entry.type_name;
    value += ":" + zsh_action(declaration);
    if (declaration.is_positional()) {
      text += " \\\n        " + shell_quoted((declaration.is_list ? "*" : "") + value);
      continue;
    }
    const std::string names = words_text(declaration.names());
    for (const std::string& name : declaration.names()) {
      const bool is_long = name.starts_with("--");
      text +=
          " \\\n        " +
          shell_quoted("(" + names + ")" + name + (declaration.takes_value && is_long ? "=" : "") +
                       zsh_help(declaration.entry.help) + (declaration.takes_value ? value : ""));
    }
  }
  return text;
}

std::string zsh_script(const Program& program) {
  std::string list;
  std::string cases;
  for (const Command* command : program.commands()) {
    list += "      " + shell_quoted(command->name() + ":" + replaced(command->help(), ":", "\\:")) +
            "\n";
    cases +=
        "    " + command->name() + ")\n      _arguments" + zsh_arguments(*command) + "\n      ;;\n";
  }
  return R"script(#compdef lbw
# zsh completion for lbw; printed by: lbw completion zsh
_lbw_groups() {
  local word
  local -a names
  for word in $words; do
    [[ $word == *.safetensors ]] || continue
    names=(${(f)"$(lbw groups ${(Q)word} 2>/dev/null)"})
    compadd -- $names
    return
  done
}

_lbw() {
  if ((CURRENT == 2)); then
    local -a commands
    commands=(
)script" +
         list + R"script(    )
    _describe -t commands command commands
    _arguments '(-h --help)'{-h,--help}'[Print this help and exit]' '--version[Print the version and exit]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
)script" +
         cases + R"script(  esac
}

if [[ ${funcstack[1]} == _lbw ]]; then
  _lbw "$@"
else
  compdef _lbw lbw
fi
)script";
}

std::string fish_option(const Command& command, const Declaration& declaration) {
  std::string text = "complete -c lbw -n '__fish_seen_subcommand_from " + command.name() + "'";
  for (const std::string& name : declaration.names()) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (declaration.takes_value) {
    const ValueKind kind = kind_of(declaration);
    text += kind == ValueKind::file ? " -r -F" : " -x";
    if (kind == ValueKind::words)
      text += " -a " + shell_quoted(words_text(declaration.entry.words));
    if (kind == ValueKind::group) text += " -a '(__lbw_groups)'";
  }
  const std::string help = replaced(declaration.entry.help, "\\", "\\\\");
  return text + " -d '" + replaced(help, "'", "\\'") + "'\n";
}

std::string fish_script(const Program& program) {
  std::string text = R"script(# fish completion for lbw; printed by: lbw completion fish
function __lbw_groups
    for word in (commandline -opc)
        if string match -q '*.safetensors' -- $word
            lbw groups $word 2>/dev/null
            return
        end
    end
end

complete -c lbw -n __fish_use_subcommand -f
complete -c lbw -n __fish_use_subcommand -s h -l help -d 'Print this help and exit'
complete -c lbw -n __fish_use_subcommand -l version -d 'Print the version and exit'
)script";
  for (const Command* command : program.commands()) {
    text += "complete -c lbw -n __fish_use_subcommand -f -a " + command->name() + " -d '" +
            replaced(command->help(), "'", "\\'") + "'\n";
    const Positionals own = positionals_of(*command);
    if (!own.has_files) {
      text += "complete -c lbw -n '__fish_seen_subcommand_from " + command->name() + "' -f" +
              (own.words.empty() ? "" : " -a " + shell_quoted(own.words)) + "\n";
    }
    for (const Declaration& declaration : command->declarations()) {
      if (!declaration.is_positional()) text += fish_option(*command, declaration);
    }
  }
  return text;
}

/// A hidden command that the scripts call.
void add_groups(Program& program) {
  Command& command = program.add_command("groups", "Print the names of the groups of a model");
  command.hide();
  const auto model = std::make_shared<std::string>();
  command.add({"model", "A model written by lbw fit", "MODEL", "", true}, *model);
  command.run_by([model] {
    std::string text;
    for (const std::string& name : read_model(*model).group_names) text += name + "\n";
    write_text(text);
    return exit_done;
  });
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const Program& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

void add_completion(Program& program) {
  Command& command = program.add_command("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  const std::vector<std::string>& shells = completion_shells();
  command.add({"shell", "The shell: bash, zsh or fish", "NAME", "", true, shells}, *shell);
  command.set_footer(completion_examples);
  command.run_by([&program, shell] {
    const std::vector<std::string>& known = completion_shells();
    if (std::ranges::find(known, *shell) == known.end()) {
      throw UsageError("shell is '" + *shell + "', expected " + choice_list(known) +
                       suggestion(*shell, known));
    }
    write_text(completion_script(program, *shell));
    return exit_done;
  });
  add_groups(program);
}

}  // namespace lbw::cli
