// SPDX-License-Identifier: MIT
#include "core/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "support/forked.hpp"

namespace lbw {
namespace {

/// Threads of this process.
std::ptrdiff_t n_threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

/// Runs work on exactly three threads: each call waits until all have begun.
void run_on_three(const std::function<void()>& work = [] {}) {
  std::atomic<int> n_begun = 0;
  run_with_helpers(2, [&] {
    ++n_begun;
    while (n_begun < 3) std::this_thread::yield();
    work();
  });
}

TEST(ThreadPool, RunsHelpersAtTheSameTime) {
  std::atomic<int> n_calls = 0;
  run_on_three([&] { ++n_calls; });
  EXPECT_EQ(n_calls, 3);
}

TEST(ThreadPool, KeepsItsThreads) {
  run_on_three();
  const auto before = n_threads();
  for (int round = 0; round < 200; ++round) run_on_three();
  EXPECT_EQ(n_threads(), before);
}

TEST(ThreadPool, WithoutHelpersCallsOnThisThreadAlone) {
  std::set<std::thread::id> ids;
  run_with_helpers(0, [&] { ids.insert(std::this_thread::get_id()); });
  EXPECT_EQ(ids, std::set{std::this_thread::get_id()});
}

TEST(ThreadPool, DoesNotWaitForHelpersThatHaveNotBegun) {
  for (int round = 0; round < 500; ++round) {
    std::atomic<int> n_begun = 0;
    std::atomic<int> n_ended = 0;
    run_with_helpers(3, [&] {
      ++n_begun;
      ++n_ended;
    });
    EXPECT_GE(n_ended, 1);
    EXPECT_EQ(n_begun, n_ended);  // nothing runs after the return
  }
}

TEST(ThreadPool, CallsInsideOfCallsGetTheirHelpersToo) {
  std::atomic<int> n_calls = 0;
  run_on_three([&] { run_on_three([&] { ++n_calls; }); });
  EXPECT_EQ(n_calls, 9);
}

TEST(ThreadPool, CallsOfSeveralThreadsDoNotWaitForEachOther) {
  std::atomic<int> n_begun = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      // ends only if the twelve calls run at the same time
      run_with_helpers(2, [&] {
        ++n_begun;
        while (n_begun < 12) std::this_thread::yield();
      });
    });
  }
  callers.clear();
  EXPECT_EQ(n_begun, 12);
}

TEST(ThreadPool, WorksInAForkedProcess) {
  if (!may_fork) GTEST_SKIP();
  run_on_three();
  EXPECT_TRUE(ends_in_child([] { run_on_three(); }));
  run_on_three();  // the parent still has its threads
}

TEST(ThreadPool, WorksInAProcessForkedWhileOtherThreadsUseIt) {
  if (!may_fork_beside_threads) GTEST_SKIP();
  EXPECT_TRUE(ends_in_children_of_busy_threads(20, [] { run_on_three(); }));
}

// exit() runs destructors of static objects while the threads still wait
TEST(ThreadPool, LetsTheProcessExit) {
  if (!may_fork) GTEST_SKIP();
  EXPECT_EXIT(
      {
        run_on_three();
        std::exit(3);
      },
      ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace lbw
