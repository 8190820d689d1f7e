// SPDX-License-Identifier: MIT
// lbw repair. Its results are compared with Python's GroupRepair in python/tests.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <sstream>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

/// 400 rows: an identifier, a text, two features that differ by sex, and sex.
std::string people(const std::string& header = "id,town,x,sex,y\n") {
  std::string rows = header;
  for (int i = 0; i < 400; ++i) {
    const int sex = i % 2;
    const double x = std::sin(12.9898 * i) * 43758.5453;
    const double y = std::sin(78.233 * i) * 12345.678;
    rows += std::to_string(9000 + 3 * i) + "," + (i % 3 == 0 ? "\"Bonn, West\"" : "Ulm") + "," +
            std::to_string(2.0 * sex + x - std::floor(x)) + "," + (sex == 0 ? "f" : "m") + "," +
            std::to_string((1.0 + sex) * (y - std::floor(y))) + "\n";
  }
  return rows;
}

/// A line of a report: the words of the line that starts with `name`.
std::vector<std::string> line_of(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + " ");
  std::vector<std::string> words;
  if (at == std::string::npos) return words;
  std::istringstream line(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

TEST(CliRepair, RemovesTheDifferenceAndKeepsOtherColumns) {
  const Workbench bench;
  bench.write("people.csv", people());
  const ProgramResult result =
      bench.lbw({"repair", "people.csv", "--protected", "sex", "--except", "id", "-o", "out.csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const CsvOptions text{.group_column = "sex", .columns = {"x", "y"}, .keeps_others = true};
  const Table before = read_csv(bench / "people.csv", text);
  const Table after = read_csv(bench / "out.csv", text);
  EXPECT_EQ(after.places, before.places);
  EXPECT_EQ(after.groups, before.groups);
  for (std::size_t i = 0; i < before.others.count; ++i) {
    EXPECT_EQ(after.others.column(i), before.others.column(i)) << before.others.name(i);
  }
  const std::vector<std::string> x = line_of(result.out, "x");
  ASSERT_GE(x.size(), 4U) << result.out;
  EXPECT_EQ(x[1], "1.000");  // the groups do not overlap before the repair
  EXPECT_LT(std::stod(x[2]), 0.1);
  EXPECT_NEAR(std::stod(x[3]), 1.36 * std::sqrt(2.0 / 200.0), 0.03);  // Smirnov's 95 % quantile
  EXPECT_NE(result.err.find("'town'"), std::string::npos) << result.err;
}

TEST(CliRepair, LeavesRowsWithMissingValuesEmpty) {
  const Workbench bench;
  bench.write("holes.csv", people() + "1,Ulm,NA,f,0.5\n2,Ulm,0.5,,0.5\n");
  const std::vector<std::string> command = {"repair",   "holes.csv", "--protected", "sex",
                                            "--except", "id",        "-o",          "out.csv"};
  const ProgramResult refused = bench.lbw(command);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("--missing skip"), std::string::npos) << refused.err;
  std::vector<std::string> skipping = command;
  skipping.insert(skipping.end(), {"--missing", "skip"});
  const ProgramResult result = bench.lbw(skipping);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("2 of 402 rows have missing values"), std::string::npos) << result.err;
  const std::string out = bench.bytes("out.csv");
  EXPECT_TRUE(out.ends_with("\n1,Ulm,,f,\n2,Ulm,,,\n")) << out.substr(out.size() - 100);
  bench.write("people.csv", people());
  std::vector<std::string> without = command;
  without[1] = "people.csv";
  ASSERT_EQ(bench.lbw(without).exit_code, 0);
  EXPECT_TRUE(out.starts_with(bench.bytes("out.csv")));  // such rows do not change the repair
}

TEST(CliRepair, CountsRowsOfUnknownGroups) {
  const Workbench bench;
  bench.write("people.csv", people());
  ASSERT_EQ(bench
                .lbw({"repair", "people.csv", "--protected", "sex", "--except", "id", "-o",
                      "out.csv", "--save-model", "m.safetensors"})
                .exit_code,
            0);
  std::string other = people();
  for (std::size_t at = 0; (at = other.find(",m,", at)) != std::string::npos; ++at)
    other[at + 1] = 'M';
  bench.write("other.csv", other);
  const ProgramResult result = bench.lbw({"repair", "other.csv", "--model", "m.safetensors",
                                          "--handle-unknown", "ignore", "-o", "out.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("200 rows of 400 belong to groups that the model does not have: 'M'; "
                            "they stay as they are"),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("200 rows of 2 groups"), std::string::npos) << result.err;
}

TEST(CliRepair, FindsNumbersAsOtherCommandsDo) {
  const Workbench bench;
  std::string table = "x;flag;sex\n";
  std::string plain = "1,True,f\n";
  for (int i = 0; i < 60; ++i) {
    table += std::to_string(i) + ",5;x;" + (i % 2 == 0 ? "f\n" : "m\n");
    plain += std::to_string(i % 7) + ".5," + (i % 3 == 0 ? "True," : "False,") +
             (i % 2 == 0 ? "f\n" : "m\n");
  }
  bench.write("comma.csv", table);
  const ProgramResult refused = bench.lbw({"repair", "comma.csv", "--protected", "sex"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.err,
            "lbw repair: comma.csv: the numbers of column 'x' have decimal commas; add --decimal "
            "comma, or name the column in --except if it is text\n");
  bench.write("plain.csv", plain);
  const nlohmann::json report = bench.lbw_json(
      {"repair", "plain.csv", "--protected", "3", "--no-header", "-o", "out.csv", "--json"});
  ASSERT_EQ(report["columns"].size(), 2U);
  EXPECT_EQ(report["columns"][0]["name"], "1");
  EXPECT_EQ(report["columns"][1]["name"], "2");  // True and False are numbers
  const ProgramResult unnamed = bench.lbw({"repair", "plain.csv", "--protected", "3", "--no-header",
                                           "-o", "out.csv", "--save-model", "m.safetensors"});
  EXPECT_EQ(unnamed.exit_code, 1);
  EXPECT_NE(unnamed.err.find("--save-model needs column names"), std::string::npos) << unnamed.err;
}

TEST(CliRepair, ReadsAndWritesStandardStreams) {
  const Workbench bench;
  bench.write("people.csv", people());
  ASSERT_EQ(bench.lbw({"repair", "people.csv", "--protected", "sex", "-o", "out.csv"}).exit_code,
            0);
  const ProgramResult streamed = bench.lbw({"repair", "-", "--protected", "sex"}, people());
  EXPECT_EQ(streamed.exit_code, 0) << streamed.err;
  EXPECT_EQ(streamed.out, bench.bytes("out.csv"));
  EXPECT_NE(streamed.err.find("gamma"), std::string::npos);  // the report is not in the table
}

TEST(CliRepair, AnIdentifierIsReported) {
  const Workbench bench;
  bench.write("people.csv", people());
  const std::string err =
      bench.lbw({"repair", "people.csv", "--protected", "sex", "-o", "out.csv"}).err;
  EXPECT_NE(err.find("columns 'id' have a different whole number in every row"), std::string::npos)
      << err;
}

TEST(CliRepair, AmountZeroChangesNothing) {
  const Workbench bench;
  bench.write("people.csv", people());
  ASSERT_EQ(bench
                .lbw({"repair", "people.csv", "--protected", "sex", "--columns", "x", "--amount",
                      "0", "--dither", "0", "-o", "out.csv"})
                .exit_code,
            0);
  const CsvOptions x{.columns = {"x"}};
  EXPECT_TRUE(read_csv(bench / "out.csv", x)
                  .values.isApprox(read_csv(bench / "people.csv", x).values, 1e-12));
}

TEST(CliRepair, SmallGroupsAreReported) {
  const Workbench bench;
  bench.write("people.csv", people() + "1,Ulm,0.5,x,0.5\n");
  const std::vector<std::string> words = {"repair",   "people.csv", "--protected", "sex",
                                          "--except", "id",         "-o",          "out.csv"};
  const ProgramResult refused = bench.lbw(words);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("'x'"), std::string::npos) << refused.err;
  EXPECT_FALSE(bench.names().contains("out.csv"));
  std::vector<std::string> kept = words;
  kept.insert(kept.end(), {"--small-groups", "keep"});
  const ProgramResult result = bench.lbw(kept);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("group 'x' is too small to fit (1 row) and is left unchanged"),
            std::string::npos)
      << result.err;
  EXPECT_NE(bench.bytes("out.csv").find("1,Ulm,0.5,x,0.5\n"), std::string::npos);
}

