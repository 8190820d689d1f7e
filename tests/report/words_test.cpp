// SPDX-License-Identifier: MIT
#include "report/words.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace lbw {
namespace {

TEST(Words, RoundToThreeDigits) {
  EXPECT_EQ(rounded(0.012345), "0.0123");
  EXPECT_EQ(rounded(-12.345), "-12.3");
  EXPECT_EQ(rounded(1234567.0), "1.23e+06");
  EXPECT_EQ(rounded(0.0), "0");
  EXPECT_EQ(rounded(std::numeric_limits<double>::infinity()), "none");
  EXPECT_EQ(rounded(std::numeric_limits<double>::quiet_NaN()), "none");
}

TEST(Words, GiveSharesInHundredths) {
  EXPECT_EQ(percent(0.1234), "12 %");
  EXPECT_EQ(percent(0.00312), "0.31 %");
  EXPECT_EQ(percent(1.0), "100 %");
  EXPECT_EQ(percent(0.0), "0 %");
}

TEST(TextTable, AlignsTextsToTheLeftAndNumbersToTheRight) {
  TextTable table({{"group", true}, {"n"}});
  EXPECT_EQ(table.text(), "");
  table.add({"a", "10"});
  table.add({"longer", "7"});
  EXPECT_EQ(table.text(),
            "group    n\n"
            "a       10\n"
            "longer   7\n");
}

TEST(TextTable, CountsTheOmittedRows) {
  TextTable table({{"n"}});
  for (const char* number : {"1", "2", "3", "4"}) table.add({number});
  EXPECT_EQ(table.text(2), "n\n1\n2\n... and 2 more\n");
  EXPECT_EQ(table.text(4), "n\n1\n2\n3\n4\n");
}

}  // namespace
}  // namespace lbw
