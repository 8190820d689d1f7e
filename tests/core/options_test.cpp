// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/options.hpp>
#include <lbw/samples.hpp>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

enum class Fruit { apple, pear, fig };

}  // namespace

template <>
struct EnumNames<Fruit> {
  static constexpr std::string_view option = "fruit";
  static constexpr NamedValue<Fruit> values[] = {
      {Fruit::apple, "apple"}, {Fruit::pear, "pear"}, {Fruit::fig, "fig"}};
};

namespace {

struct Fraction {
  bool automatic = false;
  double amount = 0.25;
};

struct Basket {
  bool ripe = false;
  int count = 3;
  Index most = 7;
  Index large = 5;
  std::uint64_t seed = 18'446'744'073'709'551'615u;
  std::optional<Index> some = {};
  double weight = 0.1;
  Fraction fraction = {};
  Fruit fruit = Fruit::pear;
};

std::vector<Option> options_of(Basket& basket) {
  return {boolean_option("ripe", basket.ripe, "Whether they are ripe"),
          integer_option("count", basket.count, {.least = 1}, "Number of fruits"),
          integer_option("most", basket.most, {.least = 0, .most = 9}, "Largest number"),
          integer_option("large", basket.large, {}, "Any number"),
          integer_option("seed", basket.seed, "Seed"),
          integer_option("some", basket.some, {.least = 1}, "auto", "Number of some"),
          number_option("weight", basket.weight, {.least = 0.0}, "Weight"),
          fraction_option("fraction", basket.fraction, "Fraction"),
          choice_option("fruit", basket.fruit, "Kind")};
}

void set(Basket& basket, std::string_view name, std::string_view text) {
  find_option(options_of(basket), name).set(text);
}

TEST(Options, TellTheirValuesAsText) {
  Basket basket;
  std::vector<std::string> texts;
  for (const Option& option : options_of(basket)) texts.push_back(option.text());
  EXPECT_EQ(texts, (std::vector<std::string>{"false", "3", "7", "5", "18446744073709551615", "auto",
                                             "0.1", "0.25", "pear"}));
}

TEST(Options, SetTheMembersOfTheirStruct) {
  Basket basket;
  set(basket, "ripe", "true");
  set(basket, "count", "12");
  set(basket, "most", "0");
  set(basket, "large", "9223372036854775807");
  set(basket, "seed", "18446744073709551614");
  set(basket, "some", "5");
  set(basket, "weight", "1e-3");
  set(basket, "fraction", "auto");
  set(basket, "fruit", "fig");
  EXPECT_TRUE(basket.ripe);
  EXPECT_EQ(basket.count, 12);
  EXPECT_EQ(basket.most, 0);
  EXPECT_EQ(basket.large, std::numeric_limits<Index>::max());
  EXPECT_EQ(basket.seed, 18'446'744'073'709'551'614u);
  EXPECT_EQ(basket.some, std::optional<Index>(5));
  EXPECT_EQ(basket.weight, 1e-3);
  EXPECT_TRUE(basket.fraction.automatic);
  EXPECT_EQ(basket.fruit, Fruit::fig);
  set(basket, "fraction", "1");
  EXPECT_FALSE(basket.fraction.automatic);
  EXPECT_EQ(basket.fraction.amount, 1.0);
  set(basket, "some", "all");
  EXPECT_EQ(basket.some, std::numeric_limits<Index>::max());
  set(basket, "some", "auto");
  EXPECT_FALSE(basket.some);
}

TEST(Options, SayWhatTheyExpect) {
  struct Case {
    const char* name;
    std::vector<const char*> bad;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"ripe", {"yes", "", "1"}, "true or false"},
      {"count", {"0", "-1", "1.5", "many", "", "3x", "99999999999"}, "a whole number >= 1"},
      {"most", {"-1", "10", "auto"}, "a whole number from 0 to 9"},
      {"seed", {"-1", "18446744073709551616", "1e3"}, "a whole number from 0 to 2^64 - 1"},
      {"some", {"0", "none", "9223372036854775808"}, "auto, all or a whole number >= 1"},
      {"large", {"9223372036854775808", "-9223372036854775809"}, "a whole number"},
      {"weight", {"-0.1", "nan", "inf", "1,5"}, "a number >= 0"},
      {"fraction", {"1.1", "-0.1", "automatic"}, "auto or a number from 0 to 1"},
      {"fruit", {"plum", "Apple", ""}, "apple, pear or fig"},
  };
  for (const Case& wanted : cases) {
    Basket basket;
    const std::vector<Option> options = options_of(basket);
    const Option& option = find_option(options, wanted.name);
    const std::string before = option.text();
    for (const char* text : wanted.bad) {
      EXPECT_FALSE(option.accepts(text)) << wanted.name << " " << text;
      expect_error<InvalidArgument>(
          [&] { option.set(text); },
          std::string(wanted.name) + " is '" + text + "', expected " + wanted.expected);
      EXPECT_EQ(option.text(), before);
    }
  }
}

TEST(Options, AreCheckedTogether) {
  Basket basket;
  check_options(options_of(basket), "pick");
  basket.weight = -2.0;
  expect_error<InvalidArgument>([&] { check_options(options_of(basket), "pick"); },
                                "pick: weight is -2, expected a number >= 0");
  basket.weight = 0.0;
  basket.fraction.amount = 3.0;
  expect_error<InvalidArgument>([&] { check_options(options_of(basket), "pick"); },
                                "pick: fraction is 3, expected auto or a number from 0 to 1");
}

TEST(Options, OfAnUnknownNameAreRefused) {
  Basket basket;
  expect_error<InvalidArgument>([&] { (void)find_option(options_of(basket), "colour"); },
                                "option: 'colour' is unknown, expected 'ripe', 'count', 'most', "
                                "'large', 'seed', 'some', 'weight', "
                                "'fraction' or 'fruit'");
}

TEST(EnumNames, LeadThereAndBack) {
  for (const Fruit fruit : {Fruit::apple, Fruit::pear, Fruit::fig}) {
    EXPECT_EQ(enum_from<Fruit>(to_string(fruit)), fruit);
  }
  expect_error<InvalidArgument>([] { (void)enum_from<Fruit>("plum"); },
                                "fruit: 'plum' is unknown, expected 'apple', 'pear' or 'fig'");
}

}  // namespace
}  // namespace lbw
