// SPDX-License-Identifier: MIT
// Which columns of a CSV file are wanted, and what its first line is.
#pragma once

#include <lbw/table_io.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/csv_scanner.hpp"

namespace lbw {

struct CsvColumns {
  std::size_t count = 0;           ///< cells of every line
  Index first_line = 1;            ///< the line that set the count
  std::vector<std::string> names;  ///< one per column; empty without a header
  std::vector<std::size_t> features;
  std::optional<std::size_t> group;
  std::optional<std::size_t> key;
};

/// The finite number a cell holds: spaces around it, one leading '+', decimal or scientific.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

[[nodiscard]] bool is_header(const CsvRecord& first, const CsvOptions& options);

/// Finds the columns that are asked for. @throws IoError on one that is not there, listing those
/// that are
[[nodiscard]] CsvColumns choose_columns(const CsvRecord& first, bool has_header,
                                        const CsvOptions& options, const std::string& name);

}  // namespace lbw
