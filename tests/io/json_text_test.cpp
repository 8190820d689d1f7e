// SPDX-License-Identifier: MIT
#include "io/json_text.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <lbw/tensor_file.hpp>
#include <lbw/types.hpp>
#include <string>

#include "io/little_endian.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

/// An object of many entries: {"0":value,"1":value,...}.
std::string object_of(int n_entries, const std::string& value) {
  std::string text;
  for (int i = 0; i < n_entries; ++i) {
    text += (i == 0 ? "{\"" : ",\"") + std::to_string(i) + "\":" + value;
  }
  return text + "}";
}

// Both take less than a second. The parser's callbacks take quadratic time, more than 100 s each.
TEST(JsonText, IsReadInLinearTime) {
  constexpr int n_entries = 200'000;
  const std::string tensors =
      object_of(n_entries, R"({"dtype":"F64","shape":[0],"data_offsets":[0,0]})");
  std::string bytes;
  append_little_endian(bytes, std::uint64_t{tensors.size()});
  bytes += tensors;
  const std::clock_t start = std::clock();
  EXPECT_EQ(parse_json(object_of(n_entries, "{}"), "text").size(), std::size_t{n_entries});
  EXPECT_EQ(tensor_file_from_bytes(bytes, "m").tensors.size(), std::size_t{n_entries});
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 30.0);
}

TEST(JsonText, MayNestEightTimesAndRepeatKeysOfOtherObjects) {
  EXPECT_EQ(parse_json("[[[[[[[[1]]]]]]]]", "text").dump(), "[[[[[[[[1]]]]]]]]");
  const std::string repeated = R"([{"a":1,"b":{"a":[null,true,-2,0.5,"c"]}},{"a":1}])";
  EXPECT_EQ(parse_json(repeated, "text").dump(), repeated);
}

TEST(JsonText, ReportsTheFirstProblem) {
  const auto refused = [](const std::string& text, const std::string& expected_message) {
    expect_error<IoError>([&] { (void)parse_json(text, "text"); }, "text " + expected_message);
  };
  refused("[[[[[[[[[1]]]]]]]]]", "is nested deeper than 8");
  refused(R"([[[[[[[[{"a":1)", "is nested deeper than 8");
  refused(R"([{"b":{},"a":1,"a":1}])", "has two entries 'a'");
  refused(R"({"\u0061\u001b":1,"a\u001b":2,})", "has two entries 'a?'");
  refused(R"({"a":1,,"a":2})", "is not valid JSON (byte 8)");
  refused(R"({"a":1}{})", "is not valid JSON (byte 8)");
  refused("", "is not valid JSON (byte 1)");
  refused(R"({"a":1e999,"a":2})", "contains a number out of range");
}

}  // namespace
}  // namespace lbw
