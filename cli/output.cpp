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

#include "cli/options.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

void check_extension(const std::string& path, std::initializer_list<std::string> extensions) {
  const std::string extension = extension_of(path);
  const std::vector<std::string> known(extensions);
  if (extension.empty() || std::ranges::find(known, extension) != known.end()) return;
  throw UsageError("--output is '" + path + "', expected a file name ending in " +
                   choice_list(known));
}

void write_csv_to_standard_output(const Table& table) {
  errno = 0;
  try {
    write_csv(std::cout, table);
  } catch (const IoError&) {
    finish_standard_output();  // throws with the reason, which the stream does not provide
    throw;
  }
  finish_standard_output();
}

}  // namespace

bool is_standard_output(const std::string& path) { return path.empty() || path == "-"; }

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

void write_table(const std::string& path, const Table& table) {
  if (is_standard_output(path)) {
    write_csv_to_standard_output(table);
  } else if (is_npy(path)) {
    write_npy(path, table.values);
  } else {
    write_csv(std::filesystem::path(path), table);
  }
}

void write_model(const std::string& path, const TransportModel& model) {
  if (is_standard_output(path)) {
    write_text(model_to_bytes(model));
  } else {
    save_model(path, model);
  }
}

void write_json(const Json& json) {
  // names come from files and may not be UTF-8
  write_text(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_text(const std::string& text) {
  errno = 0;
  std::cout << text;
  finish_standard_output();
}

void finish_standard_output() {
  std::cout.flush();
  if (std::cout.good()) return;
  const std::string reason = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
  throw IoError("standard output: cannot be written" + reason);
}

void tell(bool quiet, const std::string& subcommand, const std::string& text) {
  if (!quiet) std::cerr << "lbw " << subcommand << ": " << text << "\n";
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
  const std::size_t n_before = table.places.size() - table.others.size();
  for (std::size_t i = 0; i < table.others.size(); ++i) {
    const TextColumn& column = table.others[i];
    const std::string number = to_text(table.places[n_before + i] + 1);
    json["other_columns"][column.name.empty() ? number : column.name] = column.cells;
  }
  return json;
}

}  // namespace lbw::cli
