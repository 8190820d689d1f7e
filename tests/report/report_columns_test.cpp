// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/report.hpp>
#include <set>

namespace lbw {
namespace {

template <typename Row>
ReportCell cell_of(const Row& row, std::string_view name) {
  const auto columns = report_columns<Row>();
  const auto found = std::ranges::find(columns, name, &ReportColumn<Row>::name);
  return found == columns.end() ? ReportCell("no such column") : found->cell(row);
}

TEST(ReportColumns, HaveDistinctNamesAndCellsOfTheirType) {
  Report report;
  report.components.resize(1);
  report.pairs.resize(1);
  report.pairs.front().matching = MatchingReport();
  report.carries.resize(1);
  report.carries.front().to = "b";
  report.carries.front().before = report.carries.front().after = SlicedDistance();
  report.carries.front().after->null.n_permutations = 9;
  report.carries.front().after_limit = 1.0;
  report.separations.resize(1);
  report.separations.front().after.null.n_permutations = 9;
  report.separations.front().distance_after.null.n_permutations = 9;
  report.separations.front().distance_limit = 1.0;
  report.verdict.resize(1);
  // by the type of the column: the position of the cell's alternative in ReportCell
  const std::size_t alternative[] = {4, 1, 2, 3, 4, 5};
  visit_tables(report, [&]<typename Row>(std::string_view table, const std::vector<Row>& rows) {
    std::set<std::string_view> names;
    for (const ReportColumn<Row>& column : report_columns<Row>()) {
      EXPECT_TRUE(names.insert(column.name).second) << table << "." << column.name;
      EXPECT_EQ(column.cell(rows.front()).index(), alternative[static_cast<int>(column.type)])
          << table << "." << column.name;
    }
  });
}

TEST(ReportColumns, AreEmptyWhereAQuantityDoesNotApply) {
  const ReportCell empty;
  EXPECT_EQ(cell_of(PairReport(), "matching_cost"), empty);
  EXPECT_EQ(cell_of(PairReport(), "matching"), empty);
  EXPECT_EQ(cell_of(CarryReport(), "to"), empty);
  EXPECT_EQ(cell_of(CarryReport(), "sliced_after"), empty);
  EXPECT_EQ(cell_of(CarryReport(), "sliced_after_p_value"), empty);
  CarryReport carry;
  carry.after = SlicedDistance{0.5, {}};
  EXPECT_EQ(cell_of(carry, "sliced_after"), ReportCell(0.5));
  EXPECT_EQ(cell_of(carry, "sliced_after_p_value"), empty);  // no permutations
  EXPECT_EQ(cell_of(SeparationReport(), "sliced_after_limit"), empty);
}

TEST(ReportColumns, ReturnTheMembersTheyName) {
  CarryReport carry;
  carry.displacement = {100, 1.5, 3.0, 4.0, 0.5};
  EXPECT_EQ(cell_of(carry, "n_samples"), ReportCell(Index{100}));
  EXPECT_EQ(cell_of(carry, "rms_displacement"), ReportCell(1.5));
  EXPECT_EQ(cell_of(carry, "largest_displacement"), ReportCell(3.0));
  EXPECT_EQ(cell_of(carry, "out_of_proportion"), ReportCell(true));
  PairReport pair;
  pair.matching = MatchingReport{true, {}, 0.0, 0.0, 2.0, 5.0, 0.25};
  EXPECT_EQ(cell_of(pair, "is_coupling"), ReportCell(true));
  EXPECT_EQ(cell_of(pair, "matching_cost"), ReportCell(2.0));
  EXPECT_EQ(cell_of(pair, "matching_total"), ReportCell(5.0));
  EXPECT_EQ(cell_of(pair, "runner_up_gap"), ReportCell(0.25));
}

}  // namespace
}  // namespace lbw
