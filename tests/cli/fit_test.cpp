// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Names = std::vector<std::string>;

TEST(CliFit, NamesGroupsAfterTheirFiles) {
  const Workbench bench;
  bench.fit_model();
  const TransportModel model = load_model(bench / "model.safetensors");
  EXPECT_EQ(model.group_names, (Names{"A", "B"}));
  EXPECT_EQ(model.feature_names, (Names{"x", "y"}));
  EXPECT_EQ(model.mixtures.front().n_components(), 3);
  EXPECT_EQ(model.reports.back().n_samples, 300);
}

TEST(CliFit, TakesNamesFromTheCommandLine) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "new=A.csv", "old=B.csv", "-o", "m"}).exit_code, 0);
  EXPECT_EQ(load_model(bench / "m").group_names, (Names{"new", "old"}));
}

TEST(CliFit, SplitsOneFileByItsGroupColumn) {
  const Workbench bench;
  bench.fit_model();
  ASSERT_EQ(
      bench.lbw({"fit", "table.csv", "--group-column", "site", "-k", "3", "-o", "m"}).exit_code, 0);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.group_names, (Names{"north", "south"}));
  // the same rows as A.csv and B.csv, so the same mixtures
  const TransportModel apart = load_model(bench / "model.safetensors");
  EXPECT_EQ(model.mixtures[0].means, apart.mixtures[0].means);
  EXPECT_EQ(model.mixtures[1].means, apart.mixtures[1].means);
}

TEST(CliFit, PoolsTheRowsOfAGroupOverFiles) {
  const Workbench bench;
  std::filesystem::create_directory(bench / "more");
  bench.write("more/table.csv", "y,site,x\n0,south,10\n1,west,0\n5,west,3\n");
  ASSERT_EQ(bench.lbw({"fit", "table.csv", "more/table.csv", "--group-column", "site", "-o", "m"})
                .exit_code,
            0);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.group_names, (Names{"north", "south", "west"}));
  EXPECT_EQ(model.reports[1].n_samples, 301);
  // the columns of the second file have another order
  EXPECT_EQ(model.mixtures[2].means(0, 0), 1.5);
  EXPECT_EQ(model.mixtures[2].means(0, 1), 3.0);
}

TEST(CliFit, ReadsNpyAndStandardInput) {
  const Workbench bench;
  bench.fit_model();
  const std::string b = bench.bytes("B.csv");
  ASSERT_EQ(bench.lbw({"fit", "A.npy", "B=-", "-k", "3", "-o", "m"}, b).exit_code, 0);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.group_names, (Names{"A", "B"}));
  EXPECT_EQ(model.mixtures[0].means, load_model(bench / "model.safetensors").mixtures[0].means);
}

TEST(CliFit, WritesTheModelToStandardOutput) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result = bench.lbw(
      {"fit", "A.csv", "B.csv", "-k", "3", "--coupling", "matching", "--map", "hard", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, bench.bytes("model.safetensors"));
}

