// SPDX-License-Identifier: MIT
// The notes of a fit or repair in a model file. Python's estimators read and write the same ones.
#pragma once

#include <lbw/fit_transport.hpp>
#include <string>
#include <vector>

#include "cli/grouped_table.hpp"

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

}  // namespace lbw::cli
