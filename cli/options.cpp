// SPDX-License-Identifier: MIT
#include "cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lbw/suggestion.hpp>
#include <lbw/types.hpp>
#include <optional>

#include "cli/input.hpp"
#include "cli/repair_notes.hpp"

namespace lbw::cli {

namespace {

constexpr const char* names_with_commas = "; names that contain commas need double quotes";

const std::vector<std::string> delimiter_names = {"comma", "semicolon", "tab", "space",
                                                  "whitespace"};
const std::vector<std::string> decimal_names = {"point", "comma"};
const std::vector<std::string> missing_names = {"error", "skip"};

/// The character of an escape such as \x1f.
std::optional<char> escaped_character(const std::string& text) {
  constexpr int hexadecimal = 16;
  if (text.size() != 4 || !text.starts_with("\\x")) return std::nullopt;
  int code = 0;
  const auto [end, error] = std::from_chars(&text[2], text.data() + text.size(), code, hexadecimal);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<char>(code);
}

char delimiter_from(const std::string& text) {
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text == "whitespace") return any_whitespace;
  const std::optional<char> given =
      text.size() == 1 ? std::optional(text.front()) : escaped_character(text);
  if (given && is_csv_delimiter(*given)) return *given;
  throw UsageError("--delimiter is '" + text +
                   "', expected comma, semicolon, tab, space, whitespace, or one ASCII character "
                   "such as '|' or '\\x01' that is neither a letter nor part of numbers or quotes" +
                   suggestion(text, delimiter_names));
}

char decimal_from(const std::string& text) {
  if (text == "." || text == "point") return '.';
  if (text == "," || text == "comma") return ',';
  throw UsageError("--decimal is '" + text + "', expected a point or a comma" +
                   suggestion(text, decimal_names));
}

void check_marks(const CsvOptions& options) {
  if (options.delimiter != options.decimal) return;
  throw UsageError(
      "--delimiter and --decimal are both ',', expected another delimiter, such as ';'");
}

MissingValues missing_from(const std::string& text) {
  if (text == "error") return MissingValues::error;
  if (text == "skip") return MissingValues::skip;
  throw UsageError("--missing is '" + text + "', expected error or skip" +
                   suggestion(text, missing_names));
}

GroupNumbers<double> weights_from(const std::string& text, const std::string& name) {
  const std::optional<GroupNumbers<double>> weights = group_numbers_from<double>(text);
  if (weights) {
    const auto is_weight = [](double weight) { return weight >= 0.0 && std::isfinite(weight); };
    const bool are_weights = std::ranges::all_of(weights->numbers, is_weight);
    if (are_weights && std::ranges::max(weights->numbers) > 0.0) return *weights;
    throw UsageError(name + " is '" + text + "', expected numbers >= 0, at least one above 0");
  }
  throw UsageError(name + " is '" + text +
                   "', expected numbers separated by commas, such as .5,.5, or one number per "
                   "group by name, such as a=.5,b=.5");
}

/// @throws UsageError  if a column is empty or its quotes are not closed
std::vector<std::string> columns_from(const std::string& text, const std::string& option) {
  std::vector<std::string> columns;
  for (const std::string& part : split_list(text)) {
    columns.push_back(unquoted(part).value_or(""));
    if (!columns.back().empty()) continue;
    throw UsageError(option + " is '" + text +
                     "', expected names or numbers separated by commas, with names that contain "
                     "commas in double quotes");
  }
  return columns;
}

}  // namespace

void add_columns_option(Command& command, const HelpEntry& entry,
                        std::vector<std::string>& columns) {
  HelpEntry shown = entry;
  shown.help += names_with_commas;
  const std::string option = entry.names.substr(0, entry.names.find(','));
  command.add(
      shown, [&columns, option](const std::string& text) { columns = columns_from(text, option); });
}

void add_common_options(Command& command, CommonOptions& options, const std::string& json_text) {
  command.add_flag({"-q,--quiet", "Print only errors on standard error"},
                   [&options] { options.quiet = true; });
  command.add_flag({"--json", json_text}, [&options] { options.json = true; });
  command.add(integer_option(
      "threads", options.execution.n_threads, {.least = 0, .most = 4096},
      "Maximum number of threads; 0 means one per core. Results do not depend on it"));
}

void add_notation_options(Command& command, CsvOptions& options, const std::string& delimiter_text,
                          const std::string& decimal_text) {
  command.add({"--delimiter", delimiter_text, "NAME", "", false, delimiter_names},
              [&options](const std::string& text) {
                options.delimiter = delimiter_from(text);
                check_marks(options);
              });
  command.add({"--decimal", decimal_text, "MARK", ".", false, decimal_names},
              [&options](const std::string& text) {
                options.decimal = decimal_from(text);
                check_marks(options);
              });
}

