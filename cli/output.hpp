// SPDX-License-Identifier: MIT
// Results to files or standard output, words for people to standard error.
#pragma once

#include <functional>
#include <initializer_list>
#include <lbw/table_io.hpp>
#include <lbw/transport.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/group_numbers.hpp"

namespace lbw::cli {

/// Keys stay in the order in which they are set.
using Json = nlohmann::ordered_json;

/// No path or `-`.
[[nodiscard]] bool is_standard_output(const std::string& path);

/// Before the work: throws IoError when the path is a folder or lies in one that does not exist,
/// and UsageError when its extension is none of these. A path without an extension is a file of the
/// first.
void check_output(const std::string& path, std::initializer_list<std::string> extensions);

/// Of tables, of models and of pictures.
inline const std::initializer_list<std::string> table_extensions = {".csv", ".npy"};
inline const std::initializer_list<std::string> model_extensions = {".safetensors"};
inline const std::initializer_list<std::string> picture_extensions = {".png"};

/// NPY by its extension (numbers alone), otherwise CSV; standard output gets CSV.
void write_table(const std::string& path, const Table& table);
void write_model(const std::string& path, const TransportModel& model);

/// To standard output.
void write_json(const Json& json);
void write_text(const std::string& text);

/// Throws IoError, with the reason in errno, unless all that was written to standard output has
/// arrived. The writers above call it.
void finish_standard_output();

/// A line on standard error, `lbw fit: ...`, unless quiet.
void tell(bool quiet, const std::string& verb, const std::string& text);

/// Says on standard error what has not been said yet, unless quiet.
[[nodiscard]] std::function<void(const std::string&)> teller(bool quiet, const std::string& verb);

/// Tells which group has which number where they were given without names.
template <typename Number>
void tell_numbers(bool quiet, const std::string& verb, const std::string& option,
                  const GroupNumbers<Number>& list, std::span<const std::string> groups) {
  if (list.empty() || !list.names.empty()) return;
  tell(quiet, verb, numbers_by_group<Number>(option, list.numbers, groups));
}

[[nodiscard]] Json to_json(const RowMatrix& rows);
[[nodiscard]] Json to_json(const Table& table);

}  // namespace lbw::cli
