// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace lbw::bench {

/// Runs `rounds` rounds of independent multiply-adds on the best instruction set of this machine
/// and returns the number of floating-point operations (two per multiply-add and lane).
double run_multiply_adds_f64(std::int64_t rounds);
double run_multiply_adds_f32(std::int64_t rounds);

/// Highway's name of that instruction set.
std::string best_instruction_set();

}  // namespace lbw::bench
