// SPDX-License-Identifier: MIT
// Input files that change while the program reads them. A pipe makes the program wait for the test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <lbw/io.hpp>
#include <optional>
#include <thread>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

void expect_error_of_change(const ProgramResult& result, const std::string& command,
                            const std::string& how) {
  EXPECT_EQ(result.exit_code, 1);
  const std::string error = result.err.substr(result.err.find('\n') + 1);  // after a note on names
  EXPECT_EQ(error, "lbw " + command +
                       ": cannot read 'rows.npy': the file changed while it was used: " + how +
                       ". Repeat this when no other program writes to it\n");
}

/// Rows of A.csv, many times.
void write_rows(const Workbench& bench, Index n_copies) {
  const RowMatrix rows = read_csv(bench / "A.csv").values;
  NpyWriter writer(bench / "rows.npy", n_copies * rows.rows(), rows.cols());
  for (Index i = 0; i < n_copies; ++i) writer.append(rows);
  writer.commit();
}

TEST(CliChangedFile, TruncatedDuringAFitIsAnErrorAndNothingIsWritten) {
  const Workbench bench;
  write_rows(bench, 100);  // 480128 bytes
  bench.make_pipe("pipe.csv");
  const std::set<std::string> before = bench.names();
  RunningProgram program(bench.call({"fit", "rows.npy", "pipe.csv", "-k", "2", "-o", "model"}));
  const int pipe = ::open((bench / "pipe.csv").c_str(), O_WRONLY);  // rows.npy is open by now
  ASSERT_GE(pipe, 0);
  std::filesystem::resize_file(bench / "rows.npy", 20'000);
  const std::string rows = bench.bytes("B.csv");
  ASSERT_EQ(::write(pipe, rows.data(), rows.size()), std::ssize(rows));
  ::close(pipe);
  expect_error_of_change(program.wait(), "fit", "it had 480128 bytes, now it has 20000");
  EXPECT_EQ(bench.names(), before);
}

TEST(CliChangedFile, RowsThatAreAppendedToStandardInputAreAnError) {
  for (const bool is_appended : {false, true}) {
    const Workbench bench;
    bench.make_pipe("A.pipe");
    const ProgramCall call = bench.call({"fit", "A.pipe", "B=-", "-k", "2", "-o", "model", "-q"});
    std::vector<std::string> words = {"-c", R"(exec "$0" "$@" < B.csv)", call.program.string()};
    words.insert(words.end(), call.arguments.begin(), call.arguments.end());
    RunningProgram program({.program = "/bin/sh", .arguments = words, .folder = call.folder});
    const int pipe = ::open((bench / "A.pipe").c_str(), O_WRONLY);  // the program has started
    ASSERT_GE(pipe, 0);
    if (is_appended) std::ofstream(bench / "B.csv", std::ios::app) << "1,2\n";
    const std::string rows = bench.bytes("A.csv");
    ASSERT_EQ(::write(pipe, rows.data(), rows.size()), std::ssize(rows));
    ::close(pipe);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exit_code, is_appended ? 1 : 0);
    EXPECT_EQ(result.err, is_appended
                              ? "lbw fit: standard input: the file changed while it was used. "
                                "Repeat this when no other program writes to it\n"
                              : "");
  }
}

#ifdef __linux__
/// Holds the program in its first open() of a file, by a lease, until the file is replaced by
/// another. Returns whether the file system has leases.
bool replace_while_opened(const std::filesystem::path& path, const std::filesystem::path& other,
                          const std::function<void()>& start) {
  ::signal(SIGIO, SIG_IGN);  // announces the program; its default effect is to end the test
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (::fcntl(file, F_SETLEASE, F_WRLCK) != 0) {
    ::close(file);
    return false;
  }
  start();
  while (::fcntl(file, F_GETLEASE) == F_WRLCK) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::filesystem::rename(other, path);
  ::close(file);
  return true;
}

// The table is read twice: groups must not be combined with numbers of other rows.
TEST(CliChangedFile, RowsThatDifferInTheSecondReadingAreAnError) {
  for (const std::string second : {"x,sex\n1,f\n2,m\n", "x,sex\n1,f\n2,m\n3,f\n4,f\n"}) {
    const Workbench bench;
    bench.write("rows.csv", "x,sex\n1,f\n2,m\n3,f\n4,m\n");
    bench.write("second.csv", second);
    std::optional<RunningProgram> program;
    if (!replace_while_opened(bench / "rows.csv", bench / "second.csv", [&] {
          program.emplace(
              bench.call({"repair", "rows.csv", "--protected", "sex", "-o", "out.csv"}));
        })) {
      GTEST_SKIP() << "the file system has no leases";
    }
    const ProgramResult result = program->wait();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.err,
              "lbw repair: cannot read 'rows.csv': the file changed while it was used. Repeat this "
              "when no other program writes to it\n");
  }
}
#endif

TEST(CliChangedFile, TruncatedDuringATransportIsAnError) {
  const Workbench bench;
  bench.fit_model();
  write_rows(bench, 4000);  // 19 MB, more than a batch
  bench.make_pipe("out.npy");
  RunningProgram program(bench.call(
      {"transport", "model.safetensors", "rows.npy", "--from", "A", "--to", "B", "-o", "out.npy"}));
  const int pipe = ::open((bench / "out.npy").c_str(), O_RDONLY);
  ASSERT_GE(pipe, 0);
  std::vector<char> buffer(1U << 16U);
  ASSERT_GT(::read(pipe, buffer.data(), 1), 0);  // the program writes the first batch
  std::filesystem::resize_file(bench / "rows.npy", 20'000);
  while (::read(pipe, buffer.data(), buffer.size()) > 0) continue;
  ::close(pipe);
  expect_error_of_change(program.wait(), "transport", "it had 19200128 bytes, now it has 20000");
}

}  // namespace
}  // namespace lbw
