// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace lbw {

/// Calls `check` on every instruction set of this machine and, last, on the scalar one.
template <typename Check>
void for_each_instruction_set(const Check& check) {
  std::int64_t targets = hwy::SupportedTargets();
  for (; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::GetChosenTarget().DeInit();  // the next call selects the best set again
}

}  // namespace lbw
