// SPDX-License-Identifier: MIT
// Completion scripts and manual pages, run by the shells and by groff where they are installed.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

/// Runs a program of the system with the program lbw on its path.
ProgramResult run(const Workbench& bench, const std::string& shell, const std::string& script) {
  const std::string folder = bench.call({}).program.parent_path().string();
  ProgramCall call = bench.call({"-c", "PATH=\"" + folder + ":$PATH\"; " + script});
  call.program = shell;
  return run_program(call);
}

bool is_installed(const Workbench& bench, const std::string& program) {
  return run(bench, "/bin/sh", "command -v " + program + " >/dev/null").exit_code == 0;
}

/// What bash offers for the last of these words, sorted.
std::string offered(const Workbench& bench, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += " '" + word + "'";
  const ProgramResult result = run(
      bench, "/bin/bash",
      "set -u; . <(lbw completion bash); COMP_WORDS=(" + list +
          "); COMP_CWORD=" + std::to_string(words.size() - 1) +
          "; _lbw; printf '%s\\n' \"${COMPREPLY[@]+\"${COMPREPLY[@]}\"}\" | sort | tr '\\n' ' '");
  EXPECT_EQ(result.err, "");
  const std::size_t end = result.out.find_last_not_of(' ');
  return end == std::string::npos ? "" : result.out.substr(0, end + 1);
}

TEST(CliCompletion, BashOffersCommandsOptionsValuesAndFiles) {
  const Workbench bench;
  if (!is_installed(bench, "bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_EQ(offered(bench, {"lbw", "s"}), "score select");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "--covariance-t"}), "--covariance-type");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "--covariance-type", ""}),
            "diagonal full spherical tied");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "--color", "=", "a"}), "always auto");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "--missing", ""}), "error skip");
  EXPECT_EQ(offered(bench, {"lbw", "score", "--decimal", "c"}), "comma");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "--seed", ""}), "");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "A"}), "A.csv A.npy");
  EXPECT_EQ(offered(bench, {"lbw", "fit", "north", "=", "B"}), "B.csv");
  EXPECT_EQ(offered(bench, {"lbw", "completion", ""}), "bash fish zsh");
  EXPECT_EQ(offered(bench, {"lbw", "morph", "A"}), "A.csv A.npy");
  EXPECT_EQ(offered(bench, {"lbw", "morph", "-o", "A"}), "A.csv A.npy");
}

TEST(CliCompletion, BashOffersTheGroupsOfAModelAndRunsNothing) {
  const Workbench bench;
  if (!is_installed(bench, "bash")) GTEST_SKIP() << "bash is not installed";
  ASSERT_EQ(
      bench.lbw({"fit", "north=A.csv", "no$(touch harmed)=B.csv", "-k", "1", "-o", "m.safetensors"})
          .exit_code,
      0);
  EXPECT_EQ(offered(bench, {"lbw", "transport", "m.safetensors", "--from", "nor"}), "north");
  EXPECT_EQ(offered(bench, {"lbw", "transport", "m.safetensors", "--to", ""}),
            "no\\$\\(touch\\ harmed\\) north");
  EXPECT_FALSE(bench.names().contains("harmed"));
}

TEST(CliCompletion, EveryOptionOfTheHelpIsOffered) {
  const Workbench bench;
  if (!is_installed(bench, "bash")) GTEST_SKIP() << "bash is not installed";
  for (const std::string command : {"fit", "transport", "repair", "score"}) {
    std::istringstream help(bench.lbw({command, "--help"}).out);
    const std::string known = " " + offered(bench, {"lbw", command, "-"}) + " ";
    int n_options = 0;
    for (std::string line; std::getline(help, line);) {
      const std::size_t at = line.find("--");
      if (line.rfind("  -", 0) != 0 || at == std::string::npos) continue;
      const std::string name = line.substr(at, line.find_first_of(" ,", at) - at);
      EXPECT_NE(known.find(" " + name + " "), std::string::npos) << command << " " << name;
      ++n_options;
    }
    EXPECT_GT(n_options, 8) << command;
  }
}

TEST(CliCompletion, ZshReadsItsScript) {
  const Workbench bench;
  if (!is_installed(bench, "zsh")) GTEST_SKIP() << "zsh is not installed";
  const ProgramResult result =
      run(bench, "/bin/sh",
          "lbw completion zsh > _lbw && zsh -n _lbw && zsh -fc 'autoload -Uz compinit; compinit -u "
          "-d dump; source ./_lbw; print $_comps[lbw]'");
  EXPECT_EQ(result.out, "_lbw\n") << result.err;
}

TEST(CliCompletion, FishOffersCommandsAndValues) {
  const Workbench bench;
  if (!is_installed(bench, "fish")) GTEST_SKIP() << "fish is not installed";
  const ProgramResult result =
      run(bench, "/bin/sh",
          "lbw completion fish > lbw.fish; HOME=$PWD fish --no-config -c 'source lbw.fish; "
          "complete -C \"lbw sc\"; complete -C \"lbw fit --coupling \"'");
  EXPECT_NE(result.out.find("score\tMeasure the parity"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("\nmultimarginal"), std::string::npos) << result.out;
}

TEST(CliManual, PagesHaveNoWarningsAndNameEveryOption) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"share", "share"}).exit_code, 0);
  std::size_t n_pages = 0;
  for (const auto& page : std::filesystem::directory_iterator(bench / "share/man/man1")) {
    ++n_pages;
    const std::string name = page.path().filename().string();
    if (!is_installed(bench, "groff")) continue;
    const ProgramResult formatted =
        run(bench, "/bin/sh", "groff -ww -man -Tutf8 share/man/man1/" + name);
    EXPECT_EQ(formatted.err, "") << name;
    EXPECT_GT(formatted.out.size(), 300U) << name;
  }
  EXPECT_EQ(n_pages, 11U);  // the program and its commands
  const std::string fit = bench.bytes("share/man/man1/lbw-fit.1");
  EXPECT_EQ(fit, bench.lbw({"man", "fit"}).out);
  EXPECT_NE(fit.find("\\fB\\-\\-covariance\\-type\\fR, \\fB\\-\\-covariance\\fR \\fINAME\\fR"),
            std::string::npos);
  EXPECT_NE(fit.find("    lbw fit A.csv B.csv \\-o model.safetensors"), std::string::npos);
}

}  // namespace
}  // namespace lbw
