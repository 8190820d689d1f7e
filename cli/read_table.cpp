// SPDX-License-Identifier: MIT
#include "cli/read_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <lbw/types.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/system.hpp"

namespace lbw::cli {

namespace {

constexpr std::string_view by_python = "the Python package of lbw reads it with pyarrow";

/// A message of the library with options as they are typed.
std::string with_typed_options(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"the option missing=skip", "--missing skip"},
      {"the option header=present", "--header"},
      {"the option header=absent", "--no-header"},
      {"the option decimal=','", "--decimal comma"},
      {"the option delimiter=','", "--delimiter comma"},
      {"the option delimiter=';'", "--delimiter semicolon"},
      {"the option delimiter=tab", "--delimiter tab"},
      {"the option delimiter=whitespace", "--delimiter whitespace"},
      {"exclude columns of text,", "choose other columns with --columns,"},
      {by_python,
       "run the same command with 'python -m lbw' instead of 'lbw' (pip install 'lbw[arrow]')"}};
  for (const auto& [option, typed] : names) {
    const std::size_t at = text.rfind(option);
    if (at != std::string::npos) text.replace(at, option.size(), typed);
  }
  return text;
}

const std::optional<system::FileState> input_at_start = system::standard_input_state();

/// If standard input is a file, rows that another program appends while it is read are an error, as
/// in other files.
void check_standard_input() {
  if (system::standard_input_state() == input_at_start) return;
  throw IoError(spoken_path("-") +
                ": the file changed while it was used. Repeat this when no other program writes to "
                "it");
}

Table read_standard_input(const CsvOptions& options) {
  Table table = read_csv(std::cin, spoken_path("-"), options);
  check_standard_input();
  return table;
}

/// Reads a table, and names options as they are typed if it cannot be read.
template <typename Read>
Table with_typed_errors(const std::string& path, const Read& read) {
  try {
    return read();
  } catch (const IoError& error) {
    std::string text = error.what();
    // python -m lbw converts files only
    if (!is_repeatable(path) && text.ends_with(by_python)) {
      text.insert(text.size() - by_python.size(), "save it as a file and ");
    }
    throw IoError(with_typed_options(text));
  }
}

std::string bytes_of(std::istream& stream, const std::string& name) {
  constexpr std::size_t size = 1U << 16U;
  std::string bytes;
  do {
    const std::size_t filled = bytes.size();
    bytes.resize(filled + size);
    stream.read(bytes.data() + filled, size);
    bytes.resize(filled + static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  if (stream.bad()) throw IoError("cannot read '" + name + "': the stream failed");
  return bytes;
}

std::string bytes_of(const std::string& path) {
  if (path == "-") {
    std::string bytes = bytes_of(std::cin, spoken_path(path));
    check_standard_input();
    return bytes;
  }
  std::error_code ignored;
  if (std::filesystem::is_character_file(path, ignored)) {
    throw IoError("cannot read '" + path + "': it is a device, expected a file or a pipe");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw IoError("cannot read '" + path + "': " + std::strerror(errno));
  return bytes_of(stream, path);
}

}  // namespace

std::string spoken_path(const std::string& path) { return path == "-" ? "standard input" : path; }

bool is_repeatable(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  using enum std::filesystem::file_type;
  if (path == "-") return false;
  if (type == directory || type == not_found) return true;  // readers say so
  const bool is_stream = type == fifo || type == character || type == socket;
  // on macOS, an open file such as /dev/stdin is continued where it was read last
  return !is_stream && !path.starts_with("/dev/");
}

void check_read_once(const std::vector<std::string>& paths) {
  for (auto path = paths.begin(); path != paths.end(); ++path) {
    if (std::find(paths.begin(), path, *path) == path || is_repeatable(*path)) continue;
    throw UsageError(spoken_path(*path) +
                     " is given twice, but can be read only once; save it as a file first");
  }
}

Table read_table(const std::string& path, const CsvOptions& options) {
  return with_typed_errors(
      path, [&] { return path == "-" ? read_standard_input(options) : read_csv(path, options); });
}

RepeatedInput::RepeatedInput(const std::string& path) : path_(path) {
  if (!is_repeatable(path)) bytes_ = bytes_of(path);
}

Table RepeatedInput::read(const CsvOptions& options) const {
  if (!bytes_) return read_table(path_, options);
  return with_typed_errors(path_, [&] {
    std::istringstream stream(*bytes_);
    return read_csv(stream, spoken_path(path_), options);
  });
}

}  // namespace lbw::cli
