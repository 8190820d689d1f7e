// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
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

/// Runs the program, which is killed if it waits for five minutes.
ProgramCall not_forever(const Workbench& bench, std::vector<std::string> words) {
  ProgramCall call = bench.call({});
  words.insert(words.begin(), {"--foreground", "--kill-after=5", "300", call.program.string()});
  call.program = "/usr/bin/timeout";
  call.arguments = words;
  return call;
}

/// Interrupts a command that computes with a table of many groups. All of its steps take hours.
void expect_stops_computing(const Workbench& bench, std::vector<std::string> words) {
  SCOPED_TRACE(words.front());
  std::string table = "x,g\n";
  for (int i = 0; i < 4000; ++i) {
    table += std::to_string(i * 37 % 4001) + ".5,s" + std::to_string(i % 400) + "\n";
  }
  bench.make_pipe("pipe");
  words.insert(words.end(), {"pipe", "--protected", "g", "--permutations", "100000"});
  RunningProgram program(not_forever(bench, words));
  bench.feed("pipe", table);
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "lbw " + words[0] + ": interrupted, nothing was written\n");
  EXPECT_EQ(result.out, "");
  std::filesystem::remove(bench / "pipe");
}

TEST(CliInterrupt, PairsOfManyGroupsAreNotWaitedFor) {
  const Workbench bench;
  expect_stops_computing(bench, {"score", "--score", "x"});
  expect_stops_computing(bench, {"repair", "-o", "out.csv", "--refine", "0"});
  EXPECT_FALSE(bench.names().contains("out.csv"));
}

#if defined(__SANITIZE_THREAD__)
// It runs signal handlers when a system call returns, and waiting for a pipe does not return.
constexpr bool delays_signals = true;
#else
constexpr bool delays_signals = false;
#endif

/// Interrupts a command that waits for the writer of the pipe "second". Its first input is "first".
void expect_stops_waiting(const Workbench& bench, const std::vector<std::string>& words,
                          const std::string& first, int signal) {
  SCOPED_TRACE(words.front());
  bench.make_pipe("first");
  bench.make_pipe("second");
  RunningProgram program(not_forever(bench, words));
  bench.feed("first", bench.bytes(first));
  program.send(signal);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 128 + signal);
  EXPECT_EQ(result.err, "lbw " + words[0] + ": interrupted, nothing was written\n");
  std::filesystem::remove(bench / "first");
  std::filesystem::remove(bench / "second");
}

TEST(CliInterrupt, InputsThatNobodyWritesAreNotWaitedFor) {
  if (delays_signals) GTEST_SKIP() << "the thread sanitizer delays signals";
  const Workbench bench;
  bench.fit_model();
  bench.draw_shapes();
  expect_stops_waiting(bench, {"fit", "first", "second", "-o", "m"}, "A.csv", SIGINT);
  expect_stops_waiting(bench, {"transport", "first", "second", "--from", "A", "--to", "B"},
                       "model.safetensors", SIGTERM);
  expect_stops_waiting(bench, {"repair", "--model", "first", "second", "--protected", "site"},
                       "model.safetensors", SIGTERM);
  expect_stops_waiting(bench, {"inspect", "first", "--data", "A=second", "B=B.csv"},
                       "model.safetensors", SIGINT);
  expect_stops_waiting(bench, {"morph", "first", "second", "-o", "out.png"}, "disc.png", SIGTERM);
  EXPECT_FALSE(bench.names().contains("m"));
}

TEST(CliInterrupt, AWriterThatStopsIsNotWaitedFor) {
  if (delays_signals) GTEST_SKIP() << "the thread sanitizer delays signals";
  const Workbench bench;
  bench.make_pipe("pipe");
  RunningProgram program(not_forever(bench, {"select", "pipe", "-k", "1,2"}));
  std::ofstream writer(bench / "pipe");  // opened when the program reads
  writer << "x,y\n1,2\n" << std::flush;
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 143);
  EXPECT_EQ(result.err, "lbw select: interrupted, nothing was written\n");
}

TEST(CliInterrupt, OutputsThatNobodyReadsAreNotWaitedFor) {
  if (delays_signals) GTEST_SKIP() << "the thread sanitizer delays signals";
  const Workbench bench;
  bench.make_pipe("pipe");
  RunningProgram program(not_forever(bench, {"repair", "table.csv", "--protected", "site", "-q",
                                             "--save-model", "m.safetensors", "-o", "pipe"}));
  // the model is written before the table
  for (int i = 0; i < 30'000 && !bench.names().contains("m.safetensors"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(bench.names().contains("m.safetensors"));
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 143);
  EXPECT_EQ(result.err, "lbw repair: interrupted, the output is incomplete\n");
}

TEST(CliInterrupt, AReaderOfTextThatStopsIsNotWaitedFor) {
  if (delays_signals) GTEST_SKIP() << "the thread sanitizer delays signals";
  const Workbench bench;
  bench.fit_model();
  std::string rows = "x,y\n";
  for (int i = 0; i < 20'000; ++i) rows += "1,2\n";
  bench.write("long.csv", rows);
  bench.make_pipe("pipe");
  const int reader = open((bench / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ProgramCall call = bench.call(
      {"transport", "model.safetensors", "long.csv", "--from", "A", "--to", "B", "--json"});
  call.out_path = bench / "pipe";
  RunningProgram program(call);
  pollfd first_bytes{.fd = reader, .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&first_bytes, 1, 300'000), 1);
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 143);
  EXPECT_EQ(result.err, "lbw transport: interrupted, the output is incomplete\n");
  close(reader);
}

}  // namespace
}  // namespace lbw
