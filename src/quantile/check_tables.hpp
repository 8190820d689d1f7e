// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/quantile.hpp>
#include <string>

namespace lbw {

/// Throws InvalidArgument unless the table has two levels or more, and values that are finite, up
/// to 1e300 (differences must stay finite), and never decrease.
void check_table(const QuantileTable& table, const char* function, const std::string& argument);

/// Both tables, as many levels in each, an amount from 0 to 1.
void check_quantile_map(const QuantileMap& map, const char* function, const std::string& argument);

/// From 0 to 1.
void check_quantile_amount(double amount, const char* function, const std::string& argument);

}  // namespace lbw
