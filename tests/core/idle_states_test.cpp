// SPDX-License-Identifier: MIT
#include "core/idle_states.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "core/parallel.hpp"

namespace lbw {
namespace {

struct Counted {
  std::atomic<int> users = 0;
};

TEST(IdleStates, MakesNoMoreThanThereAreThreadsAndSharesNone) {
  IdleStates<Counted> states;
  std::atomic<int> made = 0;
  for_each_chunk(200, {.n_threads = 3}, [&](Index) {
    states.with(
        [&] {
          ++made;
          return std::make_unique<Counted>();
        },
        [](Counted& state) {
          EXPECT_EQ(++state.users, 1);
          --state.users;
        });
  });
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 3);
}

TEST(IdleStates, GetsAStateBackFromWorkThatThrows) {
  IdleStates<Counted> states;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_unique<Counted>();
  };
  EXPECT_THROW(states.with(make, [](Counted&) { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(states.with(make, [](Counted&) { return 7; }), 7);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace lbw
