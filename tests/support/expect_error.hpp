// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string_view>

namespace lbw {

/// Passes if `call` throws an ExpectedError whose text equals `expected_message`.
///
///   expect_error<InvalidArgument>([&] { (void)match(cost); }, "match: cost is empty, ...");
template <typename ExpectedError, typename Call>
void expect_error(const Call& call, std::string_view expected_message,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  // reports the line of the test instead of this one; Clang 14 has no std::source_location
  const ::testing::ScopedTrace trace(file, line, "expect_error called here");
  try {
    call();
  } catch (const ExpectedError& error) {
    EXPECT_EQ(std::string_view(error.what()), expected_message);
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error was thrown: " << error.what();
    return;
  }
  ADD_FAILURE() << "nothing was thrown, expected: " << expected_message;
}

}  // namespace lbw
