// SPDX-License-Identifier: MIT
// The notes of a fit or repair in a model file. Python's estimators read and write the same ones.
#pragma once

#include <lbw/fit_transport.hpp>
#include <string>
#include <vector>

#include "cli/grouped_table.hpp"
#include "cli/input.hpp"

namespace lbw::cli {

struct RepairNotes {
  std::vector<std::string> protected_columns;  ///< empty if unknown
  std::vector<double> amounts;                 ///< one per group of the model
  std::vector<double> weights;                 ///< of the barycenter, one per group; or empty
  std::string key_column;                      ///< of the keys of rows; empty if there is none
  bool has_unnamed_key = false;                ///< the fit had keys in a column without a name
};

/// Notes the options of a fit that do not follow from its model. Python's `load` reads them.
void note_parameters(TransportModel& model, const TransportOptions& options);

/// Adds the notes of a repair to its model.
void note_repair(TransportModel& model, const GroupedTable& grouped, double amount,
                 const std::vector<double>& weights, const TransportOptions& options);

/// The notes of a model; without any, the amount is 1.
/// @throws IoError  if they are damaged; `path` is used in the message
[[nodiscard]] RepairNotes repair_notes_of(const TransportModel& model, const std::string& path);

/// The column of keys of a repair; empty if it has none.
/// @throws UsageError  asking for --key if the column has no name
[[nodiscard]] std::string noted_key_column(const RepairNotes& notes, const std::string& path);

/// Sets the column of keys of these tables to that of the model, with a note to the user, unless
/// --key was given.
/// @throws UsageError  if a table is NPY, which has no column of keys
void use_noted_key(const TransportModel& model, const std::string& path,
                   const std::vector<std::string>& tables, CsvOptions& options, const Say& say);

/// @throws UsageError  if the steps of the model's refinement were fitted for other weights
void check_refined_weights(const TransportModel& model, const std::vector<double>& weights);

}  // namespace lbw::cli
