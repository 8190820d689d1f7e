// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/quantile.hpp>
#include <string>

namespace lbw {

/// Throws InvalidArgument unless the table has at least two levels and its values are finite, up to
/// 1e300 (so that differences are finite), and non-decreasing.
void check_table(const QuantileTable& table, const char* function, const std::string& argument);

/// The same checks without a message, which takes longer to write than a table to check.
[[nodiscard]] bool is_valid(const QuantileTable& table);

/// Checks both tables, that they have equally many levels, and that the amount is from 0 to 1.
void check_quantile_map(const QuantileMap& map, const char* function, const std::string& argument);

/// The same checks without a message.
[[nodiscard]] bool is_valid(const QuantileMap& map);

/// Checks that the amount is from 0 to 1.
void check_quantile_amount(double amount, const char* function, const std::string& argument);

}  // namespace lbw
