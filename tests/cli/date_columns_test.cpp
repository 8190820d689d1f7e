// SPDX-License-Identifier: MIT
// lbw repair: columns of dates, some of which are numbers too.
#include <gtest/gtest.h>

#include <functional>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Cell = std::function<std::string(int)>;

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

/// Repairs 80 rows of two groups, with these cells in the column "c".
ProgramResult repaired(const Cell& cell, const std::vector<std::string>& options = {}) {
  const Workbench bench;
  std::string rows = "x,c,g\n";
  for (int i = 0; i < 80; ++i) {
    rows += std::to_string(i * 37 % 80 + 10 * (i % 2)) + "," + cell(i) + "," +
            (i % 2 == 0 ? "a\n" : "b\n");
  }
  bench.write("dates.csv", rows);
  std::vector<std::string> words = {"repair", "dates.csv",      "--protected",
                                    "g",      "--permutations", "0"};
  words.insert(words.end(), options.begin(), options.end());
  ProgramResult result = bench.lbw(words);
  EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 3) << result.err;
  return result;
}

bool is_warned_of(const Cell& cell, const std::string& example) {
  return repaired(cell).err.find(
             "lbw repair: warning: the numbers of column 'c' (for example " + example +
             ") look like dates and are repaired like other columns. If they are dates, name the "
             "column in --except, or replace them by numbers of days\n") != std::string::npos;
}

std::string day(int i) { return std::to_string(1 + i * 5 % 28); }
int month(int i) { return 1 + i * 7 % 12; }

TEST(CliDateColumns, NumbersThatLookLikeDatesAreReported) {
  EXPECT_TRUE(is_warned_of([](int i) { return day(i) + "." + two_digits(month(i)); }, "1.01"));
  EXPECT_TRUE(is_warned_of(
      [](int i) { return two_digits(1 + i % 28) + "." + two_digits(month(i)); }, "01.01"));
  EXPECT_TRUE(is_warned_of([](int i) { return day(i) + "." + std::to_string(month(i)); }, "1.1"));
  EXPECT_TRUE(is_warned_of(
      [](int i) { return std::to_string(month(i)) + "." + std::to_string(2000 + i % 20); },
      "1.2000"));
  EXPECT_TRUE(is_warned_of(
      [](int i) { return std::to_string(2025 + i % 2) + "." + two_digits(month(i)); }, "2025.01"));
  EXPECT_TRUE(is_warned_of(
      [](int i) { return "2026" + two_digits(month(i)) + two_digits(1 + i % 28); }, "20260101"));
}

TEST(CliDateColumns, RequestedAndExceptedColumnsAreNotReported) {
  const Cell dates = [](int i) { return day(i) + "." + two_digits(month(i)); };
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--columns", "x,c"}, std::vector<std::string>{"--except", "c"}}) {
    const ProgramResult result = repaired(dates, options);
    EXPECT_EQ(result.err.find("dates and"), std::string::npos) << result.err;
  }
}

TEST(CliDateColumns, OrdinaryNumbersAreNotReported) {
  const Cell numbers[] = {
      [](int i) { return day(i) + "." + two_digits(i * 37 % 100); },
      [](int i) { return day(i) + "." + std::to_string(1 + i % 9); },  // one decimal, never 0
      [](int i) { return day(i) + "." + (i % 4 == 0 ? "5" : two_digits(25 * (i % 4))); },
      [](int i) { return "1." + two_digits(month(i)); },                  // a narrow range
      [](int i) { return day(i % 3) + "." + two_digits(month(i % 3)); },  // three values
      [](int i) { return "-" + day(i) + "." + two_digits(month(i)); },
      [](int i) { return std::to_string(1950 + i); },
      [](int i) { return std::to_string(1950 + i) + ".5"; },
      [](int i) { return std::to_string(20001301 + i); },
      [](int i) { return i == 79 ? "3.57" : day(i) + "." + two_digits(month(i)); }};
  for (const Cell& cell : numbers) {
    const ProgramResult result = repaired(cell);
    EXPECT_EQ(result.err.find("look like dates"), std::string::npos) << cell(0) << result.err;
  }
}

TEST(CliDateColumns, OtherDatesAndTimesAreTextAndStayAsTheyAre) {
  const Cell texts[] = {
      [](int i) { return day(i) + "." + std::to_string(month(i)) + ".2026"; },
      [](int i) { return day(i) + "." + std::to_string(month(i)) + "."; },
      [](int i) { return "2026-" + two_digits(month(i)) + "-" + two_digits(1 + i % 28); },
      [](int i) { return two_digits(i % 24) + ":" + two_digits(i % 60); }};
  for (const Cell& cell : texts) {
    const ProgramResult result = repaired(cell);
    EXPECT_NE(result.err.find("columns without numbers are left unchanged and may reveal the "
                              "group: 'c' (text, for example '" +
                              cell(0) + "')"),
              std::string::npos)
        << result.err;
    EXPECT_NE(result.out.find("," + cell(79) + ",b\n"), std::string::npos) << result.out;
  }
}

}  // namespace
}  // namespace lbw
