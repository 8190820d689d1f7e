// SPDX-License-Identifier: MIT
// The first line of a table that consists of whole numbers is its names or its first row.
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliRepairHeader, NumbersThatMayBeNamesAreRefused) {
  const Workbench bench;
  std::string table = "2,1,4\n";
  for (int i = 0; i < 100; ++i) {
    table += std::to_string(i % 2) + "," + std::to_string(i / 7 % 2) + "," +
             std::to_string(i % 13 + 2 * (i % 2)) + ".5\n";
  }
  bench.write("t.csv", table);
  const ProgramResult result = bench.lbw({"repair", "t.csv", "--protected", "2", "-o", "o.csv"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "lbw repair: --protected is 2, which the first line of t.csv contains in another "
            "column. It consists of different whole numbers, which may be column names; add "
            "--header if it has names, "
            "or --no-header if it is data\nTry 'lbw repair --help'.\n");
  EXPECT_FALSE(bench.names().contains("o.csv"));
  for (const char* header : {"--header", "--no-header"}) {
    const ProgramResult said =
        bench.lbw({"repair", "t.csv", "--protected", "2", header, "-q", "-o", "o.csv"});
    EXPECT_EQ(said.exit_code, 0) << said.err;
  }
}

TEST(CliRepairHeader, AFirstRowOfWholeNumbersIsData) {
  const Workbench bench;
  std::string rows;
  for (int i = 0; i < 200; ++i) {
    rows += std::to_string(i % 2) + "," + std::to_string(20 + i % 31) + "," +
            std::to_string(i % 13 + 2 * (i % 2)) + "\n";
  }
  // the number of the protected column is in it, or is a value of another column
  for (const auto& [first, column] : {std::pair{"1,34,5\n", "1"}, {"0,34,1\n", "1"}}) {
    bench.write("t.csv", first + rows);
    const ProgramResult result =
        bench.lbw({"repair", "t.csv", "--protected", column, "-q", "-o", "o.csv"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(read_csv(bench / "o.csv").values.rows(), 201);
  }
}

}  // namespace
}  // namespace lbw
