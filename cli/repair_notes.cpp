// SPDX-License-Identifier: MIT
#include "cli/repair_notes.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/io.hpp>
#include <lbw/options.hpp>
#include <lbw/types.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/read_table.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// Whether maps of the model depend on the keys of rows.
bool draws_at_random(const TransportModel& model) {
  return model.map == MapKind::random || model.dithers();
}

/// Labels with their type: whole numbers, or texts.
std::string labels_text(const std::vector<std::string>& labels) {
  Json values = Json::array();
  const bool whole = are_whole_numbers(labels);
  for (const std::string& label : labels) {
    if (whole) {
      values.push_back(*number_from<std::int64_t>(label));
    } else {
      values.push_back(label);
    }
  }
  return Json{{"type", whole ? "i" : "U"}, {"labels", values}}.dump();
}

/// "auto" or a number.
Json fraction_json(bool automatic, double amount) {
  return automatic ? Json("auto") : Json(amount);
}

/// The columns of X in terms of GroupRepair: the features and, in its place among them, the key.
void note_columns_of_x(Json& repair, const TransportModel& model, const GroupedTable& grouped) {
  std::vector<std::string> names = model.feature_names;
  if (grouped.key_place) {
    const auto first = grouped.table.places.begin();
    const auto position =
        std::count_if(first, first + model.n_features(),
                      [&grouped](std::size_t place) { return place < *grouped.key_place; });
    names.insert(names.begin() + position, grouped.key_name);
    repair["key_column"] = grouped.key_name;
    repair["key_positions"] = Json::array({position});
  }
  repair["n_features_in"] = names.size();
  repair["feature_names_in"] = names;
}

/// The protected columns. The names of those that Python found by position, such as 'column 2', are
/// not names of a table.
void read_protected_columns(const Json& repair, RepairNotes& notes) {
  const Json columns = repair.value("group_columns", Json());
  if (columns.is_null()) return;
  const Json known = repair.value("feature_names_in", Json());
  const Json& names = columns.at("names");
  const bool are_names =
      columns.value("named", true) || std::ranges::all_of(names, [&known](const Json& name) {
        return std::ranges::find(known, name) != known.end();
      });
  if (are_names) names.get_to(notes.protected_columns);
}

/// The column of keys: its name, or its position in a table that may have names.
void read_key_column(const Json& repair, RepairNotes& notes) {
  const Json key = repair.value("key_column", Json());
  if (key.is_null()) return;
  Json name = key;
  if (!key.is_string()) {
    const Json names = repair.value("feature_names_in", Json());
    const auto position = repair.at("key_positions").at(0).get<std::size_t>();
    name = position < names.size() ? names.at(position) : Json();
  }
  notes.has_unnamed_key = !name.is_string();
  if (name.is_string()) name.get_to(notes.key_column);
}

}  // namespace

void note_parameters(TransportModel& model, const TransportOptions& options) {
  const Json parameters = {
      {"dither", fraction_json(options.dither.automatic, options.dither.amount)},
      {"group_shrinkage",
       fraction_json(options.group_shrinkage.automatic, options.group_shrinkage.amount)},
      {"small_groups", to_string(options.small_groups)}};
  model.notes["parameters"] = parameters.dump();
}

void note_repair(TransportModel& model, const GroupedTable& grouped, double amount,
                 const std::vector<double>& weights, const TransportOptions& options) {
  Json values = Json::array();
  for (const auto& cells : grouped.protected_cells) {
    values.push_back(labels_text(distinct_labels(cells)));
  }
  Json repair = {
      {"amount", amount},
      {"weights", weights.empty() ? Json() : Json(weights)},
      {"group_columns", {{"names", grouped.protected_names}, {"values", values}, {"named", true}}}};
  note_columns_of_x(repair, model, grouped);
  model.notes["labels"] = labels_text(model.group_names);
  note_parameters(model, options);
  model.notes["repair"] = repair.dump();
}

RepairNotes repair_notes_of(const TransportModel& model, const std::string& path) {
  RepairNotes notes;
  notes.amounts.assign(model.group_names.size(), 1.0);
  const auto found = model.notes.find("repair");
  if (found == model.notes.end()) return notes;
  try {
    const Json repair = Json::parse(found->second);
    read_protected_columns(repair, notes);
    if (draws_at_random(model)) read_key_column(repair, notes);
    if (const Json amount = repair.value("amount", Json(1.0)); amount.is_array()) {
      amount.get_to(notes.amounts);
    } else {
      notes.amounts.assign(model.group_names.size(), amount.get<double>());
    }
    if (const Json weights = repair.value("weights", Json()); !weights.is_null()) {
      weights.get_to(notes.weights);
    }
  } catch (const Json::exception&) {
    throw IoError("cannot read '" + path + "': the entry 'repair' of its notes is damaged");
  }
  if (has_control_character(notes.key_column) ||
      std::ranges::any_of(notes.protected_columns, has_control_character)) {
    throw IoError("cannot read '" + path +
                  "': the entry 'repair' of its notes has the name of a column with a control "
                  "character");
  }
  const bool fits = notes.amounts.size() == model.group_names.size() &&
                    (notes.weights.empty() || notes.weights.size() == model.group_names.size());
  if (!fits) {
    throw IoError("cannot read '" + path +
                  "': the entry 'repair' of its notes does not have one "
                  "amount and one weight per group");
  }
  return notes;
}

std::string noted_key_column(const RepairNotes& notes, const std::string& path) {
  if (!notes.has_unnamed_key) return notes.key_column;
  throw UsageError(spoken_path(path) +
                   " does not say which column holds the keys of rows, on which random draws "
                   "depend; name it with --key");
}

void use_noted_key(const TransportModel& model, const std::string& path,
                   const std::vector<std::string>& tables, CsvOptions& options, const Say& say) {
  if (!options.key_column.empty()) return;
  options.key_column = noted_key_column(repair_notes_of(model, path), path);
  if (options.key_column.empty()) return;
  const auto npy = std::ranges::find_if(tables, is_npy);
  if (npy != tables.end()) {
    throw UsageError("the random draws of " + spoken_path(path) +
                     " depend on keys in the column '" + options.key_column + "', which " + *npy +
                     " does not have; give a CSV file with this column");
  }
  say("the keys of rows are in the column '" + options.key_column + "', as in the fit of " +
      spoken_path(path) + "; choose another column with --key");
}

void check_refined_weights(const TransportModel& model, const std::vector<double>& weights) {
  const std::vector<double>& refined = model.refinement.barycentric_weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto agree = [sum](double own, double weight) {
    return std::abs(own - weight / sum) <= 1e-9;
  };
  if (model.refinement.empty() ||
      std::equal(refined.begin(), refined.end(), weights.begin(), agree)) {
    return;
  }
  std::vector<std::string> texts;
  for (const double weight : refined) texts.push_back(to_text(weight));
  throw UsageError("--weights differ from those of the repair, " + short_list(texts) +
                   "; omit them, or fit a repair with these --weights");
}

}  // namespace lbw::cli
