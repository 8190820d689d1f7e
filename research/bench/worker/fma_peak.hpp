// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace lbw::bench {

/// Runs `rounds` rounds of independent multiply-adds on the best instruction set of this machine
/// and returns how many floating-point operations that was (two per multiply-add and lane).
double run_multiply_adds_f64(std::int64_t rounds);
double run_multiply_adds_f32(std::int64_t rounds);

/// Name of that instruction set, as Highway calls it.
std::string best_instruction_set();

}  // namespace lbw::bench
