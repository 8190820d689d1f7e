// SPDX-License-Identifier: MIT
// Missing values, empty lines, booleans, and spaces around text.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <sstream>

#include "io/csv_text.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

constexpr const char* advice = "; fill it in, or skip such rows with the option missing=skip";

TEST(CsvMissing, AreNamedByDefault) {
  for (const std::string word :
       {"NA", "na", "N/A", "#N/A", "<NA>", "NaN", "nan", "-nan", "NULL", "null", "None", "?"}) {
    expect_text_refused("a,b\n1,2\n3," + word + "\n",
                        "t.csv:3: column 2 (b): " + word + " is a missing value" + advice);
  }
  expect_text_refused("a,b\n1,2\n3,\n",
                      "t.csv:3: column 2 (b): the cell is empty" + std::string(advice));
  expect_text_refused("a,b\n1,2\n3,\"\"\n",
                      "t.csv:3: column 2 (b): the cell is empty" + std::string(advice));
}

TEST(CsvMissing, RowsAreLeftOutAndCounted) {
  const std::string text = "id,a,b,g\n1,1,2,x\n2,,2,x\n3,NA,?,y\n4,5,6,\n5,7,8,y\n";
  const Table table =
      read_text(text, {.group_column = "g", .key_column = "id", .missing = MissingValues::skip});
  EXPECT_EQ(table.values, (RowMatrix{{1.0, 2.0}, {7.0, 8.0}}));
  EXPECT_EQ(table.groups, (Names{"x", "y"}));
  EXPECT_EQ(table.keys, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_EQ(table.n_skipped_rows, 3);
  EXPECT_EQ(read_text("a\n1\n", {.missing = MissingValues::skip}).n_skipped_rows, 0);
  expect_text_refused(
      "a,b\n1,x\n",
      "t.csv:2: column 2 (b): \"x\" is not a finite number; exclude columns of text, or "
      "convert them to numbers",
      {.missing = MissingValues::skip});
  expect_text_refused("a,b\n1,\n,2\n", "t.csv: all 2 rows have missing values, so none is left",
                      {.missing = MissingValues::skip});
}

TEST(CsvMissing, RowsAreKeptInTheirPlaces) {
  const Table table =
      read_text("a,b,g,note\n1,,x,p\n3,4,,q\n5,6,y,\n", {.group_column = "g",
                                                         .columns = {"a", "b"},
                                                         .keeps_others = true,
                                                         .missing = MissingValues::keep});
  ASSERT_EQ(table.values.rows(), 3);
  EXPECT_EQ(table.values(0, 0), 1.0);
  EXPECT_TRUE(std::isnan(table.values(0, 1)));
  EXPECT_TRUE(std::isnan(table.values(1, 0)) && std::isnan(table.values(1, 1)));
  EXPECT_EQ(table.values.row(2), (RowMatrix{{5.0, 6.0}}).row(0));
  EXPECT_EQ(table.groups, (Names{"x", "", "y"}));
  std::ostringstream stream;
  write_csv(stream, table, {.allows_missing = true});
  EXPECT_EQ(stream.str(), "a,b,g,note\n1,,x,p\n,,,q\n5,6,y,\n");
}

TEST(CsvMissing, AnEmptyLineOfOneColumnIsAMissingValue) {
  const std::string empty = "the cell is empty" + std::string(advice);
  expect_text_refused("a\n1\n\n3\n", "t.csv:3: column 1 (a): " + empty);
  expect_text_refused("1\n  \n3\n", "t.csv:2: column 1: " + empty);
  expect_text_refused("a\n1\n\n", "t.csv:3: column 1 (a): " + empty);
  expect_text_refused(
      "\n1\n3\n",
      "t.csv:1: the line is empty, expected the first row of a table with one column; "
      "remove the line, or write NA if the value is missing");
  EXPECT_EQ(read_text("a\n1\n\n3\n", {.missing = MissingValues::skip}).values,
            (RowMatrix{{1.0}, {3.0}}));
  EXPECT_EQ(read_text("a\n1\r\n\r\n3\n", {.missing = MissingValues::keep}).values.rows(), 3);
  EXPECT_EQ(read_text("\na\n1\n3\n").values, (RowMatrix{{1.0}, {3.0}}));  // before a header
  EXPECT_EQ(read_text("a,b\n1,2\n\n3,4\n").values, (RowMatrix{{1.0, 2.0}, {3.0, 4.0}}));
}

TEST(CsvMissing, OneColumnIsWrittenWithoutEmptyLines) {
  Table table{{"a"}, RowMatrix{{1.0}, {std::nan("")}, {3.0}}, "", {}};
  std::ostringstream stream;
  write_csv(stream, table, {.allows_missing = true});
  EXPECT_EQ(stream.str(), "a\n1\n\"\"\n3\n");
  EXPECT_EQ(read_text(stream.str(), {.missing = MissingValues::keep}).values.rows(), 3);
  std::ostringstream other;
  expect_error<InvalidArgument>([&] { write_csv(other, table); },
                                "write_csv: values contains nan at row 1, column 0 (counted from "
                                "0), expected finite values");
  table.values(1, 0) = INFINITY;
  EXPECT_THROW(write_csv(other, table, {.allows_missing = true}), InvalidArgument);
}

TEST(CsvBooleans, AreOneAndZero) {
  EXPECT_EQ(read_text("a,b\nTrue,false\nFALSE,2.5\n").values, (RowMatrix{{1.0, 0.0}, {0.0, 2.5}}));
  EXPECT_EQ(read_text("a,b\nTRUE,true\nFALSE,False\n").values, (RowMatrix{{1.0, 1.0}, {0.0, 0.0}}));
  // the first line is a row, and not a header
  EXPECT_EQ(read_text("True,1\nFalse,2\n").values, (RowMatrix{{1.0, 1.0}, {0.0, 2.0}}));
  expect_text_refused(
      "a,b\ntRUE,1\n",
      "t.csv:2: column 1 (a): \"tRUE\" is not a finite number; exclude columns of text, "
      "or convert them to numbers");
}

TEST(CsvSpaces, BelongToUnquotedText) {
  const Table table = read_text("a , g , note\n 1 , red,  x \n2,\" blue\" ,y\n3,red ,\n",
                                {.group_column = "g", .columns = {"a"}, .keeps_others = true});
  EXPECT_EQ(table.group_column, "g");
  EXPECT_EQ(table.groups, (Names{" red", " blue", "red "}));
  EXPECT_EQ(table.others.column(0), (Names{"  x ", "y", ""}));
  EXPECT_EQ(table.values, (RowMatrix{{1.0}, {2.0}, {3.0}}));
}

TEST(CsvKey, IsKeptWithoutOtherColumns) {
  const Table table =
      read_text("id,a,note,g\n07,1,p,x\n8,2,q,y\n",
                {.group_column = "g", .key_column = "id", .columns = {"a"}, .keeps_key = true});
  ASSERT_EQ(table.others.count, 1U);
  EXPECT_EQ(table.others.name(0), "id");
  EXPECT_EQ(table.others.column(0), (Names{"07", "8"}));
  std::ostringstream stream;
  write_csv(stream, table);
  EXPECT_EQ(stream.str(), "a,g,id\n1,x,07\n2,y,8\n");
}

}  // namespace
}  // namespace lbw