void add_table_options(Command& command, CsvOptions& options) {
  add_notation_options(
      command, options,
      "Delimiter of CSV cells: comma, semicolon, tab, space, whitespace for runs of spaces and "
      "tabs, or another ASCII character, such as | or \\x01; by default a comma, semicolon or tab "
      "is "
      "detected. CSV output has the delimiter and the decimal mark that are given",
      "Decimal mark of CSV, a point or a comma; cells are separated by semicolons or tabs then");
  command.add({"--missing",
               "For rows with missing values (empty cells, NA, NaN, NULL, ?), raise an error, or "
               "skip them: fits leave them out, and outputs have empty cells in their place",
               "NAME", "error", false, missing_names},
              [&options](const std::string& text) { options.missing = missing_from(text); });
  command.add_flag(
      {"--header", "Treat the first line as column names, even if all of them are numbers"},
      [&options] { options.header = CsvHeader::present; });
  command.add_flag(
      {"--no-header", "Treat the first line as data; columns are then numbered from 1"},
      [&options] { options.header = CsvHeader::absent; });
  command.exclude("--header", "--no-header");
  command.add_flag(
      {"--quoted-text", "Treat cells in quotes as text, even if they look like numbers"},
      [&options] { options.quoted_is_text = true; });
}

void add_csv_options(Command& command, CsvOptions& options, const std::string& group_text) {
  add_table_options(command, options);
  add_columns_option(
      command,
      {"--columns", "Feature columns to use, in this order, by name or by number from 1",
       "A,B,..."},
      options.columns);
  command.add({"--group-column", group_text, "NAME"}, options.group_column);
}

void check_names_of_files(const std::vector<std::string>& files, const CsvOptions& options) {
  if (options.group_column.empty()) return;
  for (const NamedPath& path : named_paths(files)) {
    if (std::ranges::find(files, path.path) != files.end()) continue;
    throw UsageError("the name '" + path.name + "' of " + path.path +
                     " has no effect with --group-column, which contains the names of the groups; "
                     "give only the path");
  }
}

void add_key_option(Command& command, CsvOptions& options) {
  command.add({"--key",
               "Column with a key that identifies each row, such as a customer number; it is not a "
               "feature. The random draws of a row depend on its values and its key. By default, "
               "the key of a row is its number among equal rows",
               "NAME"},
              options.key_column);
}

void add_weight_option(Command& command, CsvOptions& options) {
  command.add({"--weight-column",
               "Column with the weight of each row, a number >= 0; it is not a feature. A row of "
               "weight 2 counts as two rows, and a row of weight 0 is ignored",
               "NAME"},
              options.weight_column);
}

void add_mixture_options(Command& command, MixtureOptions& options) {
  for (const Option& option : options_of(options)) {
    if (option.name == "n_components") continue;
    const bool is_type = option.name == "covariance_type";
    command.add(option, is_type ? "--covariance-type,--covariance" : "");
  }
}

void add_transport_options(Command& command, TransportOptions& options) {
  for (const Option& option : options_of(options)) command.add(option);
}

void add_coupling_options(Command& command, TransportOptions& options) {
  const std::vector<Option> all = options_of(options);
  for (const char* name : {"coupling", "cost", "map", "scale_features"}) {
    command.add(find_option(all, name));
  }
}

void add_refine_weights_option(Command& command, GroupNumbers<double>& weights) {
  command.add(
      {"--refine-weights",
       std::string("Weight of each group in the barycenter of --refine, by name or in the order of "
                   "the groups, divided by their sum; equal by default") +
           names_with_commas,
       "A=W1,B=W2,..."},
      [&weights](const std::string& text) { weights = weights_from(text, "--refine-weights"); });
}

void add_weights_option(Command& command, GroupNumbers<double>& weights) {
  command.add({"-w,--weights",
               std::string("Weight of each group in the barycenter, by name or in the model's "
                           "order, divided by their sum; by default those of the model's "
                           "refinement or repair, or equal") +
                   names_with_commas,
               "A=W1,B=W2,..."},
              [&weights](const std::string& text) { weights = weights_from(text, "--weights"); });
}

std::vector<double> weights_or_default(const GroupNumbers<double>& weights,
                                       const TransportModel& model) {
  if (!weights.empty()) return in_order_of_groups(weights, "--weights", model.group_names);
  if (!model.refinement.empty()) return model.refinement.barycentric_weights;
  if (const RepairNotes notes = repair_notes_of(model, "the model"); !notes.weights.empty()) {
    return notes.weights;
  }
  return std::vector<double>(model.group_names.size(), 1.0 / static_cast<double>(model.n_groups()));
}

}  // namespace lbw::cli
