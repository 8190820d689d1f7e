// SPDX-License-Identifier: MIT
// Fits with warnings, and groups that are too small to fit.
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliSmallGroups, ASingleSampleIsNotMoved) {
  const Workbench bench;
  bench.write("one.csv", "x,y\n100,-100\n");
  const ProgramResult result =
      bench.lbw({"fit", "A.csv", "B.csv", "one.csv", "--small-groups", "keep", "-o", "m"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(
      result.err.find(
          "lbw fit: warning: group 'one' is too small to fit (1 sample) and is not transported; "),
      std::string::npos)
      << result.err;
  EXPECT_EQ(load_model(bench / "m").kept_groups, std::vector<std::string>{"one"});
  EXPECT_EQ(bench.lbw({"transport", "m", "one.csv", "--from", "one", "--to", "barycenter"}).out,
            bench.bytes("one.csv"));
  const ProgramResult refused =
      bench.lbw({"fit", "A.csv", "B.csv", "one.csv", "--small-groups", "error", "-o", "m"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "one.csv", "-o", "m"}).err, refused.err);
}

TEST(CliGroupShrinkage, IsPassedOnToTheLibrary) {
  const Workbench bench;
  const Table a = read_csv(bench / "A.csv");
  const Table b = read_csv(bench / "B.csv");
  const Group groups[] = {{"A", a.values}, {"B", b.values}};
  for (const auto& [text, shrinkage] : {std::pair{"0", Shrinkage{}},
                                        {"0.5", Shrinkage{.amount = 0.5}},
                                        {"auto", Shrinkage{.automatic = true}}}) {
    ASSERT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "-k", "2", "--group-shrinkage", text, "-o", "m"})
                  .exit_code,
              0);
    TransportOptions options;
    options.mixture.n_components = 2;
    options.group_shrinkage = shrinkage;
    EXPECT_EQ(load_model(bench / "m").mixtures[0].means,
              fit_transport(groups, options).mixtures[0].means)
        << text;
  }
}

std::string rows_of(int n_rows, int n_distinct, double scale) {
  std::string rows = "x,y\n";
  for (int i = 0; i < n_rows; ++i) {
    const double value = scale * ((i % n_distinct) * 37 % 101);
    rows += std::to_string(value) + "," + std::to_string(3 * i % n_distinct) + "\n";
  }
  return rows;
}

TEST(CliFitWarnings, FewerDistinctRowsThanComponentsAreFitted) {
  const Workbench bench;
  bench.write("few.csv", rows_of(40, 3, 1.0));
  const ProgramResult result = bench.lbw({"fit", "few.csv", "A.csv", "-k", "5", "-o", "m"});
  const std::string warning =
      "Group 'few' has 3 distinct samples, fewer than its 5 components: 2 components are copies of "
      "others and share their weights. Use fewer components.";
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("lbw fit: warning: " + warning), std::string::npos) << result.err;
  EXPECT_NE(bench.lbw({"inspect", "m"}).out.find(warning), std::string::npos);
  EXPECT_EQ(load_model(bench / "m").mixtures[0].n_components(), 5);
  EXPECT_EQ(
      bench.lbw({"select", "few.csv", "-k", "2,4"}).err,
      "lbw select: warning: the samples have 3 distinct rows, fewer than 4 components, so some "
      "components are copies\n");
}

TEST(CliFitWarnings, AFloorThatDominatesAFeatureIsReported) {
  const Workbench bench;
  bench.write("small.csv", rows_of(200, 101, 2e-5));  // standard deviation 6e-4
  const std::vector<std::string> fit = {"fit", "small.csv", "A.csv", "-k", "1", "-o", "m"};
  const ProgramResult result = bench.lbw(fit);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::size_t at = result.err.find("lbw fit: warning: covariance_floor (1e-06) is 2");
  ASSERT_NE(at, std::string::npos) << result.err;
  const std::string text = result.err.substr(at + 18, result.err.find('\n', at) - at - 18);
  EXPECT_NE(text.find(" times the variance of feature 'x' (3.4"), std::string::npos) << text;
  EXPECT_NE(text.find(" in group 'small'"), std::string::npos) << text;
  EXPECT_NE(text.find("relative_covariance_floor"), std::string::npos) << text;
  const std::string report = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(report.find(text), std::string::npos) << report;
  EXPECT_EQ(report.find("No problems found"), std::string::npos) << report;
  std::vector<std::string> relative = fit;
  relative.insert(relative.end(),
                  {"--covariance-floor", "0", "--relative-covariance-floor", "0.001"});
  EXPECT_EQ(bench.lbw(relative).err.find("the variance of feature"), std::string::npos);
}

}  // namespace
}  // namespace lbw
