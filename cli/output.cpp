// SPDX-License-Identifier: MIT
#include "cli/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <set>

#include "cli/narrow.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// The extension with the one before it if the file is compressed, such as ".csv.gz".
std::string whole_extension_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (!is_compressed(path)) return extension;
  return extension_of(path.substr(0, path.size() - extension.size())) + extension;
}

void check_extension(const std::string& path, std::initializer_list<std::string> extensions) {
  const std::string extension = whole_extension_of(path);
  const std::vector<std::string> known(extensions);
  if (extension.empty() || std::ranges::find(known, extension) != known.end()) return;
  const bool is_arrow = extension == ".parquet" || extension == ".feather" || extension == ".arrow";
  const bool is_table = std::ranges::find(known, ".csv") != known.end();
  throw UsageError(
      "--output is '" + path + "', expected a file name ending in " + choice_list(known) +
      (is_arrow && is_table ? "; to write this file, run the same command with 'python "
                              "-m lbw' instead of 'lbw' (pip install 'lbw[arrow]')"
                            : ""));
}

void write_csv_to_standard_output(const Table& table, const CsvFormat& format) {
  errno = 0;
  try {
    write_csv(std::cout, table, format);
  } catch (const IoError&) {
    finish_standard_output();  // throws with the reason, which the stream does not provide
    throw;
  }
  finish_standard_output();
}

}  // namespace

bool is_standard_output(const std::string& path) { return path.empty() || path == "-"; }

PipeGuard::PipeGuard(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(is_standard_output(path) ? "/dev/stdout" : path, ignored)) {
    waiting_.emplace("the output is incomplete");
  }
}

void check_output(const std::string& path, std::initializer_list<std::string> extensions) {
  if (is_standard_output(path)) return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(path + ": is a directory, expected a file name");
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw IoError(path + ": the directory '" + folder.string() + "' does not exist");
  }
  check_extension(path, extensions);
}

void check_not_input(const std::string& output, const std::vector<std::string>& inputs,
                     const std::string& what, const std::string& option) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output, ignored)) return;
  for (const std::string& input : inputs) {
    const bool is_standard_input = input == "-";
    if (!std::filesystem::equivalent(output, is_standard_input ? "/dev/stdin" : input, ignored)) {
      continue;
    }
    throw UsageError(option + " is the input " + (is_standard_input ? output : input) + ", which " +
                     what + " would replace; give another file");
  }
}

CsvFormat format_of(const CsvOptions& options) {
  const char delimiter = options.decimal == ',' ? ';' : ',';
  return {.delimiter = options.delimiter == '\0' ? delimiter : options.delimiter,
          .decimal = options.decimal,
          .quotes_text = options.quoted_is_text};
}

void write_table(const std::string& path, const Table& table, const CsvFormat& format) {
  const PipeGuard waiting(path);
  if (is_standard_output(path)) {
    write_csv_to_standard_output(table, format);
  } else if (is_npy(path)) {
    write_npy(path, table.values);
  } else {
    CsvFormat named = format;
    if (whole_extension_of(path).starts_with(".tsv")) named.delimiter = '\t';
    write_csv(std::filesystem::path(path), table, named);
  }
}

void write_model(const std::string& path, const TransportModel& model) {
  if (is_standard_output(path)) {
    write_text(model_to_bytes(model));
    return;
  }
  const PipeGuard waiting(path);
  save_model(path, model);
}

void write_json(const Json& json) {
  // names come from files and may not be UTF-8
  write_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_text(const std::string& text) {
  const PipeGuard waiting("-");
  errno = 0;
  std::cout << text;
  finish_standard_output();
}

void show_text(const std::string& text) { write_text(for_terminal(text, stdout)); }

void finish_standard_output() {
  std::cout.flush();
  if (std::cout.good()) return;
  const std::string reason = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
  throw IoError("standard output: cannot be written" + reason);
}

void tell(bool quiet, const std::string& subcommand, const std::string& text) {
  if (quiet) return;
  constexpr std::string_view warning = "warning:";
  std::string shown = for_terminal("lbw " + subcommand + ": " + text + "\n", stderr);
  if (text.starts_with(warning)) {
    shown.replace(shown.find(warning), warning.size(), painted(warning, Paint::yellow, stderr));
  }
  std::cerr << shown;
}

std::function<void(const std::string&)> teller(bool quiet, const std::string& subcommand) {
  return [quiet, subcommand, said = std::set<std::string>()](const std::string& text) mutable {
    if (said.insert(text).second) tell(quiet, subcommand, text);
  };
}

Json to_json(const RowMatrix& rows) {
  Json json = Json::array();
  for (Index row = 0; row < rows.rows(); ++row) {
    json.push_back(std::vector<double>(rows.row(row).begin(), rows.row(row).end()));
  }
  return json;
}

Json to_json(const Table& table) {
  Json json = {{"feature_names", table.feature_names}, {"values", to_json(table.values)}};
  if (!table.groups.empty()) json["groups"] = table.groups;
  const std::size_t n_before = static_cast<std::size_t>(table.values.cols()) +
                               (table.groups.empty() ? 0 : 1);  // columns before the others
  for (std::size_t i = 0; i < table.others.count; ++i) {
    const std::string name(table.others.name(i));
    const std::size_t place = table.places.empty()
                                  ? n_before + i
                                  : table.places[table.places.size() - table.others.count + i];
    json["other_columns"][name.empty() ? to_text(place + 1) : name] = table.others.column(i);
  }
  return json;
}

bool are_same_file(const std::string& first, const std::string& second) {
  if (is_standard_output(first) || is_standard_output(second)) return first == second;
  std::error_code ignored;
  const auto place = [&ignored](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return place(first) == place(second) || std::filesystem::equivalent(first, second, ignored);
}

}  // namespace lbw::cli
