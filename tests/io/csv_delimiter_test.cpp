// SPDX-License-Identifier: MIT
// Which delimiter a file has.
#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "io/csv_text.hpp"

namespace lbw {
namespace {

TEST(CsvDelimiter, TheNextLinesDecide) {
  const Names names = {"height, cm", "mass, kg", "age"};
  const RowMatrix values{{1.5, 2.0, 3.0}, {4.0, 5.0, 6.0}};
  for (const char delimiter : {';', '\t'}) {
    const std::string d(1, delimiter);
    std::string text = "height, cm" + d + "mass, kg" + d + "age\n";
    for (const char* row : {"1.5;2;3\n", "4;5;6\n"}) text += row;
    if (delimiter == '\t') std::ranges::replace(text, ';', '\t');
    EXPECT_EQ(read_text(text).feature_names, names);
    EXPECT_EQ(read_text(text).values, values);
  }
  // more commas than semicolons
  const Table more = read_text("x, a, b, c;y\n\n1;2\n  \n3;4");
  EXPECT_EQ(more.feature_names, (Names{"x, a, b, c", "y"}));
  EXPECT_EQ(more.values, (RowMatrix{{1.0, 2.0}, {3.0, 4.0}}));
  EXPECT_EQ(read_text("x, a, b;y\n1,5;2\n", {.decimal = ','}).values, (RowMatrix{{1.5, 2.0}}));
  // semicolons in a name
  EXPECT_EQ(read_text("x; a; b,y\n1,2\n").values, (RowMatrix{{1.0, 2.0}}));
}

TEST(CsvDelimiter, WithoutAgreementTheFirstLineDecides) {
  expect_text_refused("a,b,c\n1;2;3\n",
                      "t.csv:2: 1 cell, expected 3 as in line 1; if semicolons separate the cells, "
                      "use the option delimiter=';'");
  expect_text_refused("a,b,c\n1\t2\t3\n",
                      "t.csv:2: 1 cell, expected 3 as in line 1; if tabs separate the cells, use "
                      "the option delimiter=tab");
  expect_text_refused("a;b;c\n1,2,3\n",
                      "t.csv:2: 1 cell, expected 3 as in line 1; if commas separate the cells, use "
                      "the option delimiter=','");
  expect_text_refused("a,b\n\"1;2\"\n", "t.csv:2: 1 cell, expected 2 as in line 1");
}

TEST(CsvDelimiter, ALastLineThatIsReadInPartIsNotCompared) {
  std::string text = "x, a, b;y;z\n1;2;3\n4;5;";
  text += std::string(1U << 16U, '0') + "6\n";  // longer than the first part that is read
  EXPECT_EQ(read_text(text).values, (RowMatrix{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
}

TEST(CsvDelimiter, ExcelNamesItInTheFirstLine) {
  for (const std::string line : {"sep=;\n", "sep=;\r\n", "SEP=;\n", "\xEF\xBB\xBFsep=;\n"}) {
    const Table table = read_text(line + "a,b,c;d\n1;2\n3;4\n");
    EXPECT_EQ(table.feature_names, (Names{"a,b,c", "d"})) << line;
    EXPECT_EQ(table.values, (RowMatrix{{1.0, 2.0}, {3.0, 4.0}})) << line;
  }
  EXPECT_EQ(read_text("sep=|\n1|2\n").values, (RowMatrix{{1.0, 2.0}}));
  EXPECT_EQ(read_text("sep=\t\n1\t2\n").values, (RowMatrix{{1.0, 2.0}}));
  EXPECT_EQ(read_text("sep=;\n1\n2\n").values, (RowMatrix{{1.0}, {2.0}}));
  // an option is preferred
  EXPECT_EQ(read_text("sep=;\n1,2\n", {.delimiter = ','}).values, (RowMatrix{{1.0, 2.0}}));
  expect_text_refused("sep=;\na;b\n1\n", "t.csv:3: 1 cell, expected 2 as in line 2");
  expect_text_refused("sep=xy\n1;2\n",
                      "t.csv:1: sep=xy names no delimiter; remove the line, or correct it");
  expect_text_refused("sep=,\n1;2\n",
                      "t.csv:1: sep=, names no delimiter besides the decimal mark; remove the "
                      "line, or correct it",
                      {.decimal = ','});
}

}  // namespace
}  // namespace lbw
