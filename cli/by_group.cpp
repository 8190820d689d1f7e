// SPDX-License-Identifier: MIT
#include "cli/by_group.hpp"

#include <algorithm>
#include <lbw/options.hpp>
#include <lbw/types.hpp>
#include <limits>

#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/read_table.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// Transports rows of groups that are not in the model.
RowMatrix transport_unknown(const TransportModel& model, const RowMatrix& points,
                            const std::vector<std::uint64_t>& keys, const GroupTransport& how) {
  if (how.handle_unknown == UnknownGroup::ignore) return points;
  const RowMatrix probabilities = group_probabilities(model, points, how.execution);
  RowMatrix mean = RowMatrix::Zero(points.rows(), points.cols());
  for (Index g = 0; g < model.n_groups(); ++g) {
    const std::string& group = model.group_names[static_cast<std::size_t>(g)];
    mean += probabilities.col(g).asDiagonal() *
            transported_points(how.map_from(group), points, keys, how);
  }
  return mean;
}

}  // namespace

std::vector<Index> complete_rows(const Table& table) {
  std::vector<Index> rows;
  for (Index row = 0; row < table.values.rows(); ++row) {
    if (table.values.row(row).allFinite()) rows.push_back(row);
  }
  return rows;
}

RowMatrix transport_complete(const Table& table,
                             const std::function<RowMatrix(const Table& complete)>& transport) {
  const std::vector<Index> rows = complete_rows(table);
  if (std::ssize(rows) == table.values.rows()) return transport(table);
  RowMatrix transported = RowMatrix::Constant(table.values.rows(), table.values.cols(),
                                              std::numeric_limits<double>::quiet_NaN());
  if (rows.empty()) return transported;
  Table complete;
  complete.values = rows_at(table.values, rows);
  complete.keys = values_at(table.keys, rows);
  complete.groups = values_at(table.groups, rows);
  transported(rows, Eigen::all) = transport(complete);
  return transported;
}

std::string missing_warning(const Table& table, const std::string& path,
                            const std::string& consequence) {
  const Index n_missing = table.values.rows() - std::ssize(complete_rows(table));
  if (n_missing == 0) return "";
  return "warning: " + spoken_path(path) + ": " + to_text(n_missing) + " of " +
         counted(table.values.rows(), "row") +
         (n_missing == 1 ? " has missing values; " : " have missing values; ") + consequence;
}

void refuse_unknown_group(const TransportModel& model, const Table& table, Index row,
                          const GroupTransport& how) {
  const std::string& group = table.groups[static_cast<std::size_t>(row)];
  throw InvalidArgument(how.place + " contains '" + shortened(group) + "' in row " +
                        to_text(row + 1) + ", the model has " + quoted_list(model.group_names) +
                        suggestion(group, model.group_names) +
                        "; --handle-unknown ignore leaves such rows unchanged, --handle-unknown "
                        "barycenter transports them by the maps of the groups they resemble");
}

std::vector<Index> rows_of_unknown_groups(const TransportModel& model, const Table& table) {
  std::vector<Index> rows;
  for (std::size_t row = 0; row < table.groups.size(); ++row) {
    const auto known = std::ranges::find(model.group_names, table.groups[row]);
    const bool is_missing = !table.values.row(static_cast<Index>(row)).allFinite();
    if (known == model.group_names.end() && !is_missing) rows.push_back(static_cast<Index>(row));
  }
  return rows;
}

RowMatrix transported_points(const LocalMap& map, SampleView points,
                             const std::vector<std::uint64_t>& keys, const GroupTransport& how) {
  return how.inverse ? inverse_transport(map, points, how.execution)
                     : transport(map, points, how.execution, keys);
}

RowMatrix transport_by_group(const TransportModel& model, const Table& table,
                             const GroupTransport& how) {
  const std::vector<Index> unknown = rows_of_unknown_groups(model, table);
  if (!unknown.empty() && how.handle_unknown == UnknownGroup::error) {
    refuse_unknown_group(model, table, unknown.front(), how);
  }
  RowMatrix transported(table.values.rows(), table.values.cols());
  Progress progress(how.quiet);
  Index n_done = 0;
  for (const std::string& group : model.group_names) {
    const std::vector<Index> rows = rows_of_group(table, group);
    if (rows.empty()) continue;
    progress.show(to_text(n_done) + " of " + counted(table.values.rows(), "row") + " transported",
                  static_cast<double>(n_done) / static_cast<double>(table.values.rows()));
    const RowMatrix points = rows_at(table.values, rows);
    transported(rows, Eigen::all) =
        transported_points(how.map_from(group), points, values_at(table.keys, rows), how);
    n_done += std::ssize(rows);
    stop_if_interrupted();
  }
  if (!unknown.empty()) {
    transported(unknown, Eigen::all) = transport_unknown(model, rows_at(table.values, unknown),
                                                         values_at(table.keys, unknown), how);
  }
  return transported;
}

}  // namespace lbw::cli
