// SPDX-License-Identifier: MIT
// Tables from text, for the tests of the CSV reader.
#pragma once

#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/expect_error.hpp"

namespace lbw {

using Names = std::vector<std::string>;

inline Table read_text(const std::string& text, const CsvOptions& options = {}) {
  std::istringstream stream(text);
  return read_csv(stream, "t.csv", options);
}

inline void expect_text_refused(const std::string& text, const std::string& expected_message,
                                const CsvOptions& options = {}) {
  SCOPED_TRACE(text);
  expect_error<IoError>([&] { (void)read_text(text, options); }, expected_message);
}

}  // namespace lbw
