// SPDX-License-Identifier: MIT
// Results go to files or standard output, messages to standard error.
#pragma once

#include <functional>
#include <initializer_list>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/group_numbers.hpp"
#include "cli/interrupt.hpp"

namespace lbw::cli {

/// Keeps keys in insertion order.
using Json = nlohmann::ordered_json;

/// Whether the path is empty or `-`.
[[nodiscard]] bool is_standard_output(const std::string& path);

/// Rejects an output that is one of the inputs, for commands whose output does not contain the
/// input's rows. `-` is the file that standard input comes from.
/// @param what    what is written, such as "the measures"
/// @param option  that names the output
void check_not_input(const std::string& output, const std::vector<std::string>& inputs,
                     const std::string& what, const std::string& option = "--output");

/// Checks an output path before the work: throws IoError if it is a directory or its directory does
/// not exist, and UsageError if its extension is not supported. A path without an extension has the
/// first format.
void check_output(const std::string& path, std::initializer_list<std::string> extensions);

/// While an output that is a pipe is written, which may wait for its reader, signals end the
/// program at once. Other outputs are completed or not written at all.
class PipeGuard {
 public:
  explicit PipeGuard(const std::string& path);

 private:
  std::optional<EndAtOnce> waiting_;
};

/// Extensions of tables, models and images.
inline const std::initializer_list<std::string> table_extensions = {
    ".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst", ".npy"};
inline const std::initializer_list<std::string> model_extensions = {".safetensors"};
inline const std::initializer_list<std::string> picture_extensions = {".png"};

/// The notation of CSV output: the delimiter and the decimal mark of these options if they are
/// given, otherwise commas and points.
[[nodiscard]] CsvFormat format_of(const CsvOptions& options);

/// Writes NPY (only numbers) by its extension, otherwise CSV; standard output gets CSV. Files named
/// .tsv have tabs, and files named .gz or .zst are compressed.
void write_table(const std::string& path, const Table& table, const CsvFormat& format = {});
void write_model(const std::string& path, const TransportModel& model);

/// Writes to standard output.
void write_json(const Json& json);
void write_text(const std::string& text);
/// The same for people: lines fit the terminal, if it is one.
void show_text(const std::string& text);

/// Throws IoError, with the reason from errno, unless standard output was written completely. The
/// writers above call it.
void finish_standard_output();

/// Prints a line to standard error, `lbw fit: ...`, unless quiet.
void tell(bool quiet, const std::string& subcommand, const std::string& text);

/// Prints each distinct message once to standard error, unless quiet.
[[nodiscard]] std::function<void(const std::string&)> teller(bool quiet,
                                                             const std::string& subcommand);

/// Prints the number of each group if numbers were given without names.
template <typename Number>
void tell_numbers(bool quiet, const std::string& subcommand, const std::string& option,
                  const GroupNumbers<Number>& list, std::span<const std::string> groups) {
  if (list.empty() || !list.names.empty()) return;
  tell(quiet, subcommand, numbers_by_group<Number>(option, list.numbers, groups));
}

[[nodiscard]] Json to_json(const RowMatrix& rows);
[[nodiscard]] Json to_json(const Table& table);

/// Whether both paths are of one file, which need not exist.
[[nodiscard]] bool are_same_file(const std::string& first, const std::string& second);

}  // namespace lbw::cli
