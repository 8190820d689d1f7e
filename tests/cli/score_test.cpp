// SPDX-License-Identifier: MIT
// lbw score. Its numbers are compared with lbw.metrics in python/tests.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

// gamma of these scores is 0.5, at the thresholds 0.3 to 0.6
constexpr const char* scores =
    "score,sex,y\n0.1,f,0\n0.4,f,1\n0.4,f,0\n0.7,f,1\n0.3,m,0\n0.6,m,1\n0.8,m,0\n0.9,m,1\n";

TEST(CliScore, MeasuresDistancesMeansAndRates) {
  const Workbench bench;
  bench.write("s.csv", scores);
  const nlohmann::json json =
      bench.lbw_json({"score", "s.csv", "--score", "score", "--protected", "sex", "--target", "y",
                      "--threshold", ".5", "--json"});
  const auto value = [&](const std::string& measure, const std::string& group = "") {
    for (const auto& entry : json["measures"]) {
      if (entry["measure"] == measure && entry.value("group", "") == group) {
        return entry["value"].get<double>();
      }
    }
    return -1.0;
  };
  EXPECT_EQ(value("gamma"), 0.5);
  EXPECT_EQ(value("kuiper"), 0.5);
  EXPECT_NEAR(value("mean difference"), 0.65 - 0.4, 1e-15);
  EXPECT_EQ(value("rows", "f"), 4.0);
  EXPECT_EQ(value("base rate", "m"), 0.5);
  EXPECT_EQ(value("auc", "f"), 0.875);  // 3.5 of 4 pairs
  EXPECT_EQ(value("rate", "f"), 0.25);
  EXPECT_EQ(value("rate", "m"), 0.75);
  EXPECT_EQ(value("rate difference"), 0.5);
  EXPECT_EQ(value("true positive rate", "f"), 0.5);
  EXPECT_EQ(value("false positive rate", "m"), 0.5);
  EXPECT_EQ(value("false positive rate difference"), 0.5);
}

TEST(CliScore, LeavesOutRowsWithMissingValues) {
  const Workbench bench;
  bench.write("s.csv", std::string(scores) + ",m,1\n0.2,,0\n0.5,f,NA\n");
  const std::vector<std::string> words = {"score",       "s.csv", "--score",  "score",
                                          "--protected", "sex",   "--target", "y"};
  const ProgramResult refused = bench.lbw(words);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("--missing skip"), std::string::npos) << refused.err;
  std::vector<std::string> skipping = words;
  skipping.insert(skipping.end(), {"--missing", "skip", "-o", "-"});
  const ProgramResult result = bench.lbw(skipping);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("3 of 11 rows have missing values"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("\ngamma,,,0.5,"), std::string::npos) << result.out;
}

TEST(CliScore, PrintsATableATableFileOrOneNumber) {
  const Workbench bench;
  bench.write("s.csv", scores);
  const std::vector<std::string> words = {"score",       "s.csv", "--score", "1",
                                          "--protected", "2",     "--header"};
  const ProgramResult table = bench.lbw(words);
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(table.out.substr(0, 7), "measure");
  EXPECT_NE(table.out.find("\ngamma  "), std::string::npos) << table.out;
  std::vector<std::string> quiet = words;
  quiet.emplace_back("--quiet");
  EXPECT_EQ(bench.lbw(quiet).out, "0.5\n");
  std::vector<std::string> file = words;
  file.insert(file.end(), {"-o", "-", "--permutations", "0", "--bootstraps", "0"});
  EXPECT_EQ(bench.lbw(file).out.substr(0, 70),
            "measure,group,threshold,value,noise,p_value,low,high\ngamma,,,0.5,,,,\nk");
}

TEST(CliScore, RefusesWhatItCannotMeasure) {
  const Workbench bench;
  bench.write("s.csv", scores);
  bench.write("one.csv", "score,sex\n1,f\n2,f\n");
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"score", "s.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(
      bench,
      {{with({"--score", "scor", "--protected", "sex"}), 2,
        "--score: s.csv has no column 'scor'; its columns are 'score', 'sex', 'y'; did you mean "
        "'score'?"},
       {with({"--score", "score", "--protected", "sex", "--target", "Y2"}), 2,
        "--target: s.csv has no column 'Y2'; its columns are 'score', 'sex', 'y'"},
       {with({"--score", "y", "--protected", "sex", "--target", "score"}), 1,
        "--target: column 'score' contains 0.1 in row 1, expected 0 or 1"},
       {with({"--score", "score", "--protected", "sex", "--target", "score"}), 2,
        "--score and --target are both 'score', expected different columns"},
       {with({"--score", "score", "--protected", "sex", "--threshold", ".5,x"}), 2,
        "--threshold is '.5,x', expected numbers separated by commas, such as 0.5 or 0.3,0.5"},
       {with({"--score", "score", "--protected", "sex", "--seed", "-1"}), 2,
        "--seed is '-1', expected a whole number from 0 to 2^32 - 1"},
       {{"score", "one.csv", "--score", "score", "--protected", "sex"},
        1,
        "the protected column has a single value, 'f'; parity compares two or more groups"}});
}

TEST(CliScore, DoesNotReplaceItsTable) {
  const Workbench bench;
  bench.write("s.csv", scores);
  std::filesystem::create_hard_link(bench / "s.csv", bench / "same.csv");
  for (const char* output : {"s.csv", "./s.csv", "same.csv"}) {
    const ProgramResult result =
        bench.lbw({"score", "s.csv", "--score", "score", "--protected", "sex", "-o", output});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err,
              "lbw score: --output is the input s.csv, which the measures would replace; give "
              "another file\nTry 'lbw score --help'.\n");
  }
  EXPECT_EQ(bench.bytes("s.csv"), scores);
}

}  // namespace
}  // namespace lbw
