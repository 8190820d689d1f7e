// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

void expect_interrupted(int signal) {
  const Workbench bench;
  bench.write("kept.safetensors", "as it was");
  bench.make_pipe("pipe.csv");
  const std::set<std::string> before = bench.names();
  // with tolerance 0 EM does not converge
  RunningProgram program(bench.call({"fit", "A.csv", "pipe.csv", "-k", "3", "--tolerance", "0",
                                     "--max-iterations", "2000000000", "-o", "kept.safetensors"}));
  bench.feed("pipe.csv", bench.bytes("B.csv"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.send(signal);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 128 + signal);
  EXPECT_EQ(result.err, "lbw fit: interrupted, nothing was written\n");
  EXPECT_EQ(bench.bytes("kept.safetensors"), "as it was");
  EXPECT_EQ(bench.names(), before);
}

TEST(CliInterrupt, ControlCLeavesTheOldOutput) { expect_interrupted(SIGINT); }

TEST(CliInterrupt, TerminateLeavesTheOldOutput) { expect_interrupted(SIGTERM); }

/// Interrupts a command that reads its input `bytes` from the file "pipe".
void expect_stops(const Workbench& bench, std::vector<std::string> words,
                  const std::string& bytes) {
  bench.make_pipe("pipe");
  words.insert(words.end(), {"-k", "3", "--tolerance", "0", "--max-iterations", "2000000000"});
  RunningProgram program(bench.call(words));
  bench.feed("pipe", bytes);
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "lbw " + words[0] + ": interrupted, nothing was written\n");
  EXPECT_EQ(result.out, "");
}

TEST(CliInterrupt, SelectStopsToo) {
  const Workbench bench;
  expect_stops(bench, {"select", "pipe"}, bench.bytes("A.csv"));
}

TEST(CliInterrupt, MorphStopsToo) {
  const Workbench bench;
  bench.draw_shapes();
  expect_stops(bench, {"morph", "disc.png", "pipe", "-o", "out.png"}, bench.bytes("ring.png"));
  EXPECT_FALSE(bench.names().contains("out.png"));
}

}  // namespace
}  // namespace lbw
