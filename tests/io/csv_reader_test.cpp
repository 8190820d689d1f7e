// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <sstream>

#include "io/csv_text.hpp"
#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

RowMatrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  return RowMatrix(rows);
}

TEST(ReadCsv, ReadsKeysAndLeavesTheirColumnOut) {
  for (const std::string column : {"id", "1"}) {
    const Table table = read_text("id,a,colour\n7,1,red\nx,2,white\n",
                                  {.group_column = "colour", .key_column = column});
    EXPECT_EQ(table.keys, (std::vector<std::uint64_t>{7, row_key("x")}));
    EXPECT_EQ(table.feature_names, (std::vector<std::string>{"a"}));
    EXPECT_EQ(table.values, (RowMatrix{{1.0}, {2.0}}));
    EXPECT_EQ(table.groups, (std::vector<std::string>{"red", "white"}));
  }
  EXPECT_TRUE(read_text("a,b\n1,2\n").keys.empty());
  expect_error<IoError>([] { (void)read_text("id,a\n,2\n", {.key_column = "id"}); },
                        "t.csv:2: column 1 (id): the key is empty");
}

TEST(ReadCsv, AColumnHasOneRole) {
  const std::string text = "x,g\n1,2\n";
  const auto expect_refused = [&](const CsvOptions& options, const std::string& roles) {
    expect_error<IoError>([&] { (void)read_text(text, options); },
                          "t.csv: column 'g' is both " + roles + "; a column has one role");
  };
  expect_refused({.group_column = "g", .columns = {"x", "g"}}, "a feature and the group");
  expect_refused({.key_column = "g", .columns = {"g"}}, "a feature and the key");
  expect_refused({.weight_column = "g", .columns = {"g"}}, "a feature and the weight");
  expect_refused({.group_column = "g", .weight_column = "g"}, "the group and the weight");
  expect_refused({.group_column = "g", .key_column = "g"}, "the group and the key");
  expect_refused({.key_column = "2", .weight_column = "g"}, "the weight and the key");
}

TEST(ReadCsv, ReadsHeaderAndNumbers) {
  const Table table = read_text("a,b\n1,2.5\n-3e2,+4\n");
  EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(table.values, matrix({{1, 2.5}, {-300, 4}}));
  EXPECT_TRUE(table.group_column.empty());
  EXPECT_TRUE(table.groups.empty());
}

TEST(ReadCsv, TakesAFirstLineOfNumbersForData) {
  const Table table = read_text("1,2\n3,4\n");
  EXPECT_TRUE(table.feature_names.empty());
  EXPECT_EQ(table.values, matrix({{1, 2}, {3, 4}}));
}

TEST(ReadCsv, FollowsTheHeaderOption) {
  EXPECT_EQ(read_text("2019,2020\n3,4\n", {.header = CsvHeader::present}).feature_names,
            (Names{"2019", "2020"}));
  expect_text_refused(
      "a,b\n3,4\n",
      "t.csv:1: column 1: \"a\" is not a finite number; exclude columns of text, or "
      "convert them to numbers",
      {.header = CsvHeader::absent});
}

// A damaged row would otherwise be lost, and its numbers would become names.
TEST(ReadCsv, RefusesAFirstLineOfWordsAndNumbers) {
  const std::string expected =
      "t.csv:1: column 2 has the text \"abc\" and column 1 the number 1.5, so the line may be a "
      "header or a row; use the option header=present if it has the names of the columns, or the "
      "option header=absent";
  expect_text_refused("1.5,abc,2\n3,4,5\n", expected);
  expect_text_refused("1.5,abc,2\n3,4,5\n", expected, {.missing = MissingValues::skip});
  EXPECT_EQ(read_text("id,2019\n3,4\n", {.header = CsvHeader::present}).feature_names,
            (Names{"id", "2019"}));
  // a name that is asked for decides, and so do columns that are not features
  EXPECT_EQ(read_text("id,2019\n3,4\n", {.columns = {"2019"}}).values, matrix({{4}}));
  EXPECT_EQ(read_text("id,2019\n3,4\n", {.expected_columns = {"2019"}}).values, matrix({{4}}));
  EXPECT_EQ(read_text("id,2019\n3,4\n", {.group_column = "id"}).feature_names, (Names{"2019"}));
  EXPECT_EQ(read_text("1,abc,2\n", {.columns = {"3", "1"}}).values, matrix({{2, 1}}));
  EXPECT_EQ(read_text("a,,NA\n1,2,3\n").feature_names, (Names{"a", "", "NA"}));
}

