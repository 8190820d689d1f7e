// SPDX-License-Identifier: MIT
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <lbw/types.hpp>
#include <stdexcept>
#include <thread>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

TEST(Chunks, AreLongerForLargeResultsIfThereAreManyOfThem) {
  constexpr Index large = Index{1} << 20;
  EXPECT_EQ(Chunks::of(10'000, large).chunk_size, Chunks::of(10'000).chunk_size);
  EXPECT_EQ(Chunks::of(200'000, large).chunk_size, 3 * 1024);
  EXPECT_EQ(Chunks::of(2'000'000, large).chunk_size, 8 * 1024);
  EXPECT_EQ(Chunks::of(200'000, 1000).chunk_size, Chunks::of(200'000).chunk_size);
}

TEST(Chunks, CoverEveryIndexOnce) {
  for (const Index size : {1, 1023, 1024, 1025, 300'000, 1'000'003}) {
    const Chunks chunks = Chunks::of(size);
    Index next = 0;
    for (Index chunk = 0; chunk < chunks.count(); ++chunk) {
      EXPECT_EQ(chunks.begin(chunk), next);
      next = chunks.end(chunk);
    }
    EXPECT_EQ(next, size);
    EXPECT_LE(chunks.count(), 256);
  }
}

TEST(Chunks, BatchesCoverEveryIndexAndStartWhereChunksCould) {
  for (const Index n_columns : {1, 10, 3000, 1'000'000}) {
    const Chunks batches = Chunks::batches(5'000'003, n_columns);
    Index next = 0;
    for (Index batch = 0; batch < batches.count(); ++batch) {
      EXPECT_EQ(batches.begin(batch), next);
      EXPECT_EQ(next % 1024, 0);
      next += batches.size_of(batch);
    }
    EXPECT_EQ(next, 5'000'003);
    // 16 MiB, or 1024 rows if they take more
    EXPECT_LE(batches.chunk_size * n_columns, std::max<Index>(1 << 21, 1024 * n_columns));
  }
}

TEST(ResolvedThreads, AreOnePerCoreByDefault) {
  EXPECT_EQ(resolved_threads(0),
            std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  EXPECT_EQ(resolved_threads(1), 1);
  EXPECT_EQ(resolved_threads(7), 7);
}

double sum_of_inverses(int n_threads) {
  double total = 0.0;
  ordered_sum(100, {.n_threads = n_threads}, total, [](Index chunk) {
    double partial = 0.0;
    for (int i = 1; i <= 50; ++i) partial += 1.0 / static_cast<double>(chunk * 50 + i);
    return partial;
  });
  return total;
}

TEST(OrderedSum, HasTheSameBitsAtAnyThreadCount) {
  const double expected = sum_of_inverses(1);
  EXPECT_NEAR(expected, 9.0945, 1e-3);  // the harmonic number of 5000
  for (const int n_threads : {2, 3, 8}) EXPECT_EQ(sum_of_inverses(n_threads), expected);
}

TEST(ForEachChunkInOrder, MergesInOrderHoweverSlowTheFirstChunkIs) {
  std::vector<Index> merged;
  for_each_chunk_in_order(
      6, {.n_threads = 3},
      [](Index chunk) {
        if (chunk == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      },
      [&](Index chunk) { merged.push_back(chunk); });
  EXPECT_EQ(merged, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
}

TEST(ForEachChunk, RethrowsTheFailureOfTheLowestChunk) {
  for (const int n_threads : {1, 4}) {
    try {
      for_each_chunk(4, {.n_threads = n_threads}, [](Index chunk) {
        throw std::runtime_error("chunk " + std::to_string(chunk));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "chunk 0");
    }
  }
}

TEST(ForEachChunkInOrder, EndsWhenAMergeThrows) {
  EXPECT_THROW(for_each_chunk_in_order(
                   64, {.n_threads = 4}, [](Index) {},
                   [](Index chunk) {
                     if (chunk == 7) throw std::runtime_error("merge");
                   }),
               std::runtime_error);
}

TEST(ForEachChunk, StopsAtTheNextChunkWhenAsked) {
  for (const int n_threads : {1, 4}) {
    std::stop_source source;
    std::atomic<int> n_calls = 0;
    const Execution execution{.n_threads = n_threads, .stop = source.get_token()};
    const auto work = [&](Index) {
      if (++n_calls >= 3) source.request_stop();
    };
    expect_error<Interrupted>([&] { for_each_chunk(1000, execution, work); },
                              "interrupted: a stop was requested");
    EXPECT_GE(n_calls, 3);
    EXPECT_LT(n_calls, 3 + n_threads);
    expect_error<Interrupted>([&] { for_each_chunk_in_order(9, execution, work, [](Index) {}); },
                              "interrupted: a stop was requested");
  }
}

TEST(ForEachChunk, WorksInAForkedChildAfterUseInTheParent) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP();  // threads of a forked process are not supported by the thread sanitizer
#endif
  const double expected = sum_of_inverses(2);
  const pid_t child = fork();
  if (child == 0) _exit(sum_of_inverses(2) == expected ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace lbw
