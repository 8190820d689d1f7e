// SPDX-License-Identifier: MIT
#include "io/csv_columns.hpp"

#include <algorithm>
#include <charconv>
#include <lbw/io.hpp>
#include <lbw/suggestion.hpp>
#include <span>
#include <unordered_set>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/csv_cells.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

constexpr std::size_t most_names_suggested = 10'000;

std::optional<std::size_t> number_of_column(const std::string& text, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 1 || number > count) return std::nullopt;
  return number - 1;
}

void check_column_names(const TextList& names, Index line, const std::string& file) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool has_control = has_control_character(names[i]);
    if (!has_control && is_utf8(names[i])) continue;
    throw IoError(
        message(file, ":", line, ": the name of column ", i + 1, ", '", excerpt(names[i]), "', ",
                has_control ? "contains a control character; rename the column" : utf8_advice));
  }
}

std::vector<std::string> first_names(const TextList& names, std::size_t most) {
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) first.emplace_back(names[i]);
  return first;
}

std::string columns_there_are(const CsvColumns& columns) {
  if (columns.names.empty()) {
    return message("the file has no header, its columns are 1 to ", columns.count);
  }
  const std::vector<std::string> listed = first_names(columns.names, most_listed);
  return message("the columns are ", quoted_list(listed, columns.names.size() - listed.size()));
}

std::size_t find_column(const std::string& wanted, const CsvColumns& columns,
                        const std::string& name) {
  const std::size_t same_name = columns.names.count(wanted);
  if (same_name > 1) {
    throw IoError(message(name, ": ", counted(same_name, "column"), " are named '", wanted,
                          "'; select one by its number, counted from 1"));
  }
  if (same_name == 1) return columns.names.find(wanted);
  if (const auto number = number_of_column(wanted, columns.count)) return *number;
  throw IoError(message(name, ": no column '", wanted, "'; ", columns_there_are(columns),
                        suggestion(wanted, first_names(columns.names, most_names_suggested))));
}

std::vector<std::size_t> features_by_default(const CsvColumns& columns) {
  std::vector<std::size_t> features;
  features.reserve(columns.count);
  for (std::size_t column = 0; column < columns.count; ++column) {
    const bool is_special =
        column == columns.group || column == columns.key || column == columns.weight;
    if (!is_special) features.push_back(column);
  }
  return features;
}

[[noreturn]] void refuse_two_roles(const std::string& name, const std::string& column,
                                   std::string_view first, std::string_view second) {
  throw IoError(message(name, ": column '", column, "' is both ", first, " and ", second,
                        "; a column has one role"));
}

/// @param name  of the file
void check_roles(const CsvColumns& columns, const CsvOptions& options, const std::string& name) {
  if (columns.group && columns.group == columns.weight) {
    refuse_two_roles(name, options.group_column, "the group", "the weight");
  }
  if (columns.group && columns.group == columns.key) {
    refuse_two_roles(name, options.group_column, "the group", "the key");
  }
  if (columns.weight && columns.weight == columns.key) {
    refuse_two_roles(name, options.weight_column, "the weight", "the key");
  }
}

std::vector<std::size_t> asked_for(const CsvColumns& columns,
                                   const std::vector<std::string>& wanted,
                                   const std::string& name) {
  std::vector<std::size_t> features;
  std::vector<bool> taken(columns.count);
  for (const std::string& column : wanted) {
    features.push_back(find_column(column, columns, name));
    if (taken[features.back()]) {
      throw IoError(message(name, ": column '", column, "' is selected twice"));
    }
    const std::size_t place = features.back();
    if (place == columns.key) refuse_two_roles(name, column, "a feature", "the key");
    if (place == columns.group) refuse_two_roles(name, column, "a feature", "the group");
    if (place == columns.weight) refuse_two_roles(name, column, "a feature", "the weight");
    taken[features.back()] = true;
  }
  return features;
}

/// The expected columns that the header has, in the expected order; without a header, those with
/// these numbers.
std::vector<std::size_t> found_of(const std::vector<std::string>& expected,
                                  const CsvColumns& columns, const std::string& name) {
  std::vector<std::size_t> features;
  for (const std::string& wanted : expected) {
    const bool exists = columns.names.empty() ? number_of_column(wanted, columns.count).has_value()
                                              : columns.names.count(wanted) > 0;
    if (exists) features.push_back(find_column(wanted, columns, name));
  }
  return features;
}

std::vector<std::size_t> features_of(const CsvColumns& columns, const CsvOptions& options,
                                     const std::string& name) {
  if (!options.columns.empty()) return asked_for(columns, options.columns, name);
  const std::vector<std::size_t> found = found_of(options.expected_columns, columns, name);
  return found.empty() ? features_by_default(columns) : found;
}

std::vector<std::size_t> all_but(const std::vector<std::size_t>& features,
                                 std::optional<std::size_t> group, std::size_t count) {
  std::vector<bool> is_taken(count);
  for (const std::size_t column : features) is_taken[column] = true;
  if (group) is_taken[*group] = true;
  std::vector<std::size_t> others;
  others.reserve(to_size(std::ranges::count(is_taken, false)));
  for (std::size_t column = 0; column < count; ++column) {
    if (!is_taken[column]) others.push_back(column);
  }
  return others;
}