TEST(ReadCsv, TellsThatConsecutiveNumbersMayBeAHeader) {
  EXPECT_TRUE(read_text("0,1,2\n3,4,6\n").may_have_header);
  EXPECT_TRUE(read_text("2019,2020\n3,4\n").may_have_header);
  for (const std::string text : {"0\n1\n", "1,3\n", "2,1\n", "0.0,1.0\n", "-1,0\n", "a,b\n1,2\n"}) {
    EXPECT_FALSE(read_text(text).may_have_header) << text;
  }
  // the successor of the largest integer of 64 bits must not overflow
  EXPECT_THROW((void)read_text("9223372036854775807,1\n"), IoError);
  EXPECT_FALSE(read_text("0,1\n3,4\n", {.header = CsvHeader::absent}).may_have_header);
  EXPECT_FALSE(read_text("0,1\n3,4\n", {.header = CsvHeader::present}).may_have_header);
}

// If such a line were read as a header, a row would be lost silently.
TEST(ReadCsv, DoesNotTakeARowWithAMissingValueForAHeader) {
  expect_text_refused(
      "1,,3\n4,5,6\n",
      "t.csv:1: column 2: the cell is empty; fill it in, or skip such rows with the "
      "option missing=skip");
  expect_text_refused(
      "1,NaN,3\n4,5,6\n",
      "t.csv:1: column 2: NaN is a missing value; fill it in, or skip such rows with "
      "the option missing=skip");
  EXPECT_EQ(read_text(",a\n1,2\n").feature_names, (Names{"", "a"}));
}

TEST(ReadCsv, GuessesTheDelimiterFromTheFirstLine) {
  const RowMatrix expected = matrix({{1, 2, 3}});
  EXPECT_EQ(read_text("1,2,3").values, expected);
  EXPECT_EQ(read_text("1;2;3").values, expected);
  EXPECT_EQ(read_text("1\t2\t3").values, expected);
  EXPECT_EQ(read_text("\n\n\"a,b,c,d\";b;c\n1;2;3").values,
            expected);  // commas in quotes do not count
  EXPECT_EQ(read_text("a,b;c;d\n1;2;3").feature_names, (Names{"a,b", "c", "d"}));
  EXPECT_EQ(read_text("1\n2\n").values, matrix({{1}, {2}}));
}

TEST(ReadCsv, UsesTheGivenDelimiter) {
  EXPECT_EQ(read_text("a,b,c;d\n1;2\n", {.delimiter = ';'}).feature_names, (Names{"a,b,c", "d"}));
  expect_error<InvalidArgument>(
      [] { (void)read_text("1x2", {.delimiter = 'x'}); },
      "read_csv: delimiter is 'x', expected a comma, semicolon, tab, space, other ASCII "
      "punctuation that is not part of numbers or quotes, or a control character");
  for (const char delimiter : {'\x01', '\x1f', '\x7f'}) {
    const std::string line = std::string("1") + delimiter + "2\n";
    EXPECT_EQ(read_text(line, {.delimiter = delimiter}).values, matrix({{1, 2}}));
  }
  for (const char character : {'\n', '\r', '\0', '"', '+', '\xc2'}) {
    EXPECT_FALSE(is_csv_delimiter(character));
  }
}

TEST(ReadCsv, ReadsQuotedCells) {
  const Table table = read_text("\"a \"\"x\"\"\",\"b,\nc\", \"d\" \n\"1\",\" 2 \",3\n");
  EXPECT_EQ(table.feature_names, (Names{"a \"x\"", "b,\nc", "d"}));
  EXPECT_EQ(table.values, matrix({{1, 2, 3}}));
  EXPECT_EQ(read_text("5\" disc,b\n1,2").feature_names, (Names{"5\" disc", "b"}));
}

