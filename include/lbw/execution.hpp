// SPDX-License-Identifier: MIT
#pragma once

namespace lbw {

/// How work is run. It never changes a result: bytes are the same at any thread count.
struct Execution {
  /// Threads used at most; 0 means one per core.
  int n_threads = 0;
};

}  // namespace lbw
