// SPDX-License-Identifier: MIT
// The thread loop. Work is cut into chunks that depend on its size alone and results are merged in
// the order of the chunks, so that every thread count gives the same bits. Threads live for one
// call: nothing survives into a forked child.
#pragma once

#include <algorithm>
#include <functional>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/indexing.hpp"

namespace lbw {

/// Consecutive pieces of [0, size), fixed by size alone.
struct Chunks {
  Index size = 0;
  Index chunk_size = 1;

  [[nodiscard]] static Chunks of(Index size);
  /// Pieces for a caller that takes one result at a time: of about 16 MiB when each of the `size`
  /// rows has this many doubles. Every one starts where a chunk could, so rows meet the same
  /// neighbours in a block as in a call for all of them.
  [[nodiscard]] static Chunks batches(Index size, Index n_columns);
  [[nodiscard]] Index count() const { return (size + chunk_size - 1) / chunk_size; }
  [[nodiscard]] Index begin(Index chunk) const { return chunk * chunk_size; }
  [[nodiscard]] Index end(Index chunk) const { return std::min(size, begin(chunk) + chunk_size); }
  [[nodiscard]] Index size_of(Index chunk) const { return end(chunk) - begin(chunk); }
};

/// n_threads, or the number of cores for 0.
[[nodiscard]] int resolved_threads(int n_threads);

/// The execution where there are enough multiply-adds to make up for waking its threads, otherwise
/// the same on one thread. The bits are the same either way.
[[nodiscard]] Execution threads_worth(double multiply_adds, const Execution& execution);

/// The same work on one thread.
[[nodiscard]] Execution on_one_thread(const Execution& execution);

/// Calls work(chunk) for every chunk. An exception of the lowest chunk that threw is rethrown.
/// @throws Interrupted  once execution.stop asks for it; chunks at work are finished
void for_each_chunk(Index n_chunks, const Execution& execution,
                    const std::function<void(Index)>& work);

/// As above; afterwards merge(chunk) runs in ascending order of chunks, one at a time, as soon as
/// its turn has come. Each thread holds at most one unmerged result.
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
