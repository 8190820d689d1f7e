// SPDX-License-Identifier: MIT
#include "core/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/system.hpp"

namespace lbw {

namespace {

class ThreadPool {
 public:
  void run(Index n_helpers, const std::function<void()>& work) {
    Job job{work, system::current_processor(), n_helpers, 0};
    begin(job);
    work();
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    job.finished.wait(lock, [&] { return job.n_running == 0; });
  }

 private:
  struct Job {
    const std::function<void()>& work;
    int processor;    ///< of the caller
    Index n_wanted;   ///< helpers that have not begun
    Index n_running;  ///< helpers that have not ended
    std::condition_variable finished = {};
  };

  void begin(Job& job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    Index n_wanted = 0;
    for (const Job* waiting : jobs_) n_wanted += waiting->n_wanted;
    try {
      for (; n_idle_ < n_wanted; ++n_idle_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      // The system has no more threads: the others do the work.
    }
    for (Index i = 0; i < job.n_wanted; ++i) wake_.notify_one();
  }

  /// The loop of a thread, which counts as idle from the beginning.
  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return !jobs_.empty(); });
      Job& job = *jobs_.front();
      if (--job.n_wanted == 0) jobs_.pop_front();
      ++job.n_running;
      --n_idle_;
      lock.unlock();
      system::leave_processor(job.processor);
      job.work();
      lock.lock();
      ++n_idle_;
      if (--job.n_running == 0) job.finished.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> jobs_;  ///< that want helpers, in the order of their calls
  Index n_idle_ = 0;
};

// The pool is never destroyed: its threads may outlive the static objects of the process.
std::atomic<ThreadPool*> current_pool = nullptr;

// A forked process has none of the threads, and another thread may have held the lock. This is
// registered before main, because a lock of the first call could be held during a fork too.
[[maybe_unused]] const bool is_registered =
    system::call_in_forked_processes([] { current_pool = nullptr; });

ThreadPool& pool() {
  ThreadPool* existing = current_pool.load();
  if (existing != nullptr) return *existing;
  auto* const created = new ThreadPool;
  if (current_pool.compare_exchange_strong(existing, created)) return *created;
  delete created;  // another thread was faster
  return *existing;
}

}  // namespace

void run_with_helpers(Index n_helpers, const std::function<void()>& work) {
  if (n_helpers > 0) {
    pool().run(n_helpers, work);
  } else {
    work();
  }
}

}  // namespace lbw
