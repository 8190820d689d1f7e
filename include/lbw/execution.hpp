// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

namespace lbw {

/// How work is run. It never changes a result: bytes are the same at any thread count.
struct Execution {
  /// Threads used at most; 0 means one per core.
  int n_threads = 0;
  /// Asked to stop, work over samples ends with Interrupted at the next chunk of them, which is a
  /// small part of a pass. Without a source it cannot be asked.
  std::stop_token stop = {};
};

}  // namespace lbw
