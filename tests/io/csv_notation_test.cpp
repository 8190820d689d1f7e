// SPDX-License-Identifier: MIT
// Delimiters and decimal marks.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <sstream>

#include "io/csv_text.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

std::string written(const Table& table, const CsvFormat& format) {
  std::ostringstream stream;
  write_csv(stream, table, format);
  return stream.str();
}

TEST(CsvNotation, AnyPunctuationSeparatesCells) {
  for (const char delimiter : std::string(",;\t |:/!#$%&*=@^~_")) {
    const std::string d(1, delimiter);
    const Table table =
        read_text("a" + d + "\"b" + d + "\"\n1.5" + d + "-2e3\n", {.delimiter = delimiter});
    EXPECT_EQ(table.feature_names, (Names{"a", "b" + d}));
    EXPECT_EQ(table.values, (RowMatrix{{1.5, -2000.0}})) << d;
  }
  for (const char other : std::string("0aZ.+-\"\n\r\xC3")) EXPECT_FALSE(is_csv_delimiter(other));
}

TEST(CsvNotation, QuotedCellsAreTextIfRequested) {
  const std::string text = "x,code\n1,\"007\"\n2,\"8\"\n";
  EXPECT_EQ(read_text(text).values, (RowMatrix{{1.0, 7.0}, {2.0, 8.0}}));
  expect_text_refused(text,
                      "t.csv:2: column 2 (code): \"007\" is text, expected a number; exclude "
                      "columns of text, or convert them to numbers",
                      {.quoted_is_text = true});
  expect_text_refused(text,
                      "t.csv:2: column 2 (code): \"007\" is text, expected a number; exclude "
                      "columns of text, or convert them to numbers",
                      {.weight_column = "code", .quoted_is_text = true});
  const Table table =
      read_text(text, {.columns = {"x"}, .keeps_others = true, .quoted_is_text = true});
  EXPECT_EQ(table.values, (RowMatrix{{1.0}, {2.0}}));
  EXPECT_EQ(table.others.column(0), (Names{"007", "8"}));
}

TEST(CsvNotation, ColumnsWithTextInQuotesAreMarked) {
  const Table table = read_text("a,b,c\n1,2,\"\"\n3,\" 4 \",5\n", {.all_text = true});
  EXPECT_EQ(table.others.has_quotes, (std::vector<bool>{false, true, false}));
  EXPECT_TRUE(read_text("g,x\n\"1\",2\n1,3\n", {.group_column = "g"}).group_has_quotes);
  EXPECT_FALSE(read_text("g,x\n1,2\n1,3\n", {.group_column = "g"}).group_has_quotes);
}

TEST(CsvNotation, WhitespaceIsAnyRunOfSpacesAndTabs) {
  const CsvOptions options{.delimiter = any_whitespace, .group_column = "group"};
  const Table table = read_text(
      "  a \t b  group\r\n\n1    2\tred \r\n   \t\n \"3\"  -4.5 \"dark blue\"\n5 6 x", options);
  EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(table.values, (RowMatrix{{1.0, 2.0}, {3.0, -4.5}, {5.0, 6.0}}));
  EXPECT_EQ(table.groups, (Names{"red", "dark blue", "x"}));
  expect_text_refused("a b\n1\n", "t.csv:2: 1 cell, expected 2 as in line 1",
                      {.delimiter = any_whitespace});
}

TEST(CsvNotation, EverySingleSpaceSeparates) {
  EXPECT_EQ(read_text("1 2 3\n", {.delimiter = ' '}).values, (RowMatrix{{1.0, 2.0, 3.0}}));
  expect_text_refused(
      "a b c\n1  3\n",
      "t.csv:2: column 2 (b): the cell is empty; fill it in, or skip such rows with the "
      "option missing=skip",
      {.delimiter = ' '});
}

