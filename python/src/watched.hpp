// SPDX-License-Identifier: MIT
// Long computations under Python: they release the interpreter lock, react to Ctrl-C and report
// progress.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <functional>
#include <lbw/samples.hpp>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "interpreter_lock.hpp"

namespace lbw::python {

namespace nb = nanobind;

/// Runs work on a separate thread. The calling thread waits without the interpreter lock, checks
/// for signals a few times per second and makes the calls that the work posts. Python code
/// therefore runs only on the caller's thread, as signal handlers and progress bars require.
class WatchedWork {
 public:
  using Work = std::function<void(std::stop_token)>;
  using Call = std::function<void()>;

  /// Called by the work on any thread: schedules `call`, which runs with the interpreter lock held.
  void post(Call call);

  /// Calls `call` at every check for signals, with the interpreter lock held. Its exception stops
  /// the work.
  void poll(Call call) { poll_ = std::move(call); }

  /// @throws  the exception of the work, or the one of a posted call or signal handler, which stops
  /// the work
  void run(const Work& work);

 private:
  void wait_for_work(std::stop_source& source, std::exception_ptr& raised);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;
  Call poll_;
  bool done_ = false;
};

/// Number of multiplications of a fit of one Gaussian.
[[nodiscard]] inline Index products_of_moments(SampleView samples) {
  const Index d = samples.n_features();
  return (samples.n_samples() + d) * d * d;
}

/// Whether work of so many multiplications is too short to justify a separate thread.
[[nodiscard]] inline bool is_short_work(Index n_products) {
  constexpr Index most_products = Index{1} << 25;  // about ten milliseconds
  return n_products < most_products;
}

/// The result of work(stop), on a separate thread if it takes long enough.
template <typename Work>
auto watched(SampleView samples, const Work& work) {
  constexpr Index worth_watching = Index{1} << 19;
  if (samples.n_samples() * samples.n_features() < worth_watching) {
    const Unlocked unlocked;
    return work(std::stop_token());
  }
  std::optional<decltype(work(std::stop_token()))> result;
  WatchedWork().run([&](const std::stop_token& stop) { result.emplace(work(stop)); });
  return std::move(*result);
}

}  // namespace lbw::python
