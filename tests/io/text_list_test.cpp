// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

namespace lbw {
namespace {

/// Compares counts and places with those of the definition, by the standard library.
void expect_found(const TextList& list, const std::vector<std::string>& texts) {
  for (const std::string wanted : {"", "a", "b", "ab", "abc", "ba", "aab", "c", "\xff", "zz"}) {
    const auto found = std::ranges::find(texts, wanted);
    EXPECT_EQ(list.find(wanted), static_cast<std::size_t>(found - texts.begin())) << wanted;
    EXPECT_EQ(list.count(wanted), static_cast<std::size_t>(std::ranges::count(texts, wanted)))
        << wanted;
  }
}

TEST(TextList, FindsTheSameWithAndWithoutPreparation) {
  Random random(3);
  for (const int size : {0, 1, 2, 7, 200}) {
    TextList list;
    std::vector<std::string> texts;
    for (int i = 0; i < size; ++i) {
      std::string text(random.below(4), 'a');
      for (char& letter : text) letter = random.below(2) == 0 ? 'a' : 'b';
      if (random.below(20) == 0) text = "\xff";
      texts.push_back(text);
      list.push_back(text);
    }
    expect_found(list, texts);
    list.prepare_search();
    expect_found(list, texts);
    list.push_back("abc");
    texts.push_back("abc");
    expect_found(list, texts);
    list.prepare_search();
    expect_found(list, texts);
  }
}

}  // namespace
}  // namespace lbw