TEST(CsvNotation, ReadsDecimalCommas) {
  const RowMatrix expected{{1.5, -2.0}, {0.25, 3000.0}};
  const CsvOptions comma{.decimal = ','};
  EXPECT_EQ(read_text("a;b\n1,5;-2\n,25;3,0e3\n", comma).values, expected);
  EXPECT_EQ(read_text("1,5\t-2\n0,25\t3000\n", comma).values, expected);
  EXPECT_EQ(read_text("1,5;-2\n0,25;3000\n", comma).values, expected);  // no header is detected
  EXPECT_EQ(read_text("1,5  -2\n0,25 3000\n", {.delimiter = any_whitespace, .decimal = ','}).values,
            expected);
  EXPECT_EQ(read_text("x\n1,5\n", comma).values, (RowMatrix{{1.5}}));
  expect_text_refused(
      "a;b\n1.5;2\n",
      "t.csv:2: column 1 (a): \"1.5\" is not a finite number; it has a decimal point, "
      "but the option decimal=',' expects a comma",
      comma);
  expect_text_refused("a;b\n1.234,5;2\n",
                      "t.csv:2: column 1 (a): \"1.234,5\" is not a finite number; remove thousands "
                      "separators",
                      comma);
}

TEST(CsvNotation, RefusesWholeNumbersThatDoublePrecisionRounds) {
  const std::string reason =
      " is a whole number that double precision rounds; exclude the column if it has identifiers, "
      "or write its numbers with an exponent";
  expect_text_refused("id\n1\n9007199254740993\n",
                      "t.csv:3: column 1 (id): 9007199254740993" + reason);
  expect_text_refused("a;b\n1; -0123456789012345678901 \n",
                      "t.csv:2: column 2 (b): -0123456789012345678901" + reason,
                      {.delimiter = ';'});
  const RowMatrix exact{{9007199254740994.0}, {-1e18}, {1e22}, {9007199254740993.0}, {1e300}};
  EXPECT_EQ(read_text("x\n9007199254740994\n-1000000000000000000\n+10000000000000000000000\n"
                      "9007199254740993.0\n1e300\n")
                .values,
            exact);
  Table table = read_text("x\n1\n");
  table.values = RowMatrix{{12345678901234567.0}, {0.1}, {1.7e19}, {-3.3e25}};
  std::ostringstream text;
  write_csv(text, table);
  EXPECT_EQ(read_text(text.str()).values, table.values);
}

// A comma would otherwise separate cells, and 1,5;2,5 would be read as 1 and 5.
TEST(CsvNotation, SuggestsDecimalCommas) {
  const std::string looks =
      "t.csv: the first line looks like numbers with decimal commas, separated by ";
  const std::string use = "; use the option decimal=','";
  const std::string otherwise = ", or the option delimiter=',' if commas separate the cells";
  for (const CsvOptions& options : {CsvOptions{}, {.columns = {"1"}}, {.group_column = "3"}}) {
    expect_text_refused("1,5;2,5;x\n3,5;4,5;y\n", looks + "semicolons" + use + otherwise, options);
    expect_text_refused("1,5\t2,5\n3,5\t4,5\n", looks + "tabs" + use + otherwise, options);
    expect_text_refused("1,5  2,5\n3,5  4,5\n",
                        looks + "spaces" + use + " and the option delimiter=whitespace" + otherwise,
                        options);
  }
  const std::string comma = "; if the comma is a decimal mark, use the option decimal=','";
  expect_text_refused("a;b\n1;2\n1,5;2\n",
                      "t.csv:3: column 1 (a): \"1,5\" is not a finite number" + comma);
  // the first line is a row, and not a header
  expect_text_refused("1;2;3,5\n4;5;6\n",
                      "t.csv:1: column 3: \"3,5\" is not a finite number" + comma);
  EXPECT_EQ(read_text("1,2 ,3\n").values, (RowMatrix{{1.0, 2.0, 3.0}}));
  EXPECT_EQ(read_text("1, 2, 3\n").values, (RowMatrix{{1.0, 2.0, 3.0}}));
  EXPECT_EQ(read_text("1,5;2\n", {.delimiter = ',', .columns = {"1"}}).values, (RowMatrix{{1.0}}));
}

