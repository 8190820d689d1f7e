// SPDX-License-Identifier: MIT
#include "cli/help.hpp"

#include <algorithm>
#include <sstream>

#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr std::size_t names_width = 30;  // of the column of names, in wide terminals
constexpr std::size_t least_help_width = 30;

std::string heading(const std::string& text) {
  return "\n" + painted(text, Paint::bold, stdout) + "\n";
}

/// A name and its text: side by side, or one below the other in narrow terminals.
std::string entry_text(const std::string& name, const std::string& text, std::size_t width) {
  const bool is_narrow = width < names_width + least_help_width;
  const std::size_t indent = is_narrow ? 6 : names_width;
  const std::size_t text_width = width > indent + 10 ? width - indent : 10;
  std::string result;
  for (const std::string& line : wrapped_lines(name, is_narrow && width > 12 ? width - 4 : width)) {
    result += (result.empty() ? "  " : "\n    ") + line;
  }
  if (text.empty()) return result + "\n";
  bool on_first_line = !is_narrow && display_width(result) + 2 <= indent;
  if (on_first_line) result = padded(result, indent);
  for (const std::string& line : wrapped_lines(text, text_width)) {
    if (!on_first_line) result += "\n" + std::string(indent, ' ');
    result += line;
    on_first_line = false;
  }
  return result + "\n";
}

/// "-o, --output FILE", or "FILE" for a positional argument.
std::string spoken_names(const Declaration& declaration) {
  if (declaration.is_positional()) return declaration.entry.names;
  std::string text;
  for (const std::string& name : declaration.names()) text += (text.empty() ? "" : ", ") + name;
  const std::string& type = declaration.entry.type_name;
  return text + (declaration.takes_value && !type.empty() ? " " + type : "");
}

std::string list_of(const std::vector<Declaration>& declarations, bool positional,
                    std::size_t width) {
  std::string text;
  for (const Declaration& declaration : declarations) {
    if (declaration.is_positional() != positional) continue;
    text += entry_text(spoken_names(declaration), full_help(declaration), width);
  }
  return text;
}

/// Sentences are wrapped. Commands, which are indented, are not.
std::string footer_text(const std::string& footer, std::size_t width) {
  std::string text;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (line == "Examples:") {
      text += heading(line).substr(1);
    } else if (line.compare(indent, 4, "lbw ") == 0 || width < indent + 10) {
      text += line + "\n";
    } else {
      for (const std::string& part : wrapped_lines(line.substr(indent), width - indent)) {
        text += std::string(indent, ' ') + part + "\n";
      }
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::string paragraph(const std::string& text, std::size_t width) {
  std::string result;
  for (const std::string& line : wrapped_lines(text, width)) result += line + "\n";
  return result;
}

}  // namespace

std::string full_help(const Declaration& declaration) {
  const HelpEntry& entry = declaration.entry;
  std::string notes = entry.required ? "required" : "";
  if (!entry.default_text.empty()) notes += "default: " + entry.default_text;
  return entry.help + (notes.empty() ? "" : " [" + notes + "]");
}

std::string usage_of(const Command& command) {
  std::string text = "lbw " + command.name() + " [OPTIONS]";
  for (const Declaration& declaration : command.declarations()) {
    if (!declaration.is_positional()) continue;
    const std::string name = declaration.entry.names + (declaration.is_list ? "..." : "");
    text += declaration.entry.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string help_text(const Program& program, std::size_t width) {
  std::string text = paragraph(program.introduction(), width) + heading("Usage:") +
                     "  lbw COMMAND [OPTIONS]\n" + heading("Commands:");
  for (const Command* command : program.commands()) {
    text += entry_text(command->name(), command->help(), width);
  }
  return text + heading("Options:") + list_of(program.declarations(), false, width) +
         footer_text(program.footer(), width);
}

std::string help_text(const Command& command, std::size_t width) {
  const std::string positionals = list_of(command.declarations(), true, width);
  return paragraph(command.help(), width) + heading("Usage:") +
         entry_text(usage_of(command), "", width) +
         (positionals.empty() ? "" : heading("Arguments:") + positionals) + heading("Options:") +
         list_of(command.declarations(), false, width) + footer_text(command.footer(), width);
}

}  // namespace lbw::cli
