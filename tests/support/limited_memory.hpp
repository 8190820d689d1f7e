// SPDX-License-Identifier: MIT
// Runs functions in child processes, and with little memory.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <exception>
#include <fstream>
#include <functional>
#include <new>
#include <string>

namespace lbw {

/// Whether a limit on the address space can be tested: sanitizers reserve terabytes of it.
inline constexpr bool can_limit_memory =
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#elif defined(__has_feature)
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
    true;
#endif

/// Limits the address space of this process to its current size and some bytes more.
inline void limit_memory(std::size_t more) {
  std::size_t n_pages = 0;
  std::ifstream("/proc/self/statm") >> n_pages;
  const rlim_t size = n_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
  const rlimit limit{size, size};
  ::setrlimit(RLIMIT_AS, &limit);
}

/// The text that a function returns in a child process; empty if the process ended before.
inline std::string text_of_child(const std::function<std::string()>& function) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = function();
    const bool sent = ::write(ends[1], text.data(), text.size()) > 0;
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  char buffer[4096];
  const ::ssize_t count = ::read(ends[0], buffer, sizeof buffer);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return {buffer, count > 0 ? static_cast<std::size_t>(count) : 0};
}

/// What a function says that runs in a child process with this many bytes of memory: "done", "not
/// enough memory" or the text of its exception.
inline std::string outcome_within(std::size_t n_bytes, const std::function<void()>& function) {
  const std::string outcome = text_of_child([&]() -> std::string {
    limit_memory(n_bytes);
    try {
      function();
    } catch (const std::bad_alloc&) {
      return "not enough memory";
    } catch (const std::exception& error) {
      return error.what();
    }
    return "done";
  });
  return outcome.empty() ? "the process ended" : outcome;
}

}  // namespace lbw
