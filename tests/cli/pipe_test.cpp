// SPDX-License-Identifier: MIT
// Tables and models from pipes, which can be read only once, give the results of files.
#include <gtest/gtest.h>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Words = std::vector<std::string>;

/// Runs a command of the shell, in which $lbw is the program. A writer of a pipe whose reader fails
/// ends with the shell.
ProgramResult shell(const Workbench& bench, const std::string& command) {
  ProgramCall call = bench.call({"-c", "lbw=\"$0\"; " + command, bench.call({}).program.string()});
  call.program = "/bin/sh";
  return run_program(call);
}

/// A command with FILE as its input, which is a file, a named pipe, and /dev/stdin with a pipe.
void expect_same_from_pipes(const Workbench& bench, const std::string& command,
                            const std::string& file) {
  SCOPED_TRACE(command);
  const auto with_input = [&](const std::string& path) {
    std::string words = command;
    return words.replace(words.find("FILE"), 4, path);
  };
  const ProgramResult expected = shell(bench, "\"$lbw\" " + with_input(file));
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  bench.make_pipe("pipe");
  const ProgramResult named =
      shell(bench, "cat " + file + " > pipe & timeout 60 \"$lbw\" " + with_input("pipe"));
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(named.out, expected.out);
  std::filesystem::remove(bench / "pipe");
  const ProgramResult opened =
      shell(bench, "cat " + file + " | timeout 60 \"$lbw\" " + with_input("/dev/stdin"));
  EXPECT_EQ(opened.exit_code, 0) << opened.err;
  EXPECT_EQ(opened.out, expected.out);
}

TEST(CliPipe, EveryCommandReadsPipesOnce) {
  const Workbench bench;
  bench.fit_model();
  ASSERT_EQ(bench
                .lbw({"repair", "table.csv", "--protected", "site", "-o", "repaired.csv",
                      "--save-model", "repair.safetensors", "-q"})
                .exit_code,
            0);
  for (const char* const command : {
           "repair FILE --protected site -o - -q",
           "repair --model repair.safetensors FILE -o - -q",
           "score FILE --score x --protected site --permutations 20 --bootstraps 20",
           "select FILE --columns x,y -k 1,2 --json",
           "fit FILE --group-column site -k 2 -o - -q",
           "inspect repair.safetensors --data FILE --group-column site --permutations 20 --json",
       }) {
    expect_same_from_pipes(bench, command, "table.csv");
  }
  expect_same_from_pipes(bench, "transport model.safetensors FILE --from A --to B -o - -q",
                         "A.csv");
  expect_same_from_pipes(bench, "transport FILE A.csv --from A --to B -o - -q",
                         "model.safetensors");
  expect_same_from_pipes(bench, "inspect FILE --json", "model.safetensors");
}

TEST(CliPipe, CompressedTablesAreReadToo) {
  const Workbench bench;
  ASSERT_EQ(shell(bench, "gzip -k table.csv").exit_code, 0);
  expect_same_from_pipes(bench, "repair FILE --protected site -o - -q", "table.csv.gz");
}

TEST(CliPipe, ErrorsNameThePipe) {
  const Workbench bench;
  bench.make_pipe("pipe");
  bench.write("bad.csv", "x,sex\n1,f\nb,m\n3,m\n");
  const ProgramResult bad =
      shell(bench, "cat bad.csv > pipe & timeout 60 \"$lbw\" repair pipe --protected sex -o -");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_TRUE(bad.err.starts_with("lbw repair: pipe:3: column 1 (x): ")) << bad.err;
  const ProgramResult missing = bench.lbw({"repair", "/dev/no-such", "--protected", "sex"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.err, "lbw repair: cannot read '/dev/no-such': No such file or directory\n");
}

TEST(CliPipe, DevicesWithoutAnEndAreRefused) {
  const Workbench bench;
  for (const Words& words : {Words{"repair", "/dev/zero", "--protected", "sex"},
                             Words{"score", "/dev/zero", "--score", "1", "--protected", "2"}}) {
    const ProgramResult result = bench.lbw(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.err, "lbw " + words.front() +
                              ": cannot read '/dev/zero': it is a device, expected a file or a "
                              "pipe\n");
  }
}

// The second reading would wait for another writer, or find nothing.
TEST(CliPipe, APipeThatIsGivenTwiceIsRefused) {
  const Workbench bench;
  bench.make_pipe("pipe");
  for (const Words& words : {Words{"fit", "a=pipe", "b=pipe", "-o", "m"},
                             Words{"repair", "--model", "pipe", "pipe", "-o", "out.csv"},
                             Words{"transport", "pipe", "pipe", "--from", "a", "--to", "b"},
                             Words{"inspect", "pipe", "--data", "a=pipe", "b=B.csv"}}) {
    const ProgramResult result = bench.lbw(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err.substr(0, result.err.find('\n')),
              "lbw " + words.front() +
                  ": pipe is given twice, but can be read only once; save it as a file first");
  }
  const ProgramResult input = bench.lbw({"fit", "a=-", "b=-", "-o", "m"});
  EXPECT_EQ(input.err.substr(0, input.err.find('\n')),
            "lbw fit: standard input is given twice, but can be read only once; save it as a file "
            "first");
}

}  // namespace
}  // namespace lbw
