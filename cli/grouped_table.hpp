// SPDX-License-Identifier: MIT
// Tables with protected columns: the group of every row, and the columns that are numbers.
#pragma once

#include <lbw/io.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input.hpp"
#include "cli/text_table.hpp"

namespace lbw::cli {

struct GroupedTable {
  Table table;                               ///< Table::groups is the first protected column
  std::vector<std::string> protected_names;  ///< of the protected columns
  std::vector<std::vector<std::string>> protected_cells;  ///< of each column, one per row
  /// The group of each row: the value of the protected column, or 'sex=f, race=b' for several.
  /// Empty for rows with missing values, whose features are NaN.
  std::vector<std::string> labels;
  /// The distinct labels, ascending: by value if all of them are numbers, otherwise by text.
  std::vector<std::string> groups;
  std::vector<std::string> feature_labels;  ///< names of the features, or their numbers from 1
  std::vector<std::string> text_columns;    ///< columns without any number, which are no features
  std::vector<std::string> text_examples;   ///< of each of them, a value with digits; or empty
  std::vector<std::string> code_columns;    ///< features with leading zeros that were not requested
  std::vector<std::string> date_columns;    ///< the same for numbers like dates, with an example
  std::string key_name;                     ///< of the column of keys, if there is one
  std::optional<std::size_t> key_place;     ///< of this column in the file

  /// The place of each row's label among `names`, or -1.
  [[nodiscard]] std::vector<int> codes(const std::vector<std::string>& names) const;
};

/// Reads a table. The file is read twice if features are not given, to find out which columns are
/// numbers.
/// @throws IoError          if a column does not exist or a feature is not a number
/// @throws InvalidArgument  if a protected column has too many values to be groups
/// @param say              receives warnings about the table
/// @param feature_options  the options that name the features, for messages: one for each feature,
///                         or one for all
[[nodiscard]] GroupedTable read_grouped_table(const std::string& path, CsvOptions csv,
                                              const ColumnWishes& wishes, const Say& say,
                                              const std::vector<std::string>& feature_options = {
                                                  "--columns"});

/// Whether all labels are whole numbers in plain decimal digits, as Python would print them.
[[nodiscard]] bool are_whole_numbers(const std::vector<std::string>& labels);

/// The distinct labels in the order of Python's numpy.unique.
[[nodiscard]] std::vector<std::string> distinct_labels(const std::vector<std::string>& labels);

}  // namespace lbw::cli
