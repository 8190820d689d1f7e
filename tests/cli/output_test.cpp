// SPDX-License-Identifier: MIT
// A standard output that cannot be written is reported as an error.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace lbw
