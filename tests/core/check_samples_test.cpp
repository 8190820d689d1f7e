// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "core/message.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CheckSamples, NamesTheFirstBadRowAtAnyThreadCount) {
  RowMatrix samples = RowMatrix::Zero(300'000, 2);
  samples(250'000, 1) = nan;
  samples(299'999, 0) = nan;
  for (const int n_threads : {1, 2, 5}) {
    expect_error<InvalidArgument>(
        [&] { check_samples(samples, "f", "x", {n_threads}); },
        "f: x contains nan at row 250000, column 1 (counted from 0), expected finite values");
  }
}

TEST(CheckSamples, ReadsFloatsAndRowsApart) {
  RowMatrix wide = RowMatrix::Constant(10, 5, nan);
  wide.leftCols(2).setZero();
  check_samples(wide.leftCols(2), "f", "x", {1});  // the values between the rows are ignored
  wide(4, 1) = 1e101;
  expect_error<InvalidArgument>(
      [&] { check_samples(wide.leftCols(2), "f", "x", {1}); },
      "f: x contains 1e+101 at row 4, column 1 (counted from 0), expected "
      "finite values up to 1e+100; rescale that feature");
  RowMatrixF floats = RowMatrixF::Zero(3, 2);
  check_samples(floats, "f", "x", {1});
  floats(2, 0) = -std::numeric_limits<float>::infinity();
  expect_error<InvalidArgument>(
      [&] { check_samples(floats, "f", "x", {1}); },
      "f: x contains -inf at row 2, column 0 (counted from 0), expected finite values");
}

}  // namespace
}  // namespace lbw
