// SPDX-License-Identifier: MIT
// Faults of the system that a program meets: no memory, no file descriptors, no /proc, one core.
#include <gtest/gtest.h>

#include "cli/workbench.hpp"
#include "support/limited_memory.hpp"

namespace lbw {
namespace {

/// Runs `lbw` by a shell command in which "$0" is the program.
ProgramResult lbw_in_shell(const Workbench& bench, const std::string& command) {
  ProgramCall call = bench.call({"-c", command, LBW_PROGRAM});
  call.program = "/bin/sh";
  return run_program(call);
}

constexpr int exit_failed = 1;
constexpr bool under_sanitizer = !can_limit_memory;
const std::string fit_command = "\"$0\" fit A.csv B.csv -k 3 --quiet ";

TEST(CliFaults, OutOfMemoryIsAnErrorAndLeavesTheOldOutput) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers reserve more address space than the limit";
  const Workbench bench;
  bench.write("kept", "old");
  std::string row = "1";
  for (int i = 0; i < 300; ++i) row += ",1." + std::to_string(i);
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += row + "\n";  // 48 MB of numbers
  bench.write("large.csv", rows);
  const ProgramResult result =
      lbw_in_shell(bench, "ulimit -v 100000; \"$0\" fit a=large.csv b=large.csv -o kept");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "lbw fit: not enough memory\n");
  EXPECT_EQ(bench.bytes("kept"), "old");
}

TEST(CliFaults, OutOfFileDescriptorsIsAnErrorThatNamesTheFile) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers need file descriptors";
  const Workbench bench;
  bench.make_pipe("pipe");
  const std::set<std::string> before = bench.names();
  // the limit is set while the program reads the pipe, because it cannot be loaded below it
  const ProgramResult result =
      lbw_in_shell(bench,
                   "\"$0\" fit A=pipe B.csv -o model.safetensors & pid=$!; exec 5> pipe; "
                   "prlimit --pid $pid --nofile=3; cat A.csv >&5; exec 5>&-; wait $pid");
  EXPECT_EQ(result.exit_code, exit_failed);
  EXPECT_EQ(result.err, "lbw fit: cannot read 'B.csv': Too many open files\n");
  EXPECT_EQ(bench.names(), before);
}

TEST(CliFaults, MoreThreadsThanCoresAndOneCoreGiveTheSameBytes) {
  const Workbench bench;
  ASSERT_EQ(lbw_in_shell(bench, fit_command + "-o one --threads 1").exit_code, 0);
  ASSERT_EQ(lbw_in_shell(bench, fit_command + "-o many --threads 64").exit_code, 0);
  ASSERT_EQ(lbw_in_shell(bench, "exec taskset -c 0 " + fit_command + "-o core").exit_code, 0);
  EXPECT_EQ(bench.bytes("many"), bench.bytes("one"));
  EXPECT_EQ(bench.bytes("core"), bench.bytes("one"));
}

TEST(CliFaults, ThreadsThatCannotBeCreatedAreDoneWithout) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers reserve more address space than the limit";
  const Workbench bench;
  std::string rows;
  for (int i = 0; i < 20000; ++i) {
    rows += std::to_string(i * i % 997) + "," + std::to_string(i * 31 % 1009) + "\n";
  }
  bench.write("many.csv", rows);
  const std::string fit = "\"$0\" fit a=many.csv b=many.csv -k 20 --quiet ";
  ASSERT_NE(lbw_in_shell(bench, fit + "-o one --threads 1").exit_code, exit_failed);
  // stacks of 64 MiB, of which few fit
  const ProgramResult result =
      lbw_in_shell(bench, "ulimit -s 65536; ulimit -v 400000; " + fit + "-o few --threads 64");
  EXPECT_NE(result.exit_code, exit_failed) << result.err;
  EXPECT_EQ(bench.bytes("few"), bench.bytes("one"));
}

// Needs the right to create a namespace, which root has in most places.
TEST(CliFaults, WorksWithoutProcAndSharedMemory) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers need /proc";
  const Workbench bench;
  const std::string hide = "mount -t tmpfs none /proc && mount -t tmpfs -o size=0 none /dev/shm";
  if (lbw_in_shell(bench, "unshare -m /bin/sh -c '" + hide + "' 2> /dev/null").exit_code != 0) {
    GTEST_SKIP() << "this user may not hide /proc";
  }
  ASSERT_EQ(lbw_in_shell(bench, fit_command + "-o model").exit_code, 0);
  const std::set<std::string> before = bench.names();
  const std::string fit = "\"$0\" fit A.csv B.csv -k 3 --quiet -o without";
  const ProgramResult result =
      lbw_in_shell(bench, "unshare -m /bin/sh -c '" + hide + " && " + fit + "' \"$0\"");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(bench.bytes("without"), bench.bytes("model"));
  std::set<std::string> after = bench.names();
  after.erase("without");
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace lbw
