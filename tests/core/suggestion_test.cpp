// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/suggestion.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lbw {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view alphabet = "abc";

/// The text and all texts that one letter inserted, removed, replaced or swapped with its neighbour
/// makes of it.
std::set<std::string> within_one_edit(const std::string& text) {
  std::set<std::string> found{text};
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (const char letter : alphabet) {
      found.insert(text.substr(0, i) + letter + text.substr(i));
      if (i < text.size()) found.insert(text.substr(0, i) + letter + text.substr(i + 1));
    }
    if (i < text.size()) found.insert(text.substr(0, i) + text.substr(i + 1));
    std::string swapped = text;
    if (i + 1 < text.size()) std::swap(swapped[i], swapped[i + 1]);
    found.insert(swapped);
  }
  return found;
}

/// All texts of a number of letters.
Words texts_of(std::size_t length) {
  Words texts{""};
  for (std::size_t i = 0; i < length; ++i) {
    Words longer;
    for (const std::string& text : texts) {
      for (const char letter : alphabet) longer.push_back(text + letter);
    }
    texts = std::move(longer);
  }
  return texts;
}

TEST(Suggestion, OfThreeToFiveLettersIsAWordThatDiffersByOneEdit) {
  for (const char* const word : {"abca", "abc", "aabb", "acbca"}) {
    const std::set<std::string> near = within_one_edit(word);
    const std::string expected = std::string("; did you mean '") + word + "'?";
    for (const std::size_t length : {3U, 4U, 5U}) {
      for (const std::string& typed : texts_of(length)) {
        EXPECT_EQ(suggestion(typed, Words{word}), near.count(typed) > 0 ? expected : "") << typed;
      }
    }
  }
}

TEST(Suggestion, AllowsOneEditForEveryThreeLettersUpToThree) {
  EXPECT_EQ(suggestion("xbcdey", Words{"abcdef"}), "; did you mean 'abcdef'?");
  EXPECT_EQ(suggestion("xbydez", Words{"abcdef"}), "");
  EXPECT_EQ(suggestion("xbydezghi", Words{"abcdefghi"}), "; did you mean 'abcdefghi'?");
  EXPECT_EQ(suggestion("xbydezgwijkl", Words{"abcdefghijkl"}), "");
}

TEST(Suggestion, IsTheNearestWordAndTheFirstOfThese) {
  EXPECT_EQ(suggestion("abcdxy", Words{"abcdzz", "abcdxz", "abcdzy"}), "; did you mean 'abcdxz'?");
}

TEST(Suggestion, IgnoresTheCaseOfLetters) {
  EXPECT_EQ(suggestion("AGE", Words{"Age"}), "; did you mean 'Age'?");
}

TEST(Suggestion, IsNoWordOfWhichNoLetterWasTyped) {
  EXPECT_EQ(suggestion("x", Words{"y"}), "");
  EXPECT_EQ(suggestion("xy", Words{"y"}), "");
  EXPECT_EQ(suggestion("", Words{"y"}), "");
}

TEST(Suggestion, LeavesOutTextsOfMoreThan64Letters) {
  const std::string most(64, 'a');
  const std::string more(65, 'a');
  EXPECT_EQ(suggestion(most, Words{most}), "; did you mean '" + most + "'?");
  EXPECT_EQ(suggestion(more, Words{most}), "");
  EXPECT_EQ(suggestion(most, Words{more}), "");
}

}  // namespace
}  // namespace lbw
