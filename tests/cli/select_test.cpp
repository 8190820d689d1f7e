// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Names = std::vector<std::string>;

// The data of the workbench are three well separated clusters, so BIC selects three.

TEST(CliSelect, FindsTheThreeClusters) {
  const Workbench bench;
  const ProgramResult result =
      bench.lbw({"select", "A.csv", "--components", "1:5", "--criterion", "bic"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("|<- selected\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n3 components selected by the smallest bic\n"), std::string::npos)
      << result.out;
  // one component fits three clusters worst and has the longest bar
  EXPECT_NE(result.out.find("|" + std::string(30, '#') + "\n"), std::string::npos) << result.out;
}

TEST(CliSelect, QuietPrintsTheNumberAlone) {
  const Workbench bench;
  const ProgramResult result =
      bench.lbw({"select", "A.csv", "--components", "1:5", "--criterion", "bic", "-q"});
  EXPECT_EQ(result.out, "3\n");
  EXPECT_EQ(result.err, "");
}

TEST(CliSelect, UnderstandsRangesAndLists) {
  const Workbench bench;
  const auto tried = [&](const std::string& range) {
    const nlohmann::json json =
        bench.lbw_json({"select", "A.csv", "--components", range, "--json", "--criterion", "bic"});
    std::vector<int> numbers;
    for (const auto& point : json.at("curve")) numbers.push_back(point.at("n_components"));
    return numbers;
  };
  EXPECT_EQ(tried("2"), (std::vector<int>{2}));
  EXPECT_EQ(tried("2:4"), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(tried("1:6:2"), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(tried("4,1:2"), (std::vector<int>{4, 1, 2}));
}

TEST(CliSelect, JsonHoldsTheWholeCurve) {
  const Workbench bench;
  const nlohmann::json json =
      bench.lbw_json({"select", "A.csv", "--components", "1:4", "--json", "--criterion", "bic"});
  EXPECT_EQ(json.at("criterion"), "bic");
  EXPECT_EQ(json.at("n_components"), 3);
  ASSERT_EQ(json.at("curve").size(), 4U);
  EXPECT_LT(json.at("curve")[2].at("bic"), json.at("curve")[0].at("bic"));
  EXPECT_TRUE(json.at("curve")[2].at("aic").is_number());
  EXPECT_TRUE(json.at("curve")[2].at("mean_log_likelihood").is_number());
  EXPECT_TRUE(json.at("curve")[2].at("iterations").is_number());
  EXPECT_EQ(json.at("curve")[2].at("converged"), true);
}

TEST(CliSelect, ChoosesByHeldOutSamples) {
  const Workbench bench;
  const Names arguments{"select", "A.csv", "-k", "1:4", "--criterion", "heldout"};
  const ProgramResult result = bench.lbw(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("  iterations  heldout_log_likelihood\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("|<- selected\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" components selected by the highest likelihood of held-out samples\n"),
            std::string::npos);
  Names more = arguments;
  more.insert(more.end(), {"--json", "-o", "c.csv"});
  const nlohmann::json json = bench.lbw_json(more);
  const Table curve = read_csv(bench / "c.csv");
  EXPECT_EQ(curve.feature_names.back(), "heldout_log_likelihood");
  double most = curve.values(0, 6);
  for (Index i = 0; i < 4; ++i) {
    const nlohmann::json& point = json.at("curve")[static_cast<std::size_t>(i)];
    EXPECT_EQ(point.at("heldout_log_likelihood"), curve.values(i, 6));
    most = std::max(most, curve.values(i, 6));
  }
  EXPECT_EQ(curve.values(json.at("n_components").get<Index>() - 1, 6), most);
}

TEST(CliSelect, WritesTheCurveAndTakesOneGroup) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"select", "A.csv", "-k", "1:3", "-o", "a.csv"}).exit_code, 0);
  ASSERT_EQ(bench
                .lbw({"select", "table.csv", "--group-column", "site", "--group", "north", "-k",
                      "1:3", "-o", "north.csv"})
                .exit_code,
            0);
  const Table curve = read_csv(bench / "a.csv");
  EXPECT_EQ(curve.feature_names,
            (std::vector<std::string>{"n_components", "mean_log_likelihood", "aic", "bic",
                                      "iterations", "converged"}));
  EXPECT_EQ(curve.values.rows(), 3);
  EXPECT_EQ(bench.bytes("north.csv"), bench.bytes("a.csv"));
}

TEST(CliSelect, SaysWhichNumbersHaveNotConverged) {
  const Workbench bench;
  const ProgramResult result = bench.lbw(
      {"select", "A.csv", "-k", "5", "--max-iterations", "1", "--tolerance", "0", "-o", "c.csv"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err,
            "lbw select: warning: 5 components have not converged after 1 iteration; increase "
            "--max-iterations (1) or --tolerance (0)\n");
  EXPECT_EQ(read_csv(bench / "c.csv").values(0, 5), 0.0);
}

TEST(CliSelect, WarnsOfAFloorThatExceedsAVariance) {
  const Workbench bench;
  std::string table = "g,x,y\n";
  for (int i = 0; i < 200; ++i) {
    table += (i % 2 == 0 ? "a," : "b,") + std::to_string(i * 37 % 200) + "," +
             std::to_string(i * 53 % 200) + "e-8\n";
  }
  bench.write("tiny.csv", table);
  const ProgramResult all =
      bench.lbw({"select", "tiny.csv", "-k", "1:2", "--columns", "x,y", "--group-column", "g"});
  EXPECT_NE(all.err.find("lbw select: warning: --covariance-floor"), std::string::npos) << all.err;
  EXPECT_NE(all.err.find(" in group 'tiny', so the cov"), std::string::npos) << all.err;
  const ProgramResult one = bench.lbw(
      {"select", "tiny.csv", "-k", "1", "--columns", "x,y", "--group-column", "g", "--group", "b"});
  EXPECT_NE(one.err.find(" in group 'b', so the cov"), std::string::npos) << one.err;
  const ProgramResult without = bench.lbw({"select", "tiny.csv", "-k", "1", "--columns", "x,y",
                                           "--group-column", "g", "--covariance-floor", "0"});
  EXPECT_EQ(without.err.find("covariance-floor"), std::string::npos) << without.err;
}

}  // namespace
}  // namespace lbw
