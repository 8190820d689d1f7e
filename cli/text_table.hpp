// SPDX-License-Identifier: MIT
// A table whose columns are read as text, to find out which of them have numbers.
#pragma once

#include <lbw/io.hpp>
#include <string>
#include <vector>

#include "cli/input.hpp"
#include "cli/read_table.hpp"

namespace lbw::cli {

/// Columns of a table by name, or by number from 1.
struct ColumnWishes {
  std::vector<std::string> protected_columns = {};  ///< one or more
  std::vector<std::string> features = {};           ///< by default all columns of numbers
  std::vector<std::string> except = {};             ///< no features
  std::string protected_option = "--protected";     ///< what names these columns, for messages
  std::string key_option = "--key";
};

/// The columns of a file as text, and how requested columns are found among them.
struct TextTable {
  TextColumns columns;
  std::string path;
  bool has_header = false;
  bool is_detected = false;  ///< whether there is a header was not given
  char decimal = '.';
  bool quoted_is_text = false;

  /// Whether a column has numbers.
  [[nodiscard]] bool is_numeric(std::size_t place) const;

  /// The decimal mark that this table does not have.
  [[nodiscard]] char other_mark() const { return decimal == '.' ? ',' : '.'; }

  /// The place of a column that an option names. @throws UsageError naming the option
  [[nodiscard]] std::size_t find(const std::string& wanted, const std::string& option) const;
  [[nodiscard]] std::vector<std::size_t> find_all(const std::vector<std::string>& wanted,
                                                  const std::string& option) const;

  /// A column in terms of CsvOptions: its name, unless it has none or others have it too.
  [[nodiscard]] std::string reference(std::size_t place) const;
  [[nodiscard]] std::string spoken_name(std::size_t place) const;

 private:
  /// Whether the first line was read as data, but could be a header in which this number names
  /// another column: different whole numbers, of which this one is not repeated below.
  [[nodiscard]] bool may_name_another(const std::string& wanted, std::size_t number) const;
};

[[nodiscard]] TextTable read_text_table(const RepeatedInput& input, const std::string& path,
                                        CsvOptions csv, const ColumnWishes& wishes, const Say& say);

}  // namespace lbw::cli