TEST(CliRepair, GroupsThatAreNotRepairedAreNotMeasured) {
  const Workbench bench;
  bench.write("with.csv", people() + "1,Ulm,0.5,x,0.5\n");
  bench.write("without.csv", people());
  const auto measured = [&bench](const std::string& table) {
    const ProgramResult result = bench.lbw({"repair", table, "--protected", "sex", "--except", "id",
                                            "--small-groups", "keep", "--json", "-o", "out.csv"});
    return result.out.substr(std::min(result.out.find("\"columns\""), result.out.size()));
  };
  EXPECT_NE(measured("without.csv"), "");
  EXPECT_EQ(measured("with.csv"), measured("without.csv"));
}

TEST(CliRepair, NewRowsAreRepairedByASavedModel) {
  const Workbench bench;
  bench.write("people.csv", people());
  ASSERT_EQ(bench
                .lbw({"repair", "people.csv", "--protected", "sex", "--columns", "y,x",
                      "--save-model", "m.safetensors", "-o", "out.csv"})
                .exit_code,
            0);
  ASSERT_EQ(
      bench.lbw({"repair", "--model", "m.safetensors", "people.csv", "-o", "again.csv"}).exit_code,
      0);
  EXPECT_EQ(bench.bytes("again.csv"), bench.bytes("out.csv"));
  const ProgramResult moved = bench.lbw(
      {"transport", "m.safetensors", "people.csv", "--group-column", "sex", "--to", "barycenter"});
  EXPECT_EQ(moved.out, bench.bytes("out.csv"));
  bench.write("unknown.csv", "sex,x,y\nw,1,2\nf,1,2\n");
  expect_refused(
      bench,
      {{{"repair", "--model", "m.safetensors", "unknown.csv"},
        1,
        "unknown.csv: column 'sex' contains 'w' in row 1, the model has 'f', 'm'; --handle-unknown "
        "ignore leaves such rows unchanged, --handle-unknown barycenter transports them by the "
        "maps of the groups they resemble"},
       {{"repair", "--model", "m.safetensors", "people.csv", "--refine", "3"},
        2,
        "--refine has no effect with --model; omit one of them"},
       {{"repair", "--model", "m.safetensors", "people.csv", "--save-model", "n"},
        2,
        "--save-model has no effect with --model; omit one of them"}});
  const ProgramResult ignored = bench.lbw(
      {"repair", "--model", "m.safetensors", "unknown.csv", "--handle-unknown", "ignore"});
  EXPECT_EQ(ignored.exit_code, 0) << ignored.err;
  EXPECT_NE(ignored.out.find("w,1,2\n"), std::string::npos) << ignored.out;
}

