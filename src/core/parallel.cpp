// SPDX-License-Identifier: MIT
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <lbw/types.hpp>
#include <mutex>
#include <thread>

#include "core/thread_pool.hpp"

namespace lbw {

namespace {

constexpr Index chunk_step = 1024;
constexpr Index most_chunks = 256;
constexpr Index values_a_batch = Index{1} << 21;

/// The state shared by the threads of one call.
class ChunkQueue {
 public:
  ChunkQueue(Index n_chunks, const Execution& execution, const std::function<void(Index)>& work,
             const std::function<void(Index)>* merge)
      : n_chunks_(n_chunks), execution_(execution), work_(work), merge_(merge) {}

  void run() {
    // A chunk is completed even if another one has failed in the meantime. Chunks are taken in
    // order, so all chunks below a failed one are run and the lowest failure is found.
    while (!failed_) {
      const Index chunk = next_++;
      if (chunk >= n_chunks_) return;
      try {
        throw_if_stopped(execution_);
        work_(chunk);
        if (merge_) merge_in_turn(chunk);
      } catch (...) {
        record_failure(chunk);
      }
    }
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void merge_in_turn(Index chunk) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return merged_ == chunk || failed_; });
    if (failed_) return;
    (*merge_)(chunk);
    ++merged_;
    turn_.notify_all();
  }

  // The lowest chunk wins, so the message does not depend on the speed of threads.
  void record_failure(Index chunk) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || chunk < failed_chunk_) {
      failure_ = std::current_exception();
      failed_chunk_ = chunk;
    }
    failed_ = true;
    turn_.notify_all();
  }

  const Index n_chunks_;
  const Execution& execution_;
  const std::function<void(Index)>& work_;
  const std::function<void(Index)>* merge_;
  std::atomic<Index> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::condition_variable turn_;
  Index merged_ = 0;
  Index failed_chunk_ = 0;
  std::exception_ptr failure_;
};

void run_queue(Index n_chunks, const Execution& execution, const std::function<void(Index)>& work,
               const std::function<void(Index)>* merge) {
  ChunkQueue queue(n_chunks, execution, work, merge);
  const Index n_helpers = std::min<Index>(resolved_threads(execution.n_threads), n_chunks) - 1;
  run_with_helpers(n_helpers, [&queue] { queue.run(); });
  queue.rethrow_failure();
}

}  // namespace

Chunks Chunks::of(Index size) {
  const Index most_steps = chunk_step * most_chunks;
  return {size, std::max<Index>(1, (size + most_steps - 1) / most_steps) * chunk_step};
}

Chunks Chunks::of(Index size, Index n_results) {
  constexpr Index results_a_step = Index{1} << 17;
  constexpr Index longest = 8;
  constexpr Index enough_chunks = 64;
  const Index wanted = std::min(longest, n_results / results_a_step);
  const Index possible = size / (enough_chunks * chunk_step);
  const Chunks chunks = of(size);
  return {size, std::max(chunks.chunk_size, std::min(wanted, possible) * chunk_step)};
}

Chunks Chunks::batches(Index size, Index n_columns) {
  return {size, std::max<Index>(1, values_a_batch / (chunk_step * n_columns)) * chunk_step};
}

int resolved_threads(int n_threads) {
  if (n_threads > 0) return n_threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Execution threads_worth(double multiply_adds, const Execution& execution) {
  constexpr double worth_waking = 4e6;  // a few tenths of a millisecond
  return multiply_adds < worth_waking ? on_one_thread(execution) : execution;
}

Execution on_one_thread(const Execution& execution) {
  Execution one = execution;
  one.n_threads = 1;
  return one;
}

void throw_if_stopped(const Execution& execution) {
  if (execution.stop.stop_requested()) throw Interrupted("interrupted: a stop was requested");
}

void for_each_chunk(Index n_chunks, const Execution& execution,
                    const std::function<void(Index)>& work) {
  run_queue(n_chunks, execution, work, nullptr);
}

void for_each_chunk_in_order(Index n_chunks, const Execution& execution,
                             const std::function<void(Index)>& work,
                             const std::function<void(Index)>& merge) {
  run_queue(n_chunks, execution, work, &merge);
}

}  // namespace lbw
