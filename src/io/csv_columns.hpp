// SPDX-License-Identifier: MIT
// The requested columns of a CSV file, and header detection.
#pragma once

#include <lbw/io.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/csv_scanner.hpp"

namespace lbw {

struct CsvColumns {
  std::size_t count = 0;  ///< number of cells per line
  Index first_line = 1;   ///< the line that defines the count
  TextList names;         ///< one per column; empty if there is no header
  std::vector<std::size_t> features;
  std::optional<std::size_t> group;
  std::optional<std::size_t> key;
  std::optional<std::size_t> weight;
  std::vector<std::size_t> others;  ///< columns that are kept as text
};

/// @throws IoError  if the first line has both words and numbers
[[nodiscard]] bool is_header(const CsvRecord& first, const CsvOptions& options,
                             const std::string& name);

/// What to do about text that is not UTF-8.
inline constexpr const char* utf8_advice =
    "is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8";

/// Whether a line of numbers may be a header: consecutive whole numbers.
[[nodiscard]] bool may_be_header(const CsvRecord& first);

/// Finds the requested columns. @throws IoError if one does not exist, listing the existing columns
[[nodiscard]] CsvColumns choose_columns(const CsvRecord& first, bool has_header,
                                        const CsvOptions& options, const std::string& name);

}  // namespace lbw
