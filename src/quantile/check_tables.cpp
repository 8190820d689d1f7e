// SPDX-License-Identifier: MIT
#include "quantile/check_tables.hpp"

#include <cmath>

#include "core/message.hpp"

namespace lbw {

namespace {

constexpr double largest_magnitude = 1e300;

}  // namespace

bool is_valid(const QuantileTable& table) {
  const Vector& values = table.values;
  const Index last = values.size() - 1;
  if (last < 1) return false;
  bool valid = values[0] >= -largest_magnitude && values[last] <= largest_magnitude;
  for (Index j = 0; j < last; ++j) valid &= values[j] <= values[j + 1];  // not if one is NaN
  return valid;
}

bool is_valid(const QuantileMap& map) {
  return is_valid(map.source) && is_valid(map.target) &&
         map.source.n_levels() == map.target.n_levels() && map.amount >= 0.0 && map.amount <= 1.0;
}

void check_table(const QuantileTable& table, const char* function, const std::string& argument) {
  if (is_valid(table)) return;
  const Vector& values = table.values;
  require(values.size() >= 2, function, ": ", argument, " has ", values.size(),
          " levels, expected 2 or more");
  for (Index j = 0; j < values.size(); ++j) {
    require(std::abs(values[j]) <= largest_magnitude, function, ": ", argument, " has the value ",
            values[j], " at level ", j, ", expected a finite number up to 1e+300");
    require(j == 0 || values[j - 1] <= values[j], function, ": ", argument, " decreases from ",
            values[std::max<Index>(j, 1) - 1], " to ", values[j], " at level ", j,
            ", expected non-decreasing values");
  }
}

void check_quantile_amount(double amount, const char* function, const std::string& argument) {
  require(amount >= 0.0 && amount <= 1.0, function, ": ", argument, " is ", amount,
          ", expected a number from 0 to 1");
}

void check_quantile_map(const QuantileMap& map, const char* function, const std::string& argument) {
  check_table(map.source, function, argument + ".source");
  check_table(map.target, function, argument + ".target");
  require(map.source.n_levels() == map.target.n_levels(), function, ": ", argument, ".source has ",
          map.source.n_levels(), " levels, ", argument, ".target ", map.target.n_levels(),
          ", expected equal numbers");
  check_quantile_amount(map.amount, function, argument + ".amount");
}

}  // namespace lbw
