// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

/// Hands a file to a program through a pipe in the folder; returns when the program has it, hence
/// listens to signals.
void feed(const std::filesystem::path& pipe, const std::string& bytes) {
  const int descriptor = ::open(pipe.c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::write(descriptor, bytes.data(), bytes.size()), std::ssize(bytes));
  ::close(descriptor);
}

void expect_interrupted(int signal) {
  const Workbench bench;
  bench.write("kept.safetensors", "as it was");
  ASSERT_EQ(::mkfifo((bench / "pipe.csv").c_str(), 0600), 0);
  const std::set<std::string> before = bench.names();
  // without tolerance EM never stops by itself
  RunningProgram program(bench.call({"fit", "A.csv", "pipe.csv", "-k", "3", "--tolerance", "0",
                                     "--max-iterations", "2000000000", "-o", "kept.safetensors"}));
  feed(bench / "pipe.csv", bench.bytes("B.csv"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.send(signal);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "lbw fit: interrupted, nothing was written\n");
  EXPECT_EQ(bench.bytes("kept.safetensors"), "as it was");
  EXPECT_EQ(bench.names(), before);
}

TEST(CliInterrupt, ControlCLeavesTheOldOutput) { expect_interrupted(SIGINT); }

TEST(CliInterrupt, TerminateLeavesTheOldOutput) { expect_interrupted(SIGTERM); }

TEST(CliInterrupt, SelectAndMorphStopToo) {
  const Workbench bench;
  bench.draw_shapes();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"select", "A.csv", "-k", "3"},
        {"morph", "disc.png", "ring.png", "-k", "3", "-o", "out.png"}}) {
    ProgramCall call = bench.call(words);
    call.arguments.insert(call.arguments.end(),
                          {"--tolerance", "0", "--max-iterations", "2000000000"});
    RunningProgram program(call);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    program.send(SIGINT);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.err, "lbw " + words[0] + ": interrupted, nothing was written\n");
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(bench.names().contains("out.png"));
}

}  // namespace
}  // namespace lbw
