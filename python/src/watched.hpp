// SPDX-License-Identifier: MIT
// Long work under Python: the interpreter lock is free, Ctrl-C is heard, progress is shown.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <functional>
#include <lbw/samples.hpp>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace lbw::python {

namespace nb = nanobind;

/// Runs work on a thread of its own, while the thread that called from Python waits for it without
/// the interpreter lock, looks for signals a few times a second and makes the calls that the work
/// posts. Python code thus runs on the caller's thread only, as signal handlers and progress bars
/// expect.
class WatchedWork {
 public:
  using Work = std::function<void(std::stop_token)>;
  using Call = std::function<void()>;

  /// From the work, on any thread: `call` is made soon, with the interpreter lock held.
  void post(Call call);

  /// @throws what the work threw; what a posted call or a signal handler raised comes first, the
  ///         work being asked to stop
  void run(const Work& work);

 private:
  void wait_for_work(std::stop_source& source, std::exception_ptr& raised);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;
  bool done_ = false;
};

/// The result of work(stop), watched where there is enough of it to be worth a thread.
template <typename Work>
auto watched(SampleView samples, const Work& work) {
  constexpr Index worth_watching = Index{1} << 19;
  if (samples.n_samples() * samples.n_features() < worth_watching) {
    const nb::gil_scoped_release unlocked;
    return work(std::stop_token());
  }
  std::optional<decltype(work(std::stop_token()))> result;
  WatchedWork().run([&](const std::stop_token& stop) { result.emplace(work(stop)); });
  return std::move(*result);
}

}  // namespace lbw::python
