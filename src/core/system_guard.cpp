// SPDX-License-Identifier: MIT
// The handler of SIGBUS for mapped files, on Linux and macOS.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "core/system.hpp"

namespace lbw::system {

/// The handler reads the list of ranges while other threads change it, so ranges are never freed.
/// A new guard takes one that is not in use. `version` is odd while its owner changes it.
struct MemoryGuard::Range {
  std::atomic<unsigned> version = 0;
  std::atomic<std::uintptr_t> begin = 0;  // 0 if not in use
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<std::uintptr_t> lost = 0;  // the first page of zeros; 0 if there is none
  Range* next = nullptr;
};

namespace {

using Range = MemoryGuard::Range;

// The handler may use atomic variables only if they have no locks.
static_assert(std::atomic<Range*>::is_always_lock_free &&
              std::atomic<std::uintptr_t>::is_always_lock_free);

std::atomic<Range*> ranges = nullptr;
std::atomic<std::uintptr_t> page_size = 0;
struct sigaction previous_action {};

// Of all that follows, and of changes to `ranges`. A forked process has a mutex of its own, because
// another thread may have held this one.
std::mutex first_mutex;
std::atomic<std::mutex*> guard_mutex = &first_mutex;
[[maybe_unused]] const bool is_registered =
    call_in_forked_processes([] { guard_mutex = new std::mutex; });
int n_guards = 0;
bool is_installed = false;

std::uintptr_t page_of(std::uintptr_t address) { return address / page_size * page_size; }

/// The end of a range that has any of the bytes [first, last], or 0.
std::uintptr_t end_if_shared(const Range& range, std::uintptr_t first, std::uintptr_t last) {
  const unsigned version = range.version.load();
  const std::uintptr_t begin = range.begin.load();
  const std::uintptr_t end = range.end.load();
  // a range that changes meanwhile is not in use by the thread of this signal
  const bool is_stable = version % 2 == 0 && version == range.version.load();
  return is_stable && begin != 0 && begin <= last && first < end ? end : 0;
}

/// The end of the first range that contains an address, or 0.
std::uintptr_t end_of_range(std::uintptr_t address) {
  std::uintptr_t end = 0;
  for (const Range* range = ranges.load(); range != nullptr && end == 0; range = range->next) {
    end = end_if_shared(*range, address, address);
  }
  return end;
}

/// Several guards may protect parts of the same file.
void mark_lost(std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t last = page_of(end - 1) + page_size - 1;
  for (Range* range = ranges.load(); range != nullptr; range = range->next) {
    if (end_if_shared(*range, begin, last) == 0) continue;
    std::uintptr_t lost = range->lost.load();
    while ((lost == 0 || begin < lost) && !range->lost.compare_exchange_weak(lost, begin)) continue;
  }
}

bool replace_lost_pages(const siginfo_t& info) {
  if (info.si_code <= 0) return false;  // sent by a process, without an address
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const std::uintptr_t end = end_of_range(address);
  if (end == 0) return false;
  const std::uintptr_t begin = page_of(address);
  mark_lost(begin, end);  // before any thread can read the zeros
  return ::mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

/// Puts memory of an empty file in place of the zeros, so that the next access is an error again.
/// The memory may belong to someone who does not know of the guard.
void remove_zeros(std::uintptr_t begin, std::uintptr_t end) {
  void* const data = reinterpret_cast<void*>(begin);
  const std::size_t size = end - begin;
  const int file = create_empty();
  if (file < 0 || ::mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) {
    (void)::mprotect(data, size, PROT_NONE);
  }
  if (file >= 0) ::close(file);
}

// Does what would have happened without our handler.
void call_previous(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler == SIG_DFL) {
    // ends the process when this handler returns: the access fails again, or the signal arrives
    ::sigaction(signal, &previous_action, nullptr);
    if (info->si_code <= 0) (void)::raise(signal);
  } else if (previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else if (info->si_code > 0) {
    (void)::signal(signal, SIG_DFL);  // an access that fails cannot be ignored
  }
}

void handle(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (!replace_lost_pages(*info)) call_previous(signal, info, context);
  errno = error;
}

void install() {
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = &handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, nullptr, &previous_action);  // before the handler may need it
  is_installed = ::sigaction(SIGBUS, &action, nullptr) == 0;
}

// If another handler was installed in the meantime, it may call ours, which therefore stays.
void uninstall() {
  struct sigaction current {};
  ::sigaction(SIGBUS, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) == 0 || current.sa_sigaction != &handle) return;
  is_installed = ::sigaction(SIGBUS, &previous_action, nullptr) != 0;
}

Range* unused_range() {
  Range* range = ranges.load();
  while (range != nullptr && range->begin != 0) range = range->next;
  if (range != nullptr) return range;
  range = new Range;
  range->next = ranges.load();
  ranges = range;
  return range;
}

void set(Range& range, std::uintptr_t begin, std::uintptr_t end) {
  ++range.version;
  range.begin = begin;
  range.end = end;
  ++range.version;
}

}  // namespace

MemoryGuard::MemoryGuard(const char* data, std::size_t size) {
  const std::lock_guard lock(*guard_mutex.load());
  range_ = unused_range();
  range_->lost = 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  set(*range_, begin, begin + size);
  if (n_guards++ == 0 && !is_installed) install();
}

MemoryGuard::~MemoryGuard() {
  const std::lock_guard lock(*guard_mutex.load());
  const std::uintptr_t begin = page_of(range_->begin);
  const std::uintptr_t end = range_->end;
  set(*range_, 0, 0);
  if (has_lost_pages()) remove_zeros(std::max<std::uintptr_t>(range_->lost, begin), end);
  if (--n_guards == 0) uninstall();
}

bool MemoryGuard::has_lost_pages() const noexcept { return range_->lost != 0; }

}  // namespace lbw::system
