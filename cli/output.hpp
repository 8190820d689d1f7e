// SPDX-License-Identifier: MIT
// Results to files or standard output, words for people to standard error.
#pragma once

#include <lbw/csv.hpp>
#include <lbw/transport.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace lbw::cli {

/// Keys stay in the order in which they are set.
using Json = nlohmann::ordered_json;

/// No path or `-`.
[[nodiscard]] bool is_standard_output(const std::string& path);

/// Before the work: throws IoError when the path is a folder or lies in one that does not exist.
void check_output(const std::string& path);

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

[[nodiscard]] Json to_json(const RowMatrix& rows);
[[nodiscard]] Json to_json(const Table& table);

}  // namespace lbw::cli
