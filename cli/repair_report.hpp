// SPDX-License-Identifier: MIT
// Parity before and after a repair.
#pragma once

#include <lbw/parity.hpp>
#include <lbw/report.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"

namespace lbw::cli {

/// The distance of the groups in one column.
struct ColumnParity {
  std::string name;
  double before = 0.0;
  Parity after;
};

/// How well the nearest neighbours in all columns separate a group from the others.
struct GroupSeparation {
  std::string group;
  Separation before;
  Separation after;

  /// How far the AUC after the repair is from 0.5, on either side.
  [[nodiscard]] double distance_from_chance() const;
  /// Whether that is farther than the null distribution explains; false without one.
  [[nodiscard]] bool exceeds_noise() const;
};

struct RepairReport {
  std::vector<std::string> groups;
  std::vector<Index> sizes;
  std::vector<ColumnParity> columns;
  std::vector<GroupSeparation> separations;  ///< of groups of 10 rows or more

  /// The group whose AUC after the repair is farthest from 0.5; null if none was measured.
  [[nodiscard]] const GroupSeparation* worst() const;
};

struct ReportInput {
  const RowMatrix& before;
  const RowMatrix& after;
  std::vector<int> codes;  ///< the group of each row; rows of -1 are not measured
  std::vector<std::string> groups;
  std::vector<std::string> columns;
};

/// Measures columns by their Kolmogorov-Smirnov distance. Empty if the rows belong to fewer than
/// two groups.
[[nodiscard]] std::optional<RepairReport> repair_report(const ReportInput& input,
                                                        const ParityOptions& options,
                                                        const Execution& execution, bool quiet);

[[nodiscard]] std::string describe(const RepairReport& report);
[[nodiscard]] Json to_json(const RepairReport& report);

}  // namespace lbw::cli
