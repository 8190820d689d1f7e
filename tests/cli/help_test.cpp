// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <lbw/version.hpp>
#include <sstream>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

/// The lines of a help text that show a command.
std::vector<std::string> examples_in(const std::string& help) {
  std::vector<std::string> examples;
  std::istringstream lines(help.substr(std::min(help.find("Examples:"), help.size())));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start != std::string::npos && start > 0 && line.compare(start, 4, "lbw ") == 0) {
      examples.push_back(line.substr(start));
    }
  }
  return examples;
}

/// Runs a line in a shell with `lbw` on its path.
ProgramResult shell(const Workbench& bench, const std::string& line) {
  ProgramCall call = bench.call({"-ec", "PATH=\"$0:$PATH\"\n" + line});
  call.program = "/bin/sh";
  call.arguments.push_back(std::filesystem::path(LBW_PROGRAM).parent_path().string());
  return run_program(call);
}

TEST(CliHelp, EveryExampleRuns) {
  const Workbench bench;
  bench.draw_shapes();
  for (const auto& [shape, name] :
       {std::pair{"disc.png", "cat.png"}, {"bars.png", "rabbit.png"}, {"ring.png", "tooth.png"}}) {
    std::filesystem::rename(bench / shape, bench / name);
  }
  std::ofstream survey(bench / "survey.csv");
  survey << "age,income,site,weight\n";
  for (int i = 0; i < 40; ++i) {
    survey << 20 + i % 7 << "," << 3 * i % 17 << (i % 2 == 0 ? ",a," : ",b,") << i % 3 << "\n";
  }
  survey.close();
  // in this order: fit writes the models that the others read
  for (const std::string verb :
       {"", "fit", "transport", "barycenter", "select", "inspect", "repair", "score", "morph"}) {
    const ProgramResult help = verb.empty() ? bench.lbw({"--help"}) : bench.lbw({verb, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    const std::vector<std::string> examples = examples_in(help.out);
    EXPECT_GE(examples.size(), 2U) << verb;
    for (const std::string& example : examples) {
      const ProgramResult result = shell(bench, example);
      EXPECT_EQ(result.exit_code, 0) << example << "\n" << result.err;
    }
  }
  EXPECT_TRUE(bench.names().contains("morph-0011.png"));
  EXPECT_TRUE(bench.names().contains("curve.csv"));
}

TEST(CliHelp, ShowsTheDefaultsOfTheLibrary) {
  const Workbench bench;
  std::istringstream words(bench.lbw({"fit", "--help"}).out);
  std::string fit;  // on one line
  for (std::string word; words >> word;) fit += word + " ";
  for (const std::string value : {"1e-06", "0.001", "100", "kmeans", "full"}) {
    EXPECT_NE(fit.find("[default: " + value + "]"), std::string::npos) << value << "\n" << fit;
  }
  EXPECT_NE(fit.find("0 means one per core"), std::string::npos);
}

TEST(CliOptions, PrintsThePageOfAllOptions) {
  const Workbench bench;
  const ProgramResult result = bench.lbw({"options"});
  EXPECT_EQ(result.exit_code, 0);
  std::ifstream page(LBW_OPTIONS_PAGE);
  std::ostringstream text;
  text << page.rdbuf();
  EXPECT_EQ(result.out, text.str()) << "lbw options > docs/options.md writes it again";
}

TEST(CliHelp, OptionsFitTheWidthOfTheTerminal) {
  const Workbench bench;
  const auto widest = [&](const std::string& columns) {
    const std::string help = shell(bench, "COLUMNS=" + columns + " lbw fit --help").out;
    std::istringstream options(help.substr(0, help.find("Examples:")));
    std::size_t width = 0;
    for (std::string line; std::getline(options, line);) width = std::max(width, line.size());
    return width;
  };
  EXPECT_LE(widest("40"), 40U);
  EXPECT_LE(widest("60"), 60U);
  EXPECT_LE(widest("72"), 72U);
  EXPECT_LE(widest("300"), 100U);
  EXPECT_GT(widest("300"), 90U);
}

TEST(CliHelp, WarnsOfAGroupCalledBarycenter) {
  const Workbench bench;
  EXPECT_NE(bench.lbw({"transport", "--help"})
                .out.find("always means the barycenter, even if a group has that name"),
            std::string::npos);
}

TEST(CliHelp, VersionIsThatOfTheLibrary) {
  const Workbench bench;
  const ProgramResult result = bench.lbw({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, std::string("lbw ") + version + "\n");
}

}  // namespace
}  // namespace lbw
