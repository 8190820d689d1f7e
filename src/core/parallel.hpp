// SPDX-License-Identifier: MIT
// The thread loop. Work is divided into chunks that depend only on its size, and results are merged
// in the order of the chunks, so results are bitwise identical for every number of threads. The
// threads are those of thread_pool.hpp.
#pragma once

#include <algorithm>
#include <functional>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/indexing.hpp"

namespace lbw {

/// Consecutive pieces of [0, size), which depend only on size.
struct Chunks {
  Index size = 0;
  Index chunk_size = 1;

  [[nodiscard]] static Chunks of(Index size);
  /// Longer chunks if there are many, for partial results of this many numbers, because each one is
  /// cleared and added to the total.
  [[nodiscard]] static Chunks of(Index size, Index n_results);
  /// Pieces of about 16 MiB, for `size` rows of n_columns doubles each. Each piece starts at a
  /// possible chunk boundary, so rows are grouped into the same blocks as in a call for all rows.
  [[nodiscard]] static Chunks batches(Index size, Index n_columns);
  [[nodiscard]] Index count() const { return (size + chunk_size - 1) / chunk_size; }
  [[nodiscard]] Index begin(Index chunk) const { return chunk * chunk_size; }
  [[nodiscard]] Index end(Index chunk) const { return std::min(size, begin(chunk) + chunk_size); }
  [[nodiscard]] Index size_of(Index chunk) const { return end(chunk) - begin(chunk); }
};

/// n_threads, or the number of cores if it is 0.
[[nodiscard]] int resolved_threads(int n_threads);

/// The execution if there are enough multiply-adds to justify starting threads; otherwise the same
/// on one thread. Results are bitwise identical.
[[nodiscard]] Execution threads_worth(double multiply_adds, const Execution& execution);

/// The same execution with one thread.
[[nodiscard]] Execution on_one_thread(const Execution& execution);

/// @throws Interrupted  if execution.stop was requested
void throw_if_stopped(const Execution& execution);

/// Calls work(chunk) for every chunk. If chunks throw, the exception of the lowest one is rethrown.
/// @throws Interrupted  after execution.stop is requested; running chunks are finished first
void for_each_chunk(Index n_chunks, const Execution& execution,
                    const std::function<void(Index)>& work);

/// Like for_each_chunk. In addition, merge(chunk) runs for one chunk at a time, in ascending order.
/// Each thread holds at most one unmerged result.
void for_each_chunk_in_order(Index n_chunks, const Execution& execution,
                             const std::function<void(Index)>& work,
                             const std::function<void(Index)>& merge);

/// Sums one partial result per chunk with +=, in the order of the chunks.
template <typename Sum, typename MakePartial>
void ordered_sum(Index n_chunks, const Execution& execution, Sum& total,
                 const MakePartial& partial_of) {
  std::vector<Sum> partials(to_size(n_chunks));
  for_each_chunk_in_order(
      n_chunks, execution, [&](Index chunk) { at(partials, chunk) = partial_of(chunk); },
      [&](Index chunk) {
        total += at(partials, chunk);
        at(partials, chunk) = Sum();
      });
}

}  // namespace lbw