TEST(ReadCsv, IgnoresByteOrderMarkCarriageReturnsSpacesAndEmptyLines) {
  const Table table = read_text("\xEF\xBB\xBF\r\n a , b\r\n\r\n 1 , 2\r\n   \r\n3,4 \r\n\r\n");
  EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(table.values, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(read_text("a,b\n1,2").values, matrix({{1, 2}}));  // no newline at the end
  EXPECT_EQ(read_text("a,b\r\n\"1\",\"2\"\r\n").values, matrix({{1, 2}}));
}

TEST(ReadCsv, TakesTheGroupByNameOrNumber) {
  for (const char* group : {"colour", "2"}) {
    const Table table =
        read_text("a,colour,b\n1,red,2\n3,\"w, \"\"h\"\"\",4\n", {.group_column = group});
    EXPECT_EQ(table.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(table.group_column, "colour");
    EXPECT_EQ(table.groups, (Names{"red", "w, \"h\""}));
    EXPECT_EQ(table.values, matrix({{1, 2}, {3, 4}}));
  }
}

TEST(ReadCsv, FindsAGroupOfWordsWithoutAHeader) {
  const Table table = read_text("1,2,red\n3,4,white\n", {.group_column = "3"});
  EXPECT_TRUE(table.feature_names.empty());
  EXPECT_EQ(table.group_column, "3");
  EXPECT_EQ(table.groups, (Names{"red", "white"}));
  EXPECT_EQ(table.values, matrix({{1, 2}, {3, 4}}));
}

TEST(ReadCsv, TakesColumnsInTheOrderAskedFor) {
  const std::string text = "a,b,word,c\n1,2,x,3\n4,5,y,6\n";
  for (const Names& columns : {Names{"c", "a"}, Names{"4", "1"}}) {
    const Table table = read_text(text, {.columns = columns});
    EXPECT_EQ(table.feature_names, (Names{"c", "a"}));
    EXPECT_EQ(table.values, matrix({{3, 1}, {6, 4}}));
  }
  EXPECT_EQ(read_text("1,2,x\n3,4,y\n", {.columns = {"2"}}).values, matrix({{2}, {4}}));
}

TEST(ReadCsv, PrefersANameToANumber) {
  const CsvOptions options{.header = CsvHeader::present, .columns = {"1", "3"}};
  EXPECT_EQ(read_text("x,3,1\n10,20,30\n", options).values, matrix({{30, 20}}));
  // if all cells are numbers, "2" must not turn the first row into a header
  EXPECT_EQ(read_text("1,2,3\n4,5,6\n", {.columns = {"2"}}).values, matrix({{2}, {5}}));
}

TEST(ReadCsv, RefusesEqualNamesOnlyWhenAskedForOne) {
  const std::string text = "a,a,b\n1,2,3\n";
  EXPECT_EQ(read_text(text).feature_names, (Names{"a", "a", "b"}));
  EXPECT_EQ(read_text(text, {.columns = {"2", "b"}}).values, matrix({{2, 3}}));
  expect_text_refused(text,
                      "t.csv: 2 columns are named 'a'; select one by its number, counted from 1",
                      {.columns = {"a"}});
}

TEST(ReadCsv, ListsTheColumnsWhenOneIsNotThere) {
  expect_text_refused("a,b\n1,2\n", "t.csv: no column 'c'; the columns are 'a', 'b'",
                      {.columns = {"c"}});
  expect_text_refused("a,b\n1,2\n", "t.csv: no column '3'; the columns are 'a', 'b'",
                      {.group_column = "3"});
  expect_text_refused("a,b\n1,2\n", "t.csv: no column '0'; the columns are 'a', 'b'",
                      {.columns = {"0"}});
  expect_text_refused("1,2\n",
                      "t.csv: no column 'c'; the file has no header, its columns are 1 to 2",
                      {.columns = {"c"}});
  expect_text_refused("a,b\n1,2\n", "t.csv: column '1' is selected twice", {.columns = {"a", "1"}});
  expect_text_refused("g\nx\n", "t.csv: no columns except the group", {.group_column = "g"});
  std::string header = "x1";
  for (int i = 2; i <= 33; ++i) header += ",x" + std::to_string(i);
  expect_text_refused(
      header + "\n",
      "t.csv: no column 'y'; the columns are 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', "
      "'x9', 'x10', 'x11', 'x12', 'x13', 'x14', 'x15', 'x16', 'x17', 'x18', 'x19', "
      "'x20', 'x21', 'x22', 'x23', 'x24', 'x25', 'x26', 'x27', 'x28', 'x29', 'x30' and "
      "3 more",
      {.columns = {"y"}});
}

TEST(ReadCsv, NamesTheCellThatIsNoNumber) {
  for (const std::string bad : {"abc", "0x10", "1.5x", "1e", "--1", "+-1", "++1", "+", "1e999"}) {
    expect_text_refused(
        "a,b,alcohol\n1,2,3\n\n1,2," + bad + "\n",
        "t.csv:4: column 3 (alcohol): \"" + bad +
            "\" is not a finite number; exclude columns of text, or convert them to numbers");
  }
}

TEST(ReadCsv, CountsLinesInsideQuotes) {
  expect_text_refused(
      "a,g\n1,\"x\ny\nz\"\n\nbad,w\n",
      "t.csv:6: column 1 (a): \"bad\" is not a finite number; exclude columns of text, "
      "or convert them to numbers",
      {.group_column = "g"});
  // a record that spans several lines is named by its first line
  expect_text_refused(
      "a,g\n\"x\ny\",w\n",
      "t.csv:2: column 1 (a): \"x?y\" is not a finite number; exclude columns of text, "
      "or convert them to numbers",
      {.group_column = "g"});
}

TEST(ReadCsv, ShortensLongCellsBetweenCharacters) {
  expect_text_refused(
      "a\n" + std::string(1000, 'z') + "\n",
      "t.csv:2: column 1 (a): \"" + std::string(40, 'z') +
          "...\" is not a finite number; exclude columns of text, or convert them to numbers");
  // 39 letters and a character of two bytes: cut before it
  expect_text_refused(
      "a\n" + std::string(39, 'z') + "\xC3\xA9\xC3\xA9\n",
      "t.csv:2: column 1 (a): \"" + std::string(39, 'z') +
          "...\" is not a finite number; exclude columns of text, or convert them to numbers");
}

TEST(ReadCsv, RefusesRaggedLines) {
  expect_text_refused("a,b\n1,2\n3\n", "t.csv:3: 1 cell, expected 2 as in line 1");
  expect_text_refused("\n1,2\n3,4,5\n", "t.csv:3: 3 cells, expected 2 as in line 2");
}

TEST(ReadCsv, RefusesFilesWithoutRows) {
  expect_text_refused("", "t.csv: the file is empty");
  expect_text_refused("\xEF\xBB\xBF\n \r\n", "t.csv: the file is empty");
  expect_text_refused("a,b\n", "t.csv: the file has a header but no rows");
}

TEST(ReadCsv, RefusesBrokenQuotesAndNulBytes) {
  expect_text_refused("a\n1\n\"2\n3\n", "t.csv:3: a quote is not closed");
  expect_text_refused("a\n\"1\"\"", "t.csv:2: a quote is not closed");
  expect_text_refused("a,b\n\"1\"2,3\n", "t.csv:2: unexpected text after a closing quote");
  expect_text_refused(std::string("a,b\n1,\0", 8),
                      "t.csv:2: found a NUL byte, expected UTF-8 or ASCII text");
}

TEST(ReadCsv, RefusesAnEmptyGroup) {
  expect_text_refused(
      "a,g\n1,x\n2,\n",
      "t.csv:3: column 2 (g): the group is empty; fill it in, or skip such rows with the "
      "option missing=skip",
      {.group_column = "g"});
}

// As spreadsheets write Latin-1. Names and labels become those of models, which are UTF-8.
TEST(ReadCsv, RefusesNamesAndGroupsThatAreNotUtf8) {
  const std::string remedy =
      "is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8";
  expect_text_refused(
      "x,Gr\xF6\xDF"
      "e\n1,2\n",
      "t.csv:1: the name of column 2, 'Gr??e', " + remedy);
  expect_text_refused("x,g\n1,a\n2,M\xFCnchen\n",
                      "t.csv:3: column 2 (g): the group \"M?nchen\" " + remedy,
                      {.group_column = "g"});
  const Table kept = read_text("x,note\n1,\xFE\n", {.columns = {"x"}, .keeps_others = true});
  EXPECT_EQ(kept.others.column(0), Names{"\xFE"});
}

// The table of well-formed sequences of the Unicode standard.
TEST(ReadCsv, KnowsUtf8) {
  const auto reads = [](const std::string& name) {
    try {
      return read_text("x" + name + "\n1\n").feature_names == Names{"x" + name};
    } catch (const IoError&) {
      return false;
    }
  };
  for (const char* text :
       {"\u00DF", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFD", "\U00010000", "\U0010FFFF"}) {
    EXPECT_TRUE(reads(text)) << text;
  }
  for (const char* text :
       {"\x80", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF", "\xE2\x82", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3\xC3", "\xE2\x82\x41"}) {
    EXPECT_FALSE(reads(text)) << testing::PrintToString(std::string(text));
  }
}

TEST(ReadCsv, NamesAFileThatIsNotThere) {
  const TemporaryFolder folder;
  const std::string path = (folder / "missing.csv").string();
  expect_error<IoError>([&] { (void)read_csv(path); },
                        "cannot read '" + path + "': No such file or directory");
}

TEST(ReadCsv, ReadsAFileAsItReadsAStream) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.csv", "a\n1\nx\n").string();
  expect_error<IoError>([&] { (void)read_csv(path); },
                        path +
                            ":3: column 1 (a): \"x\" is not a finite number; exclude columns of "
                            "text, or convert them to numbers");
  EXPECT_EQ(read_csv(folder.file("u.csv", "a\n1\n")).values, matrix({{1}}));
}

// More rows than the initial capacity, to test the growth of the matrix.
TEST(ReadCsv, ReadsManyRows) {
  std::string text = "i,square\n";
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i * i) + "\n";
  }
  const Table table = read_text(text);
  ASSERT_EQ(table.values.rows(), 5000);
  for (Index i = 0; i < 5000; ++i) {
    ASSERT_EQ(table.values(i, 0), static_cast<double>(i));
    ASSERT_EQ(table.values(i, 1), static_cast<double>(i * i));
  }
}

