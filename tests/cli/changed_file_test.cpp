// SPDX-License-Identifier: MIT
// Input files that change while the program reads them. A pipe makes the program wait for the test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <lbw/io.hpp>

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
