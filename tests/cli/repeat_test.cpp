// SPDX-License-Identifier: MIT
// Results depend only on input, options and seed, not on the number of threads, the run or the
// path.
#include <gtest/gtest.h>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Words = std::vector<std::string>;

/// The bytes that a command writes to `output` with further arguments.
std::string written(const Workbench& bench, Words words, const Words& more,
                    const std::string& output) {
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-o", output});
  const ProgramResult result = bench.lbw(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string bytes = bench.bytes(output);
  EXPECT_FALSE(bytes.empty());
  return bytes;
}

void expect_repeats(const Workbench& bench, const Words& words, const std::string& extension) {
  const std::string once = written(bench, words, {"--threads", "1"}, "once" + extension);
  EXPECT_EQ(written(bench, words, {"--threads", "1"}, "again" + extension), once);
  EXPECT_EQ(written(bench, words, {"--threads", "2"}, "two" + extension), once);
  EXPECT_EQ(written(bench, words, {"--threads", "5"}, "five" + extension), once);
  EXPECT_EQ(written(bench, words, {}, "default" + extension), once);
}

/// Enough rows for several chunks.
void make_large_table(const Workbench& bench) {
  std::string rows = bench.bytes("A.csv");
  const std::string body = rows.substr(rows.find('\n') + 1);
  for (int i = 0; i < 100; ++i) rows += body;
  bench.write("large.csv", rows);
}

TEST(CliRepeat, FitWritesTheSameBytesAtAnyThreadCount) {
  const Workbench bench;
  make_large_table(bench);
  expect_repeats(bench, {"fit", "large.csv", "B.csv", "-k", "4", "--n-init", "2"}, ".safetensors");
}

TEST(CliRepeat, TransportWritesTheSameBytesAtAnyThreadCount) {
  const Workbench bench;
  bench.fit_model();
  make_large_table(bench);
  expect_repeats(bench, {"transport", "model.safetensors", "large.csv", "--from", "A", "--to", "B"},
                 ".csv");
}

TEST(CliRepeat, BarycenterWritesTheSameBytesAtAnyThreadCount) {
  const Workbench bench;
  bench.fit_model();
  expect_repeats(bench, {"barycenter", "model.safetensors"}, ".csv");
  expect_repeats(bench, {"barycenter", "model.safetensors", "--sample", "9000", "--seed", "3"},
                 ".npy");
}

TEST(CliRepeat, MorphDrawsTheSamePictureAtAnyThreadCount) {
  const Workbench bench;
  bench.draw_shapes();
  expect_repeats(bench,
                 {"morph", "disc.png", "bars.png", "-k", "6", "--points", "3000", "--cell", "40",
                  "--grid", "3"},
                 ".png");
}

TEST(CliRepeat, AnotherSeedGivesOtherBytes) {
  const Workbench bench;
  bench.fit_model();
  const Words words = {"barycenter", "model.safetensors", "--sample", "10"};
  EXPECT_NE(written(bench, words, {"--seed", "1"}, "one.csv"),
            written(bench, words, {"--seed", "2"}, "two.csv"));
}

}  // namespace
}  // namespace lbw
