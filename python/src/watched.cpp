// SPDX-License-Identifier: MIT
#include "watched.hpp"

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace lbw::python {

namespace {

constexpr std::chrono::milliseconds between_looks(50);

/// Makes the calls and runs Python's signal handlers; returns their exception, if any.
std::exception_ptr with_python(const std::vector<WatchedWork::Call>& calls,
                               const WatchedWork::Call& poll) {
  const Locked locked;
  try {
    for (const WatchedWork::Call& call : calls) call();
    if (poll) poll();
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

void WatchedWork::post(Call call) {
  const std::lock_guard lock(mutex_);
  calls_.push_back(std::move(call));
  changed_.notify_one();
}

void WatchedWork::wait_for_work(std::stop_source& source, std::exception_ptr& raised) {
  const Unlocked unlocked;
  std::unique_lock lock(mutex_);
  while (!done_ || !calls_.empty()) {
    changed_.wait_for(lock, between_looks, [&] { return done_ || !calls_.empty(); });
    const std::vector<Call> calls = std::exchange(calls_, {});
    lock.unlock();
    if (!raised) raised = with_python(calls, poll_);
    if (raised) source.request_stop();
    lock.lock();
  }
}

void WatchedWork::run(const Work& work) {
  std::stop_source source;
  std::exception_ptr raised;
  std::exception_ptr failure;
  {
    const std::jthread worker([&] {
      try {
        work(source.get_token());
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_one();
    });
    wait_for_work(source, raised);
  }  // the worker is joined here
  if (raised) std::rethrow_exception(raised);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lbw::python
