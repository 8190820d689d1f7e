// SPDX-License-Identifier: MIT
// Outputs that cannot be written, and outputs that would replace an input, are errors.
#include <gtest/gtest.h>

#include <set>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliOutput, AFullDeviceFailsWithItsReason) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Workbench bench;
  bench.fit_model();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"inspect", "model.safetensors"},
        {"inspect", "model.safetensors", "--json"},
        {"barycenter", "model.safetensors"},
        {"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B"},
        {"fit", "A.csv", "B.csv", "-o", "-"},
        {"select", "A.csv", "-k", "1"},
        {"morph", "--help"}}) {
    ProgramCall call = bench.call(words);
    call.out_path = "/dev/full";
    const ProgramResult result = run_program(call);
    EXPECT_EQ(result.exit_code, 1) << words[0];
    EXPECT_EQ(result.err, "lbw " + words[0] +
                              ": standard output: cannot be written (No space left on device)\n");
  }
}

TEST(CliOutput, AReaderThatWentAwayFailsWithItsReason) {
  const Workbench bench;
  bench.fit_model();
  ProgramCall call =
      bench.call({"-c",
                  "{ while ! test -s closed; do sleep 0.1; done; "
                  "\"$0\" inspect model.safetensors 2> words; echo $? > code; } | "
                  "{ exec 0<&-; echo yes > closed; while ! test -s code; do sleep 0.1; done; }",
                  LBW_PROGRAM});
  call.program = "/bin/sh";
  ASSERT_EQ(run_program(call).exit_code, 0);
  EXPECT_EQ(bench.bytes("code"), "1\n");
  EXPECT_EQ(bench.bytes("words"),
            "lbw inspect: standard output: cannot be written (Broken pipe)\n");
}

TEST(CliOutput, DoesNotReplaceAnInput) {
  const Workbench bench;
  bench.draw_shapes();
  bench.write("rows", bench.bytes("table.csv"));
  std::filesystem::copy_file(bench / "disc.png", bench / "disc-0000.png");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"fit", "rows", "--group-column", "site", "-k", "1", "-o", "rows"},
        {"fit", "rows=A.csv", "B.csv", "-k", "1", "-o", "rows"},
        {"select", "A.csv", "-k", "1", "-o", "A.csv"},
        {"morph", "cat=disc.png", "bars.png", "-o", "disc.png"},
        {"morph", "disc-0000.png", "bars.png", "--frames", "2", "-o", "disc.png"}}) {
    const std::set<std::string> names = bench.names();
    const ProgramResult result = bench.lbw(words);
    const bool is_only_a_name = words[1].starts_with("rows=");
    EXPECT_EQ(result.exit_code, is_only_a_name ? 0 : 2) << result.err;
    EXPECT_EQ(result.err.find("--output is the input ") == std::string::npos, is_only_a_name)
        << result.err;
    EXPECT_EQ(bench.names(), names);
  }
}

TEST(CliOutput, DoesNotReplaceTheFileOfStandardInput) {
  const Workbench bench;
  ProgramCall call = bench.call({"-c", "\"$0\" select - -k 1 -o A.csv < A.csv", LBW_PROGRAM});
  call.program = "/bin/sh";
  const std::string before = bench.bytes("A.csv");
  const ProgramResult result = run_program(call);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--output is the input A.csv, which the curve would replace"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(bench.bytes("A.csv"), before);
}

TEST(CliOutput, DoesNotReplaceTheModel) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult repaired = bench.lbw({"repair", "table.csv", "--protected", "site", "-q",
                                            "--save-model", "repair.safetensors", "-o", "out.csv"});
  ASSERT_EQ(repaired.exit_code, 0) << repaired.err;
  std::filesystem::create_symlink("model.safetensors", bench / "link.csv");
  std::filesystem::create_symlink("repair.safetensors", bench / "repair.csv");
  const std::string before = bench.bytes("model.safetensors");
  for (const auto& words :
       {std::vector<std::string>{"transport", "model.safetensors", "A.csv", "--from", "A", "--to",
                                 "B", "-o", "link.csv"},
        {"barycenter", "model.safetensors", "-o", "link.csv"},
        {"repair", "--model", "repair.safetensors", "table.csv", "-o", "repair.csv"}}) {
    const ProgramResult result = bench.lbw(words);
    EXPECT_EQ(result.exit_code, 2) << words.front();
    EXPECT_NE(result.err.find("--output is the input "), std::string::npos) << result.err;
  }
  EXPECT_EQ(bench.bytes("model.safetensors"), before);
}

TEST(CliOutput, AModelAndATableAreNotWrittenToOneFileOfTwoSpellings) {
  const Workbench bench;
  for (const std::string table : {"new.csv", "./new.csv", "folder/../new.csv"}) {
    const ProgramResult result = bench.lbw({"repair", "table.csv", "--protected", "site", "-q",
                                            "-o", table, "--save-model", "new.csv"});
    EXPECT_EQ(result.exit_code, 2) << table;
    EXPECT_FALSE(bench.names().contains("new.csv")) << table;
  }
}

TEST(CliOutput, FramesMayHaveTheNameOfAnInput) {
  const Workbench bench;
  bench.draw_shapes();
  const std::string before = bench.bytes("disc.png");
  const ProgramResult result =
      bench.lbw({"morph", "disc.png", "bars.png", "-k", "2", "--points", "200", "--frames", "2",
                 "--cell", "20", "-o", "disc.png"});
  EXPECT_NE(result.exit_code, 2) << result.err;
  EXPECT_TRUE(bench.names().contains("disc-0001.png"));
  EXPECT_EQ(bench.bytes("disc.png"), before);
}

}  // namespace
}  // namespace lbw