TEST(CliRepair, RefusesWhatItCannotRepair) {
  const Workbench bench;
  bench.write("people.csv", people());
  bench.write("missing.csv", "x,sex,y\n1,f,2\n,m,3\n2,m,4\n");
  bench.write("empty.csv", "x,sex,y\n1,f,2\n3,,3\n2,m,4\n");
  bench.write("one.csv", "x,sex\n1,f\n2,f\n");
  bench.write("words.csv", "a,sex\nu,f\nv,m\n");
  bench.write("same.csv", "x,x,sex\n1,2,f\n2,3,m\n3,1,f\n2,2,m\n");
  bench.write("plain.csv", "1,f\n2,m\n3,f\n");
  const std::string columns = "its columns are 'id', 'town', 'x', 'sex', 'y'";
  expect_refused(
      bench,
      {{{"repair", "people.csv"},
        2,
        "the protected column is unknown; name it with --protected, or give the model of an "
        "earlier repair with --model"},
       {{"repair", "people.csv", "--protected", "Sex"},
        2,
        "--protected: people.csv has no column 'Sex'; " + columns + "; did you mean 'sex'?"},
       {{"repair", "people.csv", "--protected", "sex", "--except", "twon"},
        2,
        "--except: people.csv has no column 'twon'; " + columns + "; did you mean 'town'?"},
       {{"repair", "people.csv", "--protected", "sex", "--columns", "x,sex"},
        2,
        "--columns names 'sex', which is also protected or the key; a column has one role"},
       {{"repair", "people.csv", "--protected", "sex,sex"},
        2,
        "--protected names the column 'sex' twice"},
       {{"repair", "people.csv", "--protected", "x"},
        1,
        "--protected: column 'x' has 400 distinct values in 400 rows, too many to be groups (at "
        "most 20). Give a column of categories or bin the values first; if these numbers are "
        "categories, write them as text such as 'site 12'"},
       {{"repair", "missing.csv", "--protected", "sex"},
        1,
        "missing.csv:3: column 1 (x): the cell is empty; fill it in, or skip such rows with "
        "--missing skip"},
       {{"repair", "people.csv", "--protected", "sex", "--columns", "x,town"},
        1,
        "people.csv:2: column 2 (town): \"Bonn, West\" is not a finite number; choose other "
        "columns with --columns, or convert them to numbers"},
       {{"repair", "empty.csv", "--protected", "sex"},
        1,
        "empty.csv: the protected column 'sex' is empty in row 2; give every row a group, for "
        "example 'unknown', or leave such rows out with --missing skip"},
       {{"repair", "one.csv", "--protected", "sex"},
        1,
        "the protected column has a single value, 'f'; a repair needs two or more groups"},
       {{"repair", "words.csv", "--protected", "sex"},
        1,
        "words.csv has no column of numbers besides the protected ones, so there is nothing to "
        "repair"},
       {{"repair", "plain.csv", "--protected", "2"},
        1,
        "plain.csv:1: column 2 has the text \"f\" and column 1 the number 1, so the line may be a "
        "header or a row; use --header if it has the names of the columns, or --no-header"},
       {{"repair", "words.csv", "--protected", "2"},
        2,
        "--protected is the number 2, but the first line of words.csv looks like column names; add "
        "--header if it has names, or --no-header if it is data"},
       {{"repair", "people.csv", "--protected", "sex", "--save-model", "m.txt"},
        2,
        "--save-model is 'm.txt', expected a file name ending in .safetensors"},
       {{"repair", "same.csv", "--protected", "sex", "--save-model", "m"},
        1,
        "two columns of same.csv are named 'x', but --save-model needs distinct names; rename one "
        "of them or name the columns to repair with --columns"},
       {{"repair", "A.npy", "--protected", "1"},
        2,
        "lbw repair needs column names, which A.npy does not have"},
       {{"repair", "people.csv", "--protected", "sex", "--json"},
        2,
        "--json and the table cannot both go to standard output; add -o FILE"},
       {{"repair", "people.csv", "--protected", "sex", "--handle-unknown", "ignore"},
        2,
        "--handle-unknown needs --model; a new repair knows all groups"}});
}

