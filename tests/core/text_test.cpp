// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <lbw/options.hpp>
#include <vector>

namespace lbw {
namespace {

TEST(NumberFrom, ReadsTextsThatAreANumberAsAWhole) {
  EXPECT_EQ(number_from<int>("-12"), -12);
  EXPECT_EQ(number_from<double>("1e-3"), 1e-3);
  EXPECT_EQ(number_from<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "12x", " 12", "1.5", "99999999999"}) {
    EXPECT_EQ(number_from<int>(text), std::nullopt) << text;
  }
}

TEST(ChoiceList, PutsOrBeforeTheLast) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(choice_list(Names{}), "");
  EXPECT_EQ(choice_list(Names{"a"}), "a");
  EXPECT_EQ(choice_list(Names{"a", "b"}), "a or b");
  EXPECT_EQ(choice_list(Names{"a", "b", "c"}, "'"), "'a', 'b' or 'c'");
}

TEST(QuotedList, SeparatesByCommas) {
  EXPECT_EQ(quoted_list(std::vector<std::string>{"a", "b"}), "'a', 'b'");
}

TEST(QuotedList, NamesAtMostThirtyAndCountsTheRest) {
  std::vector<std::string> names;
  std::string expected;
  for (int i = 0; i < 30; ++i) {
    names.push_back(std::to_string(i));
    expected += (i == 0 ? "'" : ", '") + std::to_string(i) + "'";
  }
  EXPECT_EQ(quoted_list(names), expected);
  EXPECT_EQ(quoted_list(names, 7), expected + " and 7 more");
  names.resize(500'000, "x");
  EXPECT_EQ(quoted_list(names), expected + " and 499970 more");
  EXPECT_EQ(quoted_list(names, 30), expected + " and 500000 more");
  EXPECT_EQ(short_list(names).substr(0, 10), "0, 1, 2, 3");
  EXPECT_EQ(quoted_list(std::vector<std::string>{}), "");
}

TEST(Shortened, CutsNamesOfMoreThanHundredBytesBetweenCharacters) {
  const std::string letters(100, 'a');
  EXPECT_EQ(shortened(letters), letters);
  EXPECT_EQ(shortened(letters + "a"), letters + "...");
  const std::string nearly(98, 'a');
  EXPECT_EQ(shortened(nearly + "\u20AC"), nearly + "...");  // 3 bytes
  EXPECT_EQ(shortened(nearly + "\u00E4"), nearly + "\u00E4");
  EXPECT_EQ(shortened(nearly + "\u00E4b"), nearly + "\u00E4...");
  EXPECT_EQ(quoted_list(std::vector<std::string>{"b", std::string(1'000'000, 'a')}),
            "'b', '" + letters + "...'");
}

TEST(Shortened, CutsTextsThatAreNotUtf8AtMostThreeBytesEarlier) {
  EXPECT_EQ(shortened(std::string(200, '\x80')), std::string(97, '\x80') + "...");
}

}  // namespace
}  // namespace lbw
