// SPDX-License-Identifier: MIT
// Columns that are neither features nor the group are kept as text, in their places.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <sstream>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

constexpr const char* people =
    "id;name;height;born;site;weight\n"
    "007;\"Doe; \"\"J\"\"\";1.8;1990-01-31;north;80\n"
    "8;;1.7;;south;70\n";

Table people_table(const CsvOptions& options) {
  std::istringstream input(people);
  return read_csv(input, "people.csv", options);
}

std::string text_of(const Table& table) {
  std::ostringstream stream;
  write_csv(stream, table);
  return stream.str();
}

TEST(CsvOtherColumns, ComeBackInTheirPlaces) {
  const Table table = people_table({.group_column = "site",
                                    .key_column = "id",
                                    .columns = {"weight", "height"},
                                    .keeps_others = true});
  EXPECT_EQ(table.feature_names, (std::vector<std::string>{"weight", "height"}));
  EXPECT_EQ(table.values, (RowMatrix{{80.0, 1.8}, {70.0, 1.7}}));
  ASSERT_EQ(table.others.count, 3U);
  EXPECT_EQ(table.others.name(0), "id");
  EXPECT_EQ(table.others.column(0), (std::vector<std::string>{"007", "8"}));
  EXPECT_EQ(table.keys.size(), 2U);
  EXPECT_EQ(text_of(table),
            "id,name,height,born,site,weight\n"
            "007,\"Doe; \"\"J\"\"\",1.8,1990-01-31,north,80\n"
            "8,,1.7,,south,70\n");
}

TEST(CsvOtherColumns, AreNotReadUnlessTheyAreAskedFor) {
  const Table table = people_table({.columns = {"weight", "height"}});
  EXPECT_EQ(table.others.count, 0U);
  EXPECT_TRUE(table.places.empty());
  EXPECT_EQ(text_of(table), "weight,height\n80,1.8\n70,1.7\n");
}

TEST(CsvOtherColumns, ExpectedColumnsAreTheFeatures) {
  CsvOptions options;
  options.expected_columns = {"weight", "height"};
  EXPECT_EQ(people_table(options).feature_names, options.expected_columns);
  options.expected_columns = {"weight", "age"};  // the caller says what is missing
  EXPECT_EQ(people_table(options).feature_names, std::vector<std::string>{"weight"});
  options.columns = {"height"};  // what was asked for goes first
  EXPECT_EQ(people_table(options).feature_names, options.columns);
}

TEST(CsvOtherColumns, ExpectedNamesMakeALineOfNumbersAHeader) {
  std::istringstream input("1990,1991\n1,2\n");
  const Table table = read_csv(input, "years.csv", {.expected_columns = {"1991", "1990"}});
  EXPECT_EQ(table.values, (RowMatrix{{2.0, 1.0}}));
}

TEST(CsvOtherColumns, HaveNoNamesWithoutAHeader) {
  std::istringstream input("5,a,6\n7,b,8\n");
  const Table table =
      read_csv(input, "bare.csv",
               {.header = CsvHeader::absent, .columns = {"3", "1"}, .keeps_others = true});
  EXPECT_EQ(table.values, (RowMatrix{{6.0, 5.0}, {8.0, 7.0}}));
  EXPECT_EQ(text_of(table), "5,a,6\n7,b,8\n");
}

TEST(CsvOtherColumns, OfAnotherLengthAreRefused) {
  Table table{{"x"}, RowMatrix{{1.0}}, "", {}};
  table.others = {1, {"name"}, {"a", "b"}};
  expect_error<InvalidArgument>([&] { (void)text_of(table); },
                                "write_csv: others has 2 cells, expected 1 for 1 column and 1 row");
  table.others = {1, {"name", "place"}, {"a"}};
  expect_error<InvalidArgument>([&] { (void)text_of(table); },
                                "write_csv: others has 2 names, expected 1");
  table.others = {1, {"name"}, {"a"}};
  table.places = {0};
  expect_error<InvalidArgument>([&] { (void)text_of(table); },
                                "write_csv: places has 1 entry, expected 2, one for each column");
}

}  // namespace
}  // namespace lbw
