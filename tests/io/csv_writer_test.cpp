// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <sstream>

#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

std::string written(const Table& table) {
  std::ostringstream stream;
  write_csv(stream, table);
  return stream.str();
}

TEST(WriteCsv, WritesHeaderNumbersAndGroupLast) {
  EXPECT_EQ(written({{"a", "b"}, RowMatrix{{1, 0.1}, {-2.5e-7, 1e300}}, "g", {"x", "y"}}),
            "a,b,g\n1,0.1,x\n-2.5e-07,1e+300,y\n");
  EXPECT_EQ(written({{}, RowMatrix{{1, 2}}, "", {}}), "1,2\n");
  EXPECT_EQ(written({{"a"}, RowMatrix(0, 1), "g", {}}), "a,g\n");
}

TEST(WriteCsv, QuotesWhatNeedsIt) {
  EXPECT_EQ(written({{"a,b", "c\"d", " e", "f;g", "h\ti", "", "plain"},
                     RowMatrix::Zero(1, 7),
                     "g\nh",
                     {"x\r"}}),
            "\"a,b\",\"c\"\"d\",\" e\",\"f;g\",\"h\ti\",\"\",plain,\"g\nh\"\n"
            "0,0,0,0,0,0,0,\"x\r\"\n");
}

// Without quotes, readers would take the file for JSON, HTML, XML or PDF.
TEST(WriteCsv, QuotesNamesThatLookLikeAnotherKindOfFile) {
  for (const std::string name : {"[[x", "{\"x", "<html", "<?xml", "%PDF-1", "sep=x", "SEP=x"}) {
    std::istringstream stream(written({{name, "b"}, RowMatrix{{1, 5}}, "", {}}));
    EXPECT_EQ(read_csv(stream, "a.csv").feature_names, (std::vector<std::string>{name, "b"}));
  }
}

TEST(WriteCsv, ReadsBackToTheSameBitsAndNames) {
  Random random(5);
  Table table{{"a,b", "\xEF\xBB\xBFmark", " c "}, RowMatrix(500, 3), "g\"r", {}};
  for (Index i = 0; i < table.values.size(); ++i) {
    double value = std::numeric_limits<double>::quiet_NaN();
    while (!std::isfinite(value)) value = std::bit_cast<double>(random.bits());
    table.values.data()[i] = value;
  }
  table.values(0, 0) = -0.0;
  table.values(0, 1) = std::numeric_limits<double>::denorm_min();
  table.values(0, 2) = std::numeric_limits<double>::max();
  for (Index i = 0; i < 500; ++i) table.groups.push_back(i % 2 ? "red; white" : " blue\n");
  const TemporaryFolder folder;
  write_csv(folder / "t.csv", table);
  const Table back = read_csv(folder / "t.csv", {.group_column = "g\"r"});
  EXPECT_EQ(back.feature_names, table.feature_names);
  EXPECT_EQ(back.group_column, table.group_column);
  EXPECT_EQ(back.groups, table.groups);
  ASSERT_EQ(back.values.size(), table.values.size());
  for (Index i = 0; i < table.values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back.values.data()[i]),
              std::bit_cast<std::uint64_t>(table.values.data()[i]));
  }
}

TEST(WriteCsv, RefusesTablesThatDoNotFitTogether) {
  const auto refused = [](const Table& table, const char* expected_message) {
    expect_error<InvalidArgument>([&] { (void)written(table); }, expected_message);
  };
  refused({{}, RowMatrix(3, 0), "", {}}, "write_csv: table has no columns");
  refused({{"a"}, RowMatrix::Zero(1, 2), "", {}},
          "write_csv: feature_names has 1 entry, expected 2");
  refused({{}, RowMatrix::Zero(2, 1), "", {"x"}}, "write_csv: groups has 1 entry, expected 2");
  refused({{}, RowMatrix::Zero(2, 1), "g", {}}, "write_csv: groups has 0 entries, expected 2");
  refused(
      {{}, RowMatrix{{1, 2}, {3, std::nan("")}}, "", {}},
      "write_csv: values contains nan at row 1, column 1 (counted from 0), expected finite values");
  refused({{std::string("a\0", 2)}, RowMatrix::Zero(1, 1), "", {}},
          "write_csv: a name contains a NUL byte, which CSV readers reject");
}

TEST(WriteCsv, KeepsTheOldFileWhenTheTableIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.file("t.csv", "old");
  EXPECT_THROW(write_csv(path, {{}, RowMatrix::Constant(1, 1, INFINITY), "", {}}), InvalidArgument);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(WriteCsv, ReportsAStreamThatCannotBeWritten) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "this system has no /dev/full";
  expect_error<IoError>(
      [&] {
        write_csv(full, {{}, RowMatrix::Zero(1, 1), "", {}});
      },
      "write_csv: cannot write to the stream; is the disk full?");
}

}  // namespace
}  // namespace lbw