TEST(CliFit, PassesItsOptionsOn) {
  const Workbench bench;
  const ProgramResult result = bench.lbw({"fit",      "A.csv",
                                          "B.csv",    "-o",
                                          "m",        "-k",
                                          "2",        "--covariance",
                                          "diagonal", "--covariance-floor",
                                          "0.01",     "--tolerance",
                                          "0.5",      "--max-iterations",
                                          "7",        "--n-init",
                                          "2",        "--start",
                                          "random",   "--seed",
                                          "9",        "--reference",
                                          "B",        "--precision",
                                          "f32",      "--start-samples",
                                          "50",       "--shrinkage",
                                          "0.25",     "--relative-covariance-floor",
                                          "0.125"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.mixture_options.n_components, 2);
  EXPECT_EQ(model.mixture_options.covariance_type, CovarianceType::diagonal);
  EXPECT_EQ(model.mixture_options.covariance_floor, 0.01);
  EXPECT_EQ(model.mixture_options.relative_covariance_floor, 0.125);
  EXPECT_EQ(model.mixture_options.shrinkage, Shrinkage{.amount = 0.25});
  EXPECT_EQ(model.mixture_options.tolerance, 0.5);
  EXPECT_EQ(model.mixture_options.max_iterations, 7);
  EXPECT_EQ(model.mixture_options.n_init, 2);
  EXPECT_EQ(model.mixture_options.start, MixtureStart::random_points);
  EXPECT_EQ(model.mixture_options.precision, Precision::f32);
  EXPECT_EQ(model.mixture_options.start_samples, 50);
  EXPECT_EQ(model.mixture_options.seed, 9U);
  EXPECT_EQ(model.coupling.reference, 1);
}

TEST(CliFit, LetsEveryGroupChooseItsComponents) {
  const Workbench bench;
  const ProgramResult result =
      bench.lbw({"fit", "A.csv", "B.csv", "-o", "m", "-k", "auto:1:4", "--criterion", "bic"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find(" components each, fitted in "), std::string::npos) << result.err;
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.coupling.method, CouplingMethod::plan);
  const std::string chosen =
      bench.lbw({"select", "A.csv", "-k", "1:4", "--criterion", "bic", "-q"}).out;
  EXPECT_EQ(std::to_string(model.mixtures[0].n_components()) + "\n", chosen);
  ASSERT_EQ(
      bench.lbw({"fit", "A.csv", "B.csv", "-o", "m", "-k", "auto:2", "--coupling", "multimarginal"})
          .exit_code,
      0);
  EXPECT_EQ(load_model(bench / "m").coupling.method, CouplingMethod::multimarginal);
}

TEST(CliFit, SelectsTheCouplingByTheMap) {
  const Workbench bench;
  ASSERT_EQ(
      bench
          .lbw({"fit", "A.csv", "B.csv", "-o", "m", "--components", "2,4", "--coupling", "plan",
                "--cost", "bures", "--map", "random"})
          .err.find(
              "lbw fit: --components is 'A' 2, 'B' 4\nlbw fit: 2 groups, 2, 4 components, fitted "),
      0U);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.mixtures[0].n_components(), 2);
  EXPECT_EQ(model.mixtures[1].n_components(), 4);
  EXPECT_EQ(model.coupling.method, CouplingMethod::plan);
  EXPECT_EQ(model.coupling.cost, ComponentCost::bures);
  EXPECT_EQ(model.map, MapKind::random);
  // transport uses the map of the model
  ASSERT_EQ(
      bench.lbw({"transport", "m", "A.npy", "--from", "A", "--to", "B", "-o", "c.npy"}).exit_code,
      0);
  EXPECT_EQ(read_npy(bench / "c.npy"),
            transport(map_between(model, "A", "B"), read_npy(bench / "A.npy")));
}

TEST(CliFit, TakesChosenColumnsOfSemicolonFiles) {
  const Workbench bench;
  bench.write("p.csv", "id;u;v\n1;2;3\n2;4;9\n");
  bench.write("q.csv", "9;5;6\n8;7;8\n");
  ASSERT_EQ(
      bench
          .lbw({"fit", "p.csv", "q.csv", "--columns", "3,2", "--delimiter", "semicolon", "-o", "m"})
          .exit_code,
      0);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.feature_names, (Names{"v", "u"}));
  EXPECT_EQ(model.mixtures[0].means(0, 0), 6.0);
  EXPECT_EQ(model.mixtures[1].means(0, 0), 7.0);
}

TEST(CliFit, TreatsAFirstLineOfNumbersAsHeaderWhenTold) {
  const Workbench bench;
  bench.write("p.csv", "2020,2021\n1,2\n3,5\n");
  bench.write("q.csv", "2021,2020\n1,2\n3,5\n");
  ASSERT_EQ(bench.lbw({"fit", "p.csv", "q.csv", "--header", "-o", "m"}).exit_code, 0);
  EXPECT_EQ(load_model(bench / "m").feature_names, (Names{"2020", "2021"}));
  ASSERT_EQ(bench.lbw({"fit", "p.csv", "q.csv", "--no-header", "-o", "m"}).exit_code, 0);
  EXPECT_EQ(load_model(bench / "m").reports[0].n_samples, 3);
}

TEST(CliFit, JsonDescribesTheFit) {
  const Workbench bench;
  const nlohmann::json json =
      bench.lbw_json({"fit", "A.csv", "B.csv", "-k", "3", "-o", "m", "--json"});
  EXPECT_EQ(json.at("groups").size(), 2U);
  EXPECT_EQ(json.at("groups")[0].at("name"), "A");
  EXPECT_EQ(json.at("groups")[0].at("n_samples"), 300);
  EXPECT_EQ(json.at("reference"), "A");
  EXPECT_EQ(json.at("feature_names"), (Names{"x", "y"}));
  EXPECT_EQ(json.at("converged"), true);
  EXPECT_EQ(json.at("options").at("n_components"), 3);
}