/// The first of these cells that is a word, and the first that is a number.
struct FirstKinds {
  std::optional<std::size_t> word;
  std::optional<std::size_t> number;
};

FirstKinds first_kinds(const CsvRecord& record, const std::vector<bool>& looked_at, char decimal) {
  FirstKinds first;
  for (std::size_t column = 0; column < record.size(); ++column) {
    if (!looked_at[column]) continue;
    const std::string_view text = record[column].text;
    if (!first.word && is_word(text, decimal)) first.word = column;
    if (!first.number && csv_number(text, decimal)) first.number = column;
  }
  return first;
}

/// Whether the first line has one of the names that the options ask for. A small number is treated
/// as a number: "2" must not turn the row 1,2,3 into a header.
bool has_name_asked_for(const CsvRecord& first, const CsvOptions& options) {
  std::unordered_set<std::string_view> names;
  const auto add = [&](const std::string& wanted) {
    if (!wanted.empty() && !number_of_column(wanted, first.size())) names.insert(wanted);
  };
  for (const auto* one : {&options.group_column, &options.key_column, &options.weight_column}) {
    add(*one);
  }
  std::ranges::for_each(options.expected_columns, add);
  std::ranges::for_each(options.columns, add);
  if (names.empty()) return false;
  for (std::size_t column = 0; column < first.size(); ++column) {
    if (names.contains(cell_text(first[column]))) return true;
  }
  return false;
}

/// The columns of features if they are given by number, otherwise all but the special ones.
std::vector<bool> feature_columns(const CsvOptions& options, std::size_t count) {
  const bool are_given = !options.columns.empty();
  std::vector<bool> is_feature(count, !are_given);
  const auto mark = [&](const std::string& wanted) {
    const auto number = number_of_column(wanted, count);
    if (number) is_feature[*number] = are_given;
  };
  if (are_given) {
    std::ranges::for_each(options.columns, mark);
  } else {
    for (const auto& wanted : {options.group_column, options.key_column, options.weight_column}) {
      mark(wanted);
    }
  }
  return is_feature;
}

}  // namespace

// Only cells that would be read as numbers decide. A group such as "red", in a column given by
// number, is not considered.
bool is_header(const CsvRecord& first, const CsvOptions& options, const std::string& name) {
  if (options.header != CsvHeader::detect) return options.header == CsvHeader::present;
  if (has_name_asked_for(first, options)) return true;
  const auto is_unknown = [&](const std::string& wanted) {
    return !number_of_column(wanted, first.size());
  };
  // if a name is unknown, an error follows, and whether there is a header improves its message
  if (std::ranges::any_of(options.columns, is_unknown)) {
    return first_kinds(first, std::vector<bool>(first.size(), true), options.decimal)
        .word.has_value();
  }
  const FirstKinds kinds =
      first_kinds(first, feature_columns(options, first.size()), options.decimal);
  if (kinds.word && kinds.number) {
    throw IoError(message(name, ":", first.line, ": column ", *kinds.word + 1, " has the text \"",
                          excerpt(cell_text(first[*kinds.word])), "\" and column ",
                          *kinds.number + 1, " the number ", excerpt(first[*kinds.number].text),
                          ", so the line may be a header or a row; use the option header=present "
                          "if it has the names of the columns, or the option header=absent"));
  }
  return kinds.word.has_value();
}

bool may_be_header(const CsvRecord& first) {
  if (first.size() < 2) return false;
  std::optional<std::int64_t> previous;
  for (std::size_t column = 0; column < first.size(); ++column) {
    const std::string_view text = first[column].text;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    if (number < 0 || (previous && number - 1 != *previous)) return false;
    previous = number;
  }
  return true;
}

CsvColumns choose_columns(const CsvRecord& first, bool has_header, const CsvOptions& options,
                          const std::string& name) {
  CsvColumns columns;
  columns.count = first.size();
  columns.first_line = first.line;
  if (has_header) {
    columns.names.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) columns.names.push_back(cell_text(first[i]));
    check_column_names(columns.names, first.line, name);
  }
  if (!options.group_column.empty()) {
    columns.group = find_column(options.group_column, columns, name);
  }
  if (!options.key_column.empty()) columns.key = find_column(options.key_column, columns, name);
  if (!options.weight_column.empty()) {
    columns.weight = find_column(options.weight_column, columns, name);
  }
  check_roles(columns, options, name);
  const bool names_many = options.columns.size() + options.expected_columns.size() > 1;
  if (names_many) columns.names.prepare_search();
  if (!options.all_text) columns.features = features_of(columns, options, name);
  if (options.keeps_others || options.all_text) {
    columns.others = all_but(columns.features, columns.group, columns.count);
  } else if (options.keeps_key && columns.key) {
    columns.others = {*columns.key};
  }
  if (columns.features.empty() && !options.all_text) {
    throw IoError(message(name, ": no columns except the ", columns.weight ? "weight, " : "",
                          columns.key ? "key and the group" : "group"));
  }
  return columns;
}

}  // namespace lbw
