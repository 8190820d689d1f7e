// SPDX-License-Identifier: MIT
// Warnings of lbw repair that follow from its report.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

/// Rows of two groups: one column with a code for missing values, which says nothing about the
/// group, and one that does.
std::string table_with_code() {
  std::string table = "sex,age,income\n";
  std::uint32_t state = 8;
  const auto uniform = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8U) / 16777216.0;
  };
  for (int i = 0; i < 300; ++i) {
    const bool is_first = uniform() < 0.5;
    const double age = uniform() < 0.2 ? -999.0 : std::floor(20.0 + 40.0 * uniform());
    const double income = uniform() + uniform() + uniform() + (is_first ? 4.0 : 0.0);
    table += std::string(is_first ? "f," : "m,") + std::to_string(age) + "," +
             std::to_string(income) + "\n";
  }
  return table;
}

TEST(CliRepairWarnings, ValuesThatAreVeryFarFromAllOthersAreReported) {
  const Workbench bench;
  std::string table = "sex,age\n";
  for (int i = 0; i < 300; ++i) {
    table += std::string(i % 2 == 0 ? "f," : "m,") + std::to_string(20 + 7 * i % 41) + "\n";
  }
  const std::vector<std::string> words = {"repair", "t.csv", "--protected", "sex", "-o", "o.csv"};
  bench.write("t.csv", table);
  EXPECT_EQ(bench.lbw(words).err.find("far from all others"), std::string::npos);
  bench.write("t.csv", table + "f,400000\n");
  const ProgramResult result = bench.lbw(words);
  EXPECT_NE(result.err.find("Feature 'age' has 1 value in group 'f' that is very far from all "
                            "others, such as 4e+05"),
            std::string::npos)
      << result.err;
}

TEST(CliRepairWarnings, ColumnsInWhichTheGroupsDifferMoreAfterwardsAreReported) {
  const Workbench bench;
  bench.write("t.csv", table_with_code());
  const std::vector<std::string> words = {"repair", "t.csv", "--protected", "sex",
                                          "-o",     "o.csv", "--refine",    "0"};
  const std::string warning =
      "the groups differ more after the repair than before in columns 'age'";
  const ProgramResult result = bench.lbw(words);
  EXPECT_NE(result.err.find(warning), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("Leave these columns out with --except"), std::string::npos);
  std::vector<std::string> saved = words;
  saved.insert(saved.end(), {"--save-model", "m.safetensors"});
  (void)bench.lbw(saved);
  const ProgramResult again =
      bench.lbw({"repair", "--model", "m.safetensors", "t.csv", "-o", "again.csv"});
  EXPECT_NE(again.err.find(warning), std::string::npos) << again.err;
  EXPECT_NE(again.err.find("If these rows are not like those of the fit"), std::string::npos)
      << again.err;
  std::vector<std::string> unmeasured = words;
  unmeasured.insert(unmeasured.end(), {"--permutations", "0"});
  const ProgramResult without = bench.lbw(unmeasured);
  EXPECT_NE(without.err.find(warning), std::string::npos) << without.err;
  EXPECT_NE(without.err.find("noise was not measured (--permutations 0)"), std::string::npos);
  std::vector<std::string> shrunk = words;
  shrunk.insert(shrunk.end(), {"--group-shrinkage", "1"});
  const ProgramResult quiet = bench.lbw(shrunk);
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err.find(warning), std::string::npos) << quiet.err;
}

TEST(CliRepairWarnings, GroupsThatAreStillApartAreReportedWithoutNoiseToo) {
  const Workbench bench;
  std::string table = "g,x\n";
  for (int i = 0; i < 200; ++i) table += "a,1\nb,2\n";
  bench.write("t.csv", table);
  const std::string warning = "the repaired groups can still be told apart";
  for (const char* permutations : {"0", "1", "100"}) {
    const ProgramResult result = bench.lbw({"repair", "t.csv", "--protected", "g", "--refine", "0",
                                            "--dither", "0", "--permutations", permutations});
    EXPECT_NE(result.err.find(warning), std::string::npos) << permutations << result.err;
  }
}

TEST(CliRepairWarnings, APartialRepairIsTheReasonForWhatItLeaves) {
  const Workbench bench;
  std::string table = "g,x\n";
  for (int i = 0; i < 200; ++i) table += "a,1\nb,2\n";
  bench.write("t.csv", table);
  const ProgramResult result = bench.lbw({"repair", "t.csv", "--protected", "g", "--amount", "0.1",
                                          "-o", "o.csv", "--save-model", "m.safetensors"});
  EXPECT_NE(result.err.find("--amount 0.1 leaves a part of the difference between the groups"),
            std::string::npos)
      << result.err;
  const ProgramResult again = bench.lbw({"repair", "t.csv", "--model", "m.safetensors"});
  EXPECT_NE(again.err.find("the amount of the model, 0.1, leaves a part of the difference"),
            std::string::npos)
      << again.err;
}

TEST(CliRepairWarnings, ARefinementThatFindsNoDifferencesIsNamed) {
  // clusters on one diagonal of two columns in a group, and on the other one in the other
  const Workbench bench;
  std::string table = "group,a,b,c,d,e,f,g,h\n";
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1200; ++i) {
    const bool is_first = i % 2 == 0;
    const double side = i % 4 < 2 ? 1.5 : -1.5;
    table += is_first ? "x" : "y";
    for (int column = 0; column < 8; ++column) {
      const double center = column == 0 ? side : column == 1 ? (is_first ? side : -side) : 0.0;
      const double spread = column < 2 ? 0.6 : 1.0;
      table += "," + std::to_string(center + spread * normal(random));
    }
    table += "\n";
  }
  bench.write("t.csv", table);
  const ProgramResult result =
      bench.lbw({"repair", "t.csv", "--protected", "group", "--components", "1", "-o", "o.csv"});
  EXPECT_NE(result.err.find("The steps of --refine find no differences beyond sampling noise. Use "
                            "--components 5"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace lbw
