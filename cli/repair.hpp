// SPDX-License-Identifier: MIT
// What lbw repair does to a table, and what it warns of.
#pragma once

#include <cstddef>
#include <lbw/fit_transport.hpp>
#include <lbw/parity.hpp>
#include <string>
#include <vector>

#include "cli/grouped_table.hpp"
#include "cli/options.hpp"
#include "cli/repair_report.hpp"

namespace lbw::cli {

struct RepairCommand {
  CommonOptions common;
  CsvOptions csv;
  ColumnWishes wishes;
  TransportOptions transport;
  GroupNumbers<double> weights;
  double amount = 1.0;
  bool has_amount = false;
  UnknownGroup handle_unknown = UnknownGroup::error;
  int n_permutations = ParityOptions{}.n_permutations;
  std::string table;
  std::string model;       ///< of an earlier repair; empty to fit one
  std::string save_model;  ///< empty if the model is not saved
  std::string output;
};

/// The options of Python's GroupRepair.
[[nodiscard]] TransportOptions repair_options();

/// Fits a repair to all rows of a table.
[[nodiscard]] TransportModel fit_repair(const RepairCommand& command, const GroupedTable& grouped);

/// Prints what the repair cannot do: groups of few rows, columns of text, identifiers, large
/// displacements. `was_fitted` to this table, or before.
void warn_of_repair(const RepairCommand& command, const TransportModel& model,
                    const GroupedTable& grouped);
/// Prints how many rows belong to no group of the model, and returns their number.
std::ptrdiff_t warn_of_unknown(const RepairCommand& command, const TransportModel& model,
                               const GroupedTable& grouped);
/// Prints a warning if the groups can still be told apart.
/// @param least_amount  of the repair of any group
void warn_of_separation(const RepairCommand& command, const TransportModel& model,
                        double least_amount, const RepairReport& report);

/// Warns of columns in which the groups differ clearly more after the repair than before.
void warn_of_worse_columns(const RepairCommand& command, const RepairReport& report);

}  // namespace lbw::cli