TEST(CsvNotation, NamesWhatACellLooksLike) {
  const auto refused = [](const std::string& cell, const std::string& remedy) {
    expect_text_refused("a|b\n1|2\n" + cell + "|2\n",
                        "t.csv:3: column 1 (a): \"" + cell + "\" is not a finite number; " + remedy,
                        {.delimiter = '|'});
  };
  const std::string thousands = "remove thousands separators";
  refused("1,234", thousands + "; if the comma is a decimal mark, use the option decimal=','");
  refused("1,234,567.8", thousands);
  refused("-1.234.567", thousands);
  refused("1'234", thousands);
  refused("12 345",
          thousands + "; if spaces separate the cells, use the option delimiter=whitespace");
  refused("1 2", "if spaces separate the cells, use the option delimiter=whitespace");
  refused("inf", "replace infinite values, or leave their rows out");
  refused("-Infinity", "replace infinite values, or leave their rows out");
  refused("yes", "write 1 and 0, or True and False");
  refused("1,2,3", "exclude columns of text, or convert them to numbers");
  expect_text_refused(
      "a,b\n\"1,5\",2\n",
      "t.csv:2: column 1 (a): \"1,5\" is not a finite number; write decimal points, or "
      "separate cells by semicolons and use the option decimal=','");
  expect_text_refused(
      "a,b\n1;2,3\n",
      "t.csv:2: column 1 (a): \"1;2\" is not a finite number; if semicolons separate the "
      "cells, use the option delimiter=';'");
}

TEST(CsvNotation, RefusesLinesThatEndInCarriageReturns) {
  expect_text_refused(
      "a,b\r1,2\r3,4\r",
      "t.csv: lines end in CR, expected LF or CRLF; convert them, for example with tr "
      "'\\r' '\\n'");
  EXPECT_EQ(read_text("1,2\r").values, (RowMatrix{{1.0, 2.0}}));
}

TEST(CsvNotation, WritesWhatItReads) {
  Table table{{"a", "b|c"}, RowMatrix{{1.5, -2.0}, {0.25, 1e300}}, "g", {"x y", "z"}};
  table.others = {1, {"note"}, {"", "1,5"}};
  EXPECT_EQ(written(table, {.delimiter = ';', .decimal = ','}),
            "a;b|c;g;note\n1,5;-2;x y;\n0,25;1e+300;z;\"1,5\"\n");
  EXPECT_EQ(written(table, {.delimiter = '|'}),
            "a|\"b|c\"|g|note\n1.5|-2|x y|\n0.25|1e+300|z|\"1,5\"\n");
  EXPECT_EQ(written(table, {.delimiter = any_whitespace}),
            "a b|c g note\n1.5 -2 \"x y\" NA\n0.25 1e+300 z \"1,5\"\n");
  for (const CsvFormat& format : {CsvFormat{.delimiter = ';', .decimal = ','},
                                  {.delimiter = '\t', .decimal = ','},
                                  {.delimiter = any_whitespace, .decimal = ','},
                                  {.delimiter = ' '},
                                  {.delimiter = '|'}}) {
    const Table back = read_text(written(table, format), {.delimiter = format.delimiter,
                                                          .group_column = "g",
                                                          .columns = {"a", "b|c"},
                                                          .decimal = format.decimal});
    EXPECT_EQ(back.values, table.values);
    EXPECT_EQ(back.groups, table.groups);
  }
}

TEST(CsvNotation, RefusesNotationsThatCannotBeRead) {
  expect_error<InvalidArgument>(
      [] { (void)read_text("1", {.delimiter = ',', .decimal = ','}); },
      "read_csv: delimiter and decimal are both ',', expected different characters");
  expect_error<InvalidArgument>([] { (void)read_text("1", {.decimal = ';'}); },
                                "read_csv: decimal is ';', expected '.' or ','");
  const Table table{{}, RowMatrix{{1.0}}, "", {}};
  expect_error<InvalidArgument>([&] { (void)written(table, {.delimiter = '\0'}); },
                                "write_csv: delimiter is NUL, expected a character");
  expect_error<InvalidArgument>(
      [&] { (void)written(table, {.delimiter = ',', .decimal = ','}); },
      "write_csv: delimiter and decimal are both ',', expected different characters");
}

}  // namespace
}  // namespace lbw
