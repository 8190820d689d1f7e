// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace lbw {

/// A pool of working memory for the chunks of one loop. A chunk reuses an idle state or creates
/// one, so there are as many states as threads.
template <typename State>
class IdleStates {
 public:
  /// Calls use(state) with a state that no other thread uses during the call.
  template <typename Make, typename Use>
  auto with(const Make& make, const Use& use) {
    std::unique_ptr<State> state = taken();
    if (!state) state = make();
    const Return back{*this, state};
    return use(*state);
  }

 private:
  struct Return {
    IdleStates& pool;
    std::unique_ptr<State>& state;
    Return(IdleStates& all, std::unique_ptr<State>& one) : pool(all), state(one) {}
    Return(const Return&) = delete;
    Return& operator=(const Return&) = delete;
    ~Return() {
      const std::lock_guard lock(pool.mutex_);
      pool.idle_.push_back(std::move(state));
    }
  };

  std::unique_ptr<State> taken() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<State> state = std::move(idle_.back());
    idle_.pop_back();
    return state;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<State>> idle_;
};

}  // namespace lbw
