// SPDX-License-Identifier: MIT
// Threads that stay for the life of the process and wait for work.
#pragma once

#include <functional>
#include <lbw/matrix.hpp>

namespace lbw {

/// Calls `work`, which must not throw, on this thread and at the same time on up to n_helpers
/// others. It returns when all calls have returned. Helpers that have not begun when the call on
/// this thread returns are not needed any more.
///
/// Any thread may call it at any time, also inside of `work`. Each call uses idle threads and
/// creates those that are missing, so calls never wait for each other. A forked process starts with
/// no threads and creates its own.
void run_with_helpers(Index n_helpers, const std::function<void()>& work);

}  // namespace lbw
