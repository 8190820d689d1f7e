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
  const std::size_t at = result.err.find("lbw fit: warning: --covariance-floor (1e-06) is 2");
  ASSERT_NE(at, std::string::npos) << result.err;
  const std::string text = result.err.substr(at + 18, result.err.find('\n', at) - at - 18);
  EXPECT_NE(text.find(" times the variance of feature 'x' (3.4"), std::string::npos) << text;
  EXPECT_NE(text.find(" in group 'small'"), std::string::npos) << text;
  EXPECT_NE(text.find("set --covariance-floor to 0 and --relative-covariance-floor"),
            std::string::npos)
      << text;
  const std::string report = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(report.find(text), std::string::npos) << report;
  EXPECT_EQ(report.find("No problems found"), std::string::npos) << report;
  std::vector<std::string> relative = fit;
  relative.insert(relative.end(),
                  {"--covariance-floor", "0", "--relative-covariance-floor", "0.001"});
  EXPECT_EQ(bench.lbw(relative).err.find("the variance of feature"), std::string::npos);
}

TEST(CliFitWarnings, ComponentsOfFewSamplesAreReported) {
  const Workbench bench;
  const std::string warning =
      "components have fewer than 10 samples, so their covariances are mostly noise, and new "
      "samples may be sent far away; reduce --components, or set --shrinkage to auto, or set "
      "--relative-covariance-floor to a number such as 0.1\n";
  const std::vector<std::string> fit = {"fit", "A.csv", "B.csv", "-k", "60", "-o", "m"};
  EXPECT_NE(bench.lbw(fit).err.find(warning), std::string::npos) << bench.lbw(fit).err;
  std::vector<std::string> floored = fit;
  floored.insert(floored.end(), {"--relative-covariance-floor", "0.1"});
  EXPECT_EQ(bench.lbw(floored).err.find(warning), std::string::npos);
  // fewer components than one are not possible
  bench.write("few.csv", "x,y\n1,2\n2,1\n4,4\n3,1\n");
  const std::string one = bench.lbw({"fit", "A.csv", "few.csv", "-k", "1", "-o", "m"}).err;
  EXPECT_NE(
      one.find("1 of 2 components have fewer than 10 samples, so their covariances are mostly "
               "noise, and new samples may be sent far away; set --shrinkage to auto, or "),
      std::string::npos)
      << one;
  const std::string report = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(report.find("Provide more samples, or set --shrinkage to auto."), std::string::npos)
      << report;
  EXPECT_EQ(report.find("ewer components"), std::string::npos) << report;
}

TEST(CliFitWarnings, AFeatureThatIsConstantInOneGroupIsReported) {
  const Workbench bench;
  std::string rows = "x,y\n";
  for (int i = 0; i < 50; ++i) rows += std::to_string(i * 37 % 50) + ",7\n";
  bench.write("flat.csv", rows);
  const std::string err = bench.lbw({"fit", "A.csv", "flat.csv", "-k", "1", "-o", "m"}).err;
  EXPECT_NE(err.find("lbw fit: warning: feature 'y' is constant in group 'flat' and varies in "
                     "another. A new sample of 'flat' with another value is sent about "),
            std::string::npos)
      << err;
}

TEST(CliFitWarnings, CopiesAmongHeldOutSamplesAreReported) {
  const Workbench bench;
  const std::string rows = bench.bytes("A.csv");
  bench.write("twice.csv", rows + rows.substr(rows.find('\n') + 1));
  const std::string warning =
      "warning: 300 of 600 samples are copies of others, so held-out samples are among those of "
      "the fit, and --criterion heldout selects too many components; ";
  const std::vector<std::string> select = {"select", "twice.csv", "-k", "1,2", "--criterion"};
  const auto by = [&](const std::string& criterion) {
    std::vector<std::string> words = select;
    words.push_back(criterion);
    return bench.lbw(words).err;
  };
  EXPECT_NE(by("heldout").find(warning), std::string::npos) << by("heldout");
  EXPECT_EQ(by("bic").find(warning), std::string::npos);
  EXPECT_EQ(bench.lbw({"select", "A.csv", "-k", "1", "--criterion", "heldout"}).err, "");
}

}  // namespace
}  // namespace lbw
