// SPDX-License-Identifier: MIT
// NPY files larger than memory: the memory of the program does not grow with them, and results are
// bitwise identical to those from CSV, which is read as a whole.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <iterator>
#include <lbw/io.hpp>
#include <lbw/types.hpp>

#include "cli/workbench.hpp"
#include "support/npy_bytes.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;  // they use additional memory
#else
constexpr bool has_sanitizer = false;
#endif

namespace lbw {
namespace {

using Words = std::vector<std::string>;

/// Normal numbers, 50,000 rows repeated.
void write_large(const std::filesystem::path& path, Index n_blocks, Index n_columns) {
  Random random(4);
  RowMatrix block(50'000, n_columns);
  for (Index i = 0; i < block.size(); ++i) block.data()[i] = random.normal();
  NpyWriter writer(path, n_blocks * block.rows(), n_columns);
  for (Index i = 0; i < n_blocks; ++i) writer.append(block);
  writer.commit();
}

/// A model of 2-dimensional groups A and B, and large.npy with 1.2 million points: two batches.
void prepare_points(const Workbench& bench) {
  bench.fit_model();
  write_large(bench / "large.npy", 24, 2);
  bench.write("kept.npy", "as it was");
}

Words carry(const std::string& model, const std::string& points, const std::string& output) {
  return {"transport", model, points, "--from", "A", "--to", "B", "-o", output};
}

TEST(CliStream, MemoryDoesNotGrowWithTheFile) {
  if (has_sanitizer) GTEST_SKIP() << "sanitizers keep memory of their own";
  const Workbench bench;
  write_large(bench / "small.npy", 1, 8);
  write_large(bench / "large.npy", 20, 8);  // 61 MiB
  const auto peak_of = [&](const Words& words) {
    const ProgramResult result = bench.lbw(words);
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 3) << result.err;
    return result.peak_memory;
  };
  const long base = peak_of({"--version"});
  const long fit = peak_of({"fit", "large.npy", "small.npy", "-k", "2", "--start", "random",
                            "--max-iterations", "1", "--threads", "2", "-o", "model.safetensors"});
  EXPECT_LT(fit - base, 16 * 1024);
  const long select = peak_of({"select", "large.npy", "-k", "1", "--start", "random",
                               "--max-iterations", "1", "--threads", "2"});
  EXPECT_LT(select - base, 16 * 1024);
  const long transport = peak_of({"transport", "model.safetensors", "large.npy", "--from", "large",
                                  "--to", "small", "--threads", "2", "-o", "out.npy"});
  // a batch takes 16 MiB, and the counts of distinct rows at most 32 MiB
  EXPECT_LT(transport - base, 56 * 1024);
  EXPECT_EQ(std::filesystem::file_size(bench / "out.npy"),
            std::filesystem::file_size(bench / "large.npy"));
}

TEST(CliStream, GivesTheBytesThatCsvGives) {
  const Workbench bench;
  Table table;
  table.values = read_csv(bench / "A.csv").values.replicate(20, 1);
  RowMatrixF floats = table.values.cast<float>();
  table.values = floats.cast<double>();  // so that the numbers are exact in float32
  write_csv(bench / "text.csv", table);
  write_npy(bench / "double.npy", table.values);
  bench.write("float.npy",
              padded_npy_of("<f4", "(6000, 2)",
                            {reinterpret_cast<const char*>(floats.data()), 6000 * 2 * 4}));
  const auto fitted = [&](const std::string& file, const char* threads) {
    const ProgramResult result = bench.lbw({"fit", "A=" + file, "B=" + file, "-k", "3", "-o",
                                            "model.safetensors", "--threads", threads});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return bench.bytes("model.safetensors");
  };
  const auto carried = [&](const std::string& file, const char* threads) {
    Words words = carry("model.safetensors", file, "out.npy");
    words.insert(words.end(), {"--threads", threads, "--amount", ".3"});
    const ProgramResult result = bench.lbw(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return bench.bytes("out.npy");
  };
  const std::string model = fitted("text.csv", "1");
  const std::string points = carried("text.csv", "1");
  for (const std::string file : {"double.npy", "float.npy"}) {
    for (const char* threads : {"1", "2"}) {
      EXPECT_TRUE(fitted(file, threads) == model) << file << threads;
      EXPECT_TRUE(carried(file, threads) == points) << file << threads;
    }
  }
}

TEST(CliStream, TransportsAFileInPlace) {
  const Workbench bench;
  bench.fit_model();
  ASSERT_EQ(bench.lbw(carry("model.safetensors", "A.npy", "out.npy")).exit_code, 0);
  ASSERT_EQ(bench.lbw(carry("model.safetensors", "A.npy", "A.npy")).exit_code, 0);
  EXPECT_EQ(bench.bytes("A.npy"), bench.bytes("out.npy"));
}

TEST(CliStream, NamesTheRowThatIsNotFiniteAndWritesNothing) {
  const Workbench bench;
  bench.fit_model();
  bench.write("kept.npy", "as it was");
  bench.write("nan.npy", padded_npy_of("<f4", "(2, 2)",
                                       std::string(12, '\0') + std::string("\0\0\xc0\x7f", 4)));
  const std::set<std::string> before = bench.names();
  const ProgramResult result = bench.lbw(carry("model.safetensors", "nan.npy", "kept.npy"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "lbw transport: nan.npy: contains nan at row 1, column 1 (counted from 0), expected "
            "finite values\n");
  EXPECT_EQ(bench.bytes("kept.npy"), "as it was");
  EXPECT_EQ(bench.names(), before);
}

// A limit on the size of files simulates a full disk: the second batch fails.
TEST(CliStream, AFullDiskLeavesTheOldOutput) {
  const Workbench bench;
  prepare_points(bench);
  const std::set<std::string> before = bench.names();
  ProgramCall call =
      bench.call({"-c",
                  "trap '' XFSZ; ulimit -f 34000; "  // blocks of 512 bytes: 16.6 MiB of 18.3
                  "exec \"$0\" transport model.safetensors large.npy --from A --to B -o kept.npy",
                  LBW_PROGRAM});
  call.program = "/bin/sh";
  const ProgramResult result = run_program(call);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.err.ends_with("\nlbw transport: cannot write 'kept.npy': File too large\n"));
  EXPECT_EQ(bench.bytes("kept.npy"), "as it was");
  EXPECT_EQ(bench.names(), before);
}

TEST(CliStream, ControlCLeavesTheOldOutput) {
  const Workbench bench;
  prepare_points(bench);
  bench.make_pipe("pipe.safetensors");
  const std::set<std::string> before = bench.names();
  RunningProgram program(bench.call(carry("pipe.safetensors", "large.npy", "kept.npy")));
  bench.feed("pipe.safetensors", bench.bytes("model.safetensors"));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(result.err.ends_with("lbw transport: interrupted, nothing was written\n"));
  EXPECT_EQ(bench.bytes("kept.npy"), "as it was");
  EXPECT_EQ(bench.names(), before);
}

// The output is a pipe, which ensures that the program is within its first batch.
TEST(CliStream, ControlCStopsBetweenBatches) {
  const Workbench bench;
  prepare_points(bench);
  bench.make_pipe("out.npy");
  RunningProgram program(bench.call(carry("model.safetensors", "large.npy", "out.npy")));
  std::ifstream output(bench / "out.npy", std::ios::binary);
  char byte = 0;
  ASSERT_TRUE(output.get(byte));
  program.send(SIGINT);
  const std::string rest{std::istreambuf_iterator<char>(output), {}};
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_LE(rest.size() + 1, (16U << 20U) + 128);  // one batch and the header
}

}  // namespace
}  // namespace lbw
