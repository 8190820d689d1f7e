// SPDX-License-Identifier: MIT
// Transport of tables whose rows belong to different groups.
#pragma once

#include <cstdint>
#include <functional>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <string>
#include <vector>

namespace lbw::cli {

struct GroupTransport {
  std::function<LocalMap(const std::string& group)> map_from;
  UnknownGroup handle_unknown = UnknownGroup::error;
  bool inverse = false;
  bool quiet = false;
  std::string place;  ///< the column of the groups, for messages: "table.csv: column 'sex'"
  Execution execution = {};
};

/// The rows without missing values.
[[nodiscard]] std::vector<Index> complete_rows(const Table& table);

/// Applies a transport to the rows without missing values. The features of the others become NaN,
/// because each of them depends on all features.
[[nodiscard]] RowMatrix transport_complete(
    const Table& table, const std::function<RowMatrix(const Table& complete)>& transport);

/// "warning: table.csv: 3 of 10 rows have missing values; ..."; empty if no row has.
[[nodiscard]] std::string missing_warning(const Table& table, const std::string& path,
                                          const std::string& consequence);

/// The rows without missing values whose group is not in the model.
[[nodiscard]] std::vector<Index> rows_of_unknown_groups(const TransportModel& model,
                                                        const Table& table);

/// @throws InvalidArgument  naming the group of a row that is not in the model
[[noreturn]] void refuse_unknown_group(const TransportModel& model, const Table& table, Index row,
                                       const GroupTransport& how);

[[nodiscard]] RowMatrix transported_points(const LocalMap& map, SampleView points,
                                           const std::vector<std::uint64_t>& keys,
                                           const GroupTransport& how);

/// Transports each row of a table from its own group.
[[nodiscard]] RowMatrix transport_by_group(const TransportModel& model, const Table& table,
                                           const GroupTransport& how);

}  // namespace lbw::cli
