// SPDX-License-Identifier: MIT
// lbw man: prints manual pages, from the declarations of all commands. lbw share writes them and
// the completion scripts into a folder, for the installation.
#include <filesystem>
#include <fstream>
#include <lbw/types.hpp>
#include <memory>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// A text of roff: special characters are escaped, and lines do not look like requests.
std::string roff(const std::string& text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

std::string start_of_page(const std::string& name, const std::string& help,
                          const std::string& version) {
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return ".TH \"" + title + "\" 1 \"\" \"lbw " + version + "\" \"lbw manual\"\n.SH NAME\n" +
         roff(name) + " \\- " + roff(help) + "\n";
}

/// "\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR"
std::string tag_of(const Declaration& declaration) {
  std::string text;
  for (const std::string& name : declaration.names()) {
    text += (text.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  }
  const std::string& type = declaration.entry.type_name;
  if (declaration.is_positional()) return text;
  return text + (declaration.takes_value ? " \\fI" + roff(type) + "\\fR" : "");
}

std::string list_of(const std::vector<Declaration>& declarations, bool positional) {
  std::string text;
  for (const Declaration& declaration : declarations) {
    if (declaration.is_positional() != positional) continue;
    text += ".TP\n" + tag_of(declaration) + "\n" + roff(full_help(declaration)) + "\n";
  }
  return text;
}

/// The footer: a section of examples, whose lines are not filled, and paragraphs.
std::string footer_of(const std::string& footer) {
  std::string text;
  std::istringstream lines(footer);
  bool in_examples = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Examples:") {
      text += ".SH EXAMPLES\n.nf\n";
      in_examples = true;
    } else if (line.empty() && in_examples) {
      text += ".fi\n.SH NOTES\n";
      in_examples = false;
    } else {
      text += line.empty() ? ".PP\n" : roff(line) + "\n";
    }
  }
  return text + (in_examples ? ".fi\n" : "");
}

std::string page_of(const Program& program) {
  std::string commands;
  std::string others;
  for (const Command* command : program.commands()) {
    commands += ".TP\n\\fB" + roff(command->name()) + "\\fR\n" + roff(command->help()) + ".\n";
    others += (others.empty() ? "" : ",\n") + (".BR lbw\\-" + roff(command->name()) + " (1)");
  }
  return start_of_page("lbw", program.introduction(), program.version()) +
         ".SH SYNOPSIS\n.B lbw\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH COMMANDS\n" + commands +
         ".SH OPTIONS\n" + list_of(program.declarations(), false) + footer_of(program.footer()) +
         ".SH \"SEE ALSO\"\n" + others + "\n";
}

std::string page_of(const Command& command, const std::string& version) {
  const std::string positionals = list_of(command.declarations(), true);
  return start_of_page("lbw-" + command.name(), command.help(), version) + ".SH SYNOPSIS\n" +
         roff(usage_of(command)) + "\n" +
         (positionals.empty() ? "" : ".SH ARGUMENTS\n" + positionals) + ".SH OPTIONS\n" +
         list_of(command.declarations(), false) + footer_of(command.footer()) +
         ".SH \"SEE ALSO\"\n.BR lbw (1)\n";
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw IoError("cannot write '" + path.string() + "'");
}

/// Writes manual pages and completion scripts to their places below a folder such as /usr/share.
void write_share(const Program& program, const std::filesystem::path& folder) {
  const std::filesystem::path pages = folder / "man" / "man1";
  write_file(pages / "lbw.1", page_of(program));
  for (const Command* command : program.commands()) {
    write_file(pages / ("lbw-" + command->name() + ".1"), page_of(*command, program.version()));
  }
  for (const auto& [shell, place] : {std::pair{"bash", "bash-completion/completions/lbw"},
                                     {"zsh", "zsh/site-functions/_lbw"},
                                     {"fish", "fish/vendor_completions.d/lbw.fish"}}) {
    write_file(folder / place, completion_script(program, shell));
  }
}

std::string page_named(const Program& program, const std::string& name) {
  if (name.empty()) return page_of(program);
  std::vector<std::string> names;
  for (const Command* command : program.commands()) {
    if (command->name() == name) return page_of(*command, program.version());
    names.push_back(command->name());
  }
  throw UsageError("command is '" + name + "', expected " + choice_list(names) +
                   suggestion(name, names));
}

}  // namespace

void add_man(Program& program) {
  Command& man = program.add_command("man", "Print a manual page");
  man.hide();
  const auto name = std::make_shared<std::string>();
  man.add({"command", "The command; by default the page of lbw", "NAME"}, *name);
  man.run_by([&program, name] {
    write_text(page_named(program, *name));
    return exit_done;
  });
  Command& share = program.add_command("share", "Write manual pages and completion scripts");
  share.hide();
  const auto folder = std::make_shared<std::string>();
  share.add({"folder", "The folder, such as /usr/share", "FILE", "", true}, *folder);
  share.run_by([&program, folder] {
    write_share(program, *folder);
    return exit_done;
  });
}

}  // namespace lbw::cli
