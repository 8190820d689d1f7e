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

}  // namespace
}  // namespace lbw