TEST(CliFit, RunningOutOfStepsWritesTheModelAndExitsWithThree) {
  const Workbench bench;
  const ProgramResult result = bench.lbw(
      {"fit", "A.csv", "B.csv", "-k", "6", "--max-iterations", "1", "--tolerance", "0", "-o", "m"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("lbw fit: warning: group 'A' did not converge in 1 iteration; increase "
                            "--max-iterations (1) or --tolerance (0)\n"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(load_model(bench / "m").converged());
}

TEST(CliFit, RefinesAsTheLibraryDoes) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "-k", "3", "--refine", "2", "-o", "m"}).exit_code,
            0);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.refinement.steps.size(), 2U);
  EXPECT_EQ(model.refinement.barycentric_weights, (std::vector<double>{0.5, 0.5}));
  bench.fit_model();
  EXPECT_TRUE(load_model(bench / "model.safetensors").refinement.empty());
}

TEST(CliFit, DithersColumnsOfFewValuesAndSaysWhich) {
  const Workbench bench;
  std::string rows = "age,size\n";
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i % 5) + "," + std::to_string(0.37 * i * i) + "\n";
  }
  bench.write("few.csv", rows);
  const ProgramResult result =
      bench.lbw({"fit", "a=few.csv", "b=few.csv", "--dither", "0.5", "-o", "m"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("dither: 1 of 2 features: age by 0.5\n"), std::string::npos)
      << result.err;
  EXPECT_EQ(load_model(bench / "m").dither, (Vector{{0.5, 0.0}}));
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(text.find("\ndither      1 of 2 features: age by 0.5\n"), std::string::npos) << text;
  EXPECT_EQ(bench.lbw_json({"inspect", "m", "--json"}).at("dither"),
            (std::vector<double>{0.5, 0.0}));
  const ProgramResult none = bench.lbw({"fit", "A.csv", "B.csv", "--dither", "1", "-o", "m"});
  EXPECT_NE(none.err.find("no column takes few values, so no noise is added"), std::string::npos)
      << none.err;
  const ProgramResult automatic =
      bench.lbw({"fit", "a=few.csv", "b=few.csv", "--dither", "auto", "-o", "m"});
  EXPECT_NE(automatic.err.find("dither: 1 of 2 features: age (5 values)\n"), std::string::npos)
      << automatic.err;
  EXPECT_EQ(load_model(bench / "m").dither_cells[0].lower.size(), 5U);
  const std::string cells = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(cells.find("\ndither      1 of 2 features: age (5 values)\n"), std::string::npos)
      << cells;
  EXPECT_EQ(bench.lbw_json({"inspect", "m", "--json"}).at("dither_cells").at(0).at(1),
            (std::vector<double>{0.5, 1.5}));
}

TEST(CliFit, QuietSaysNothing) {
  const Workbench bench;
  const ProgramResult result = bench.lbw({"fit", "A.csv", "B.csv", "-k", "6", "--max-iterations",
                                          "1", "--tolerance", "0", "-o", "m", "--quiet"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

/// Rows of (x, y), where y has no variance in the first group.
std::string rows_on(bool flat) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 100; ++i) {
    rows +=
        std::to_string(0.1 * (i % 20)) + "," + (flat ? "0" : std::to_string(0.3 * (i % 7))) + "\n";
  }
  return rows;
}

TEST(CliFit, WarnsOfLargeDisplacements) {
  const Workbench bench;
  bench.write("flat.csv", rows_on(true));
  bench.write("round.csv", rows_on(false));
  const std::vector<std::string> fit = {"fit", "flat.csv", "round.csv", "-k", "1", "-o", "m"};
  const ProgramResult thrown = bench.lbw(fit);
  EXPECT_EQ(thrown.exit_code, 0);
  EXPECT_NE(thrown.err.find("lbw fit: warning: New samples of 'flat' are moved too far in the "
                            "transport to 'round': a tenth of"),
            std::string::npos)
      << thrown.err;
  std::vector<std::string> quietly = fit;
  quietly.emplace_back("--quiet");
  EXPECT_EQ(bench.lbw(quietly).err, "");
  std::vector<std::string> floored = fit;
  floored.insert(floored.end(), {"--covariance-floor", "0.1"});
  EXPECT_EQ(bench.lbw(floored).err.find("warning"), std::string::npos);
}

}  // namespace
}  // namespace lbw