TEST(CliRepair, AnIdentifierIsReportedBesideMissingValues) {
  const Workbench bench;
  std::string table = "id,site,x\n";
  for (int i = 0; i < 80; ++i) {
    table += std::to_string(500 + i) + (i % 2 == 0 ? ",a," : ",b,") +
             (i == 7 ? "" : std::to_string(i * i % 17) + ".5") + "\n";
  }
  bench.write("t.csv", table);
  const ProgramResult result =
      bench.lbw({"repair", "t.csv", "--protected", "site", "--missing", "skip", "-o", "o.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("columns 'id' have a different whole number in every row"),
            std::string::npos)
      << result.err;
}

TEST(CliRepair, ValuesThatLookLikeTheNextProtectedColumnAreRefused) {
  const Workbench bench;
  bench.write("t.csv", "a,s,x\n\"1, s=2\",3,0.5\n1,\"2, s=3\",5.5\n4,4,2.5\n");
  const ProgramResult result = bench.lbw({"repair", "t.csv", "--protected", "a,s", "-o", "o.csv"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "lbw repair: t.csv: the protected column 'a' has the value '1, s=2', which contains "
            "', s=' and would make labels of groups ambiguous; rename the column or the value\n");
  EXPECT_FALSE(bench.names().contains("o.csv"));
}

}  // namespace
}  // namespace lbw
