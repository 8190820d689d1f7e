// SPDX-License-Identifier: MIT
// Work in a forked process, also while other threads of its parent hold locks.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace lbw {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool may_fork = false;  // it does not support threads of a forked process
#else
inline constexpr bool may_fork = true;
#endif

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool may_fork_beside_threads = false;  // one may hold the lock of its allocator
#else
inline constexpr bool may_fork_beside_threads = may_fork;
#endif

/// Whether work ends in a forked process, within five minutes.
template <typename Work>
[[nodiscard]] bool ends_in_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);
    work();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

/// Whether work ends in processes that are forked while a thread does the same work.
template <typename Work>
[[nodiscard]] bool ends_in_children_of_busy_threads(int n_children, const Work& work) {
  std::atomic<bool> stop = false;
  std::jthread busy([&] {
    while (!stop) work();
  });
  bool all_end = true;
  for (int child = 0; child < n_children && all_end; ++child) all_end = ends_in_child(work);
  stop = true;
  return all_end;
}

}  // namespace lbw
