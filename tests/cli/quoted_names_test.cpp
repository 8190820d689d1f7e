// SPDX-License-Identifier: MIT
// Names that contain commas in lists of columns and groups: double quotes, as in CSV.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <nlohmann/json.hpp>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

using Names = std::vector<std::string>;

/// 60 rows of the columns `a,b`, `say "hi"`, x and `g,h`, which has two groups.
void write_rows(const Workbench& bench) {
  std::string rows = "\"a,b\",\"say \"\"hi\"\"\",x,\"g,h\"\n";
  for (int i = 0; i < 60; ++i) {
    rows += std::to_string(i % 7 + 5 * (i % 2)) + "," + std::to_string(i % 11) + ".5," +
            std::to_string(i * i % 13) + ".25," + (i % 2 == 0 ? "\"A,1\"\n" : "B\n");
  }
  bench.write("rows.csv", rows);
}

TEST(CliQuotedNames, ColumnsOfAFitMayContainCommasAndQuotes) {
  const Workbench bench;
  write_rows(bench);
  const auto names_with = [&](const std::string& columns) {
    const ProgramResult result = bench.lbw(
        {"fit", "rows.csv", "--group-column", "g,h", "-k", "1", "--columns", columns, "-o", "m"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return load_model(bench / "m").feature_names;
  };
  EXPECT_EQ(names_with(R"("a,b",x)"), (Names{"a,b", "x"}));
  EXPECT_EQ(names_with(R"(x,"a,b")"), (Names{"x", "a,b"}));
  EXPECT_EQ(names_with(R"("x")"), Names{"x"});
  EXPECT_EQ(names_with(R"("say ""hi""","a,b")"), (Names{"say \"hi\"", "a,b"}));
  EXPECT_EQ(names_with(R"(say "hi",x)"), (Names{"say \"hi\"", "x"}));  // a quote within a name
}

TEST(CliQuotedNames, ListsOfARepairMayContainCommas) {
  const Workbench bench;
  write_rows(bench);
  const nlohmann::json report =
      bench.lbw_json({"repair", "rows.csv", "--protected", R"("g,h")", "--except", R"("a,b",x)",
                      "--permutations", "0", "--json", "-o", "out.csv"});
  EXPECT_EQ(report.at("protected"), std::vector<std::string>{"g,h"});
  ASSERT_EQ(report.at("columns").size(), 1U);
  EXPECT_EQ(bench
                .lbw({"score", "rows.csv", "--protected", R"("g,h")", "--score", "a,b",
                      "--permutations", "0", "--bootstraps", "0"})
                .exit_code,
            0);
}

TEST(CliQuotedNames, GroupsWithNumbersMayContainCommas) {
  const Workbench bench;
  write_rows(bench);
  ASSERT_EQ(bench
                .lbw({"fit", "rows.csv", "--group-column", "g,h", "--components", R"(B=2,"A,1"=1)",
                      "-o", "m"})
                .exit_code,
            0);
  EXPECT_EQ(load_model(bench / "m").mixtures[0].n_components(), 1);
  EXPECT_EQ(load_model(bench / "m").mixtures[1].n_components(), 2);
  const auto barycenter = [&](const std::string& weights) {
    return bench.lbw({"barycenter", "m", "--weights", weights}).out;
  };
  EXPECT_EQ(barycenter(R"("A,1"=1,B=3)"), barycenter("1,3"));
  EXPECT_NE(barycenter(R"("A,1"=3,B=1)"), barycenter("1,3"));
}

TEST(CliQuotedNames, QuotesMustBeClosed) {
  const Workbench bench;
  write_rows(bench);
  for (const std::string columns : {R"("a,b)", R"("a,b"c,x)", R"("a"b")", R"("",x)", R"(")"}) {
    expect_refused(
        bench, {{{"fit", "rows.csv", "--group-column", "g,h", "--columns", columns, "-o", "m"},
                 2,
                 "--columns is '" + columns +
                     "', expected names or numbers separated by commas, with names that contain "
                     "commas in double quotes"}});
  }
  expect_refused(bench, {{{"barycenter", "m", "--weights", R"("A,1=1,B=3)"},
                          2,
                          "--weights is '\"A,1=1,B=3', expected numbers separated by commas, such "
                          "as .5,.5, or one number per group by name, such as a=.5,b=.5"}});
}

// The list of the message can be typed as it is.
TEST(CliQuotedNames, MessagesQuoteTheNames) {
  const Workbench bench;
  bench.write("first.csv", "\"a,b\",it's\n1,2\n3,4\n5,7\n");
  bench.write("second.csv", "\"a,b\",it's,z\n1,2,3\n3,4,5\n5,7,8\n");
  expect_refused(bench, {{{"fit", "first.csv", "second.csv", "-o", "m"},
                          1,
                          "second.csv has an unexpected column 'z' (first.csv has 'a,b', 'it's'); "
                          "choose with --columns '\"a,b\",it'\\''s'"}});
}

}  // namespace
}  // namespace lbw