// Any bytes give a table or an IoError. The sanitizers detect other errors.
TEST(ReadCsv, SurvivesTruncatedAndDamagedText) {
  const std::string whole =
      "\xEF\xBB\xBF"
      "a,\"b \"\"q\"\"\",g\r\n1,\"2\",x\r\n3e5,-4.5,\"y\nz\"\n";
  const auto survives = [](const std::string& text) {
    try {
      const Table table = read_text(text, {.group_column = "3"});
      EXPECT_TRUE(table.values.allFinite());
      EXPECT_EQ(static_cast<Index>(table.groups.size()), table.values.rows());
      return true;
    } catch (const IoError&) {
      return false;
    }
  };
  for (std::size_t length = 0; length <= whole.size(); ++length) survives(whole.substr(0, length));
  Random random(11);
  const std::string alphabet("\",;\t\r\n 019.eE+-xa\xC3\0", 20);
  int n_read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = whole;
    for (std::uint64_t flips = 1 + random.below(3); flips > 0; --flips) {
      damaged[random.below(damaged.size())] = alphabet[random.below(alphabet.size())];
    }
    n_read += survives(damaged) ? 1 : 0;
  }
  EXPECT_GT(n_read, 500);  // both cases occur
  EXPECT_LT(n_read, 19'500);
}

}  // namespace
}  // namespace lbw
