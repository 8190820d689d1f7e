// SPDX-License-Identifier: MIT
#include "quantile/check_tables.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(CheckTable, TakesWhatIsATable) {
  EXPECT_NO_THROW(check_table({Vector{{0.0, 0.0}}}, "f", "t"));
  EXPECT_NO_THROW(check_table({Vector{{-1e300, 0.0, 1e300}}}, "f", "t"));
}

TEST(CheckTable, NamesWhatIsWrong) {
  const auto refused = [](const Vector& values, const char* expected_message) {
    expect_error<InvalidArgument>([&] { check_table({values}, "f", "t"); }, expected_message);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused(Vector{{1.0}}, "f: t has 1 levels, expected 2 or more");
  refused(Vector{{1.0, nan}},
          "f: t has the value nan at level 1, expected a finite number up to 1e+300");
  refused(Vector{{-1e301, 1.0}},
          "f: t has the value -1e+301 at level 0, expected a finite number up to 1e+300");
  refused(Vector{{1.0, 2.0, 1.5}},
          "f: t decreases from 2 to 1.5 at level 2, expected non-decreasing values");
}

TEST(CheckQuantileMap, LooksAtBothTablesAndTheAmount) {
  const QuantileTable two{Vector{{0.0, 1.0}}};
  const QuantileTable three{Vector{{0.0, 1.0, 2.0}}};
  const auto refused = [](const QuantileMap& map, const char* expected_message) {
    expect_error<InvalidArgument>([&] { check_quantile_map(map, "f", "m"); }, expected_message);
  };
  EXPECT_NO_THROW(check_quantile_map({two, two, 0.5}, "f", "m"));
  refused({{}, two}, "f: m.source has 0 levels, expected 2 or more");
  refused({two, {}}, "f: m.target has 0 levels, expected 2 or more");
  refused({two, three}, "f: m.source has 2 levels, m.target 3, expected equal numbers");
  refused({two, two, 1.5}, "f: m.amount is 1.5, expected a number from 0 to 1");
}

}  // namespace
}  // namespace lbw
