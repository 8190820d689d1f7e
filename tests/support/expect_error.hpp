// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <source_location>
#include <string_view>

namespace lbw {

/// Passes if `call` throws an ExpectedError whose text equals `expected_message`.
///
///   expect_error<InvalidArgument>([&] { (void)match(cost); }, "match: cost is empty, ...");
template <typename ExpectedError, typename Call>
void expect_error(const Call& call, std::string_view expected_message,
                  std::source_location where = std::source_location::current()) {
  // reports the line of the test instead of this one
  const ::testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()),
                                     "expect_error called here");
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
