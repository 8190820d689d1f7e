// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <sstream>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

/// A table with weights 0, 1 and 2, and the same rows without weights, repeated.
void write_tables(const Workbench& bench) {
  const Table rows = read_csv(bench / "table.csv", {.group_column = "site"});
  std::ostringstream weighted;
  std::ostringstream repeated;
  weighted << "x,site,y,weight\n";
  repeated << "x,site,y\n";
  weighted.precision(17);
  repeated.precision(17);
  for (Index i = 0; i < rows.values.rows(); ++i) {
    const int weight = static_cast<int>(i % 3);
    std::ostringstream cells;
    cells.precision(17);
    cells << rows.values(i, 0) << "," << rows.groups[static_cast<std::size_t>(i)] << ","
          << rows.values(i, 1);
    weighted << cells.str() << "," << weight << "\n";
    for (int copy = 0; copy < weight; ++copy) repeated << cells.str() << "\n";
  }
  bench.write("weighted.csv", weighted.str());
  bench.write("repeated.csv", repeated.str());
}

TEST(CliWeightColumn, FitsWholeWeightsAsRepeatedRows) {
  const Workbench bench;
  write_tables(bench);
  const auto fit = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"fit", "--group-column", "site", "-o", "m.safetensors", "-q"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramResult result = bench.lbw(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return load_model(bench / "m.safetensors");
  };
  const TransportModel model = fit({"weighted.csv", "--weight-column", "weight"});
  const TransportModel expected = fit({"repeated.csv"});
  EXPECT_EQ(model.feature_names, (std::vector<std::string>{"x", "y"}));
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_LT((model.mixtures[g].means - expected.mixtures[g].means).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(model.reports[g].count(), static_cast<double>(expected.reports[g].n_samples));
  }
}

TEST(CliWeightColumn, SelectsAndInspectsWithWeights) {
  const Workbench bench;
  write_tables(bench);
  bench.fit_model();
  const auto selected = [&](const std::string& file, const std::string& weights) {
    std::vector<std::string> arguments{
        "select",       file, "--group-column", "site",        "--group", "north",
        "--components", "1",  "--json",         "--criterion", "bic"};
    if (!weights.empty()) arguments.insert(arguments.end(), {"--weight-column", weights});
    return bench.lbw_json(arguments).at("curve").at(0).at("bic").get<double>();
  };
  EXPECT_NEAR(selected("weighted.csv", "weight"), selected("repeated.csv", ""), 1e-6);
  const auto inspected = [&](const std::string& file, const std::string& weights) {
    std::vector<std::string> arguments{
        "inspect", "model.safetensors", "--data", file, "--group-column", "site", "--json"};
    if (!weights.empty()) arguments.insert(arguments.end(), {"--weight-column", weights});
    return arguments;
  };
  for (const char* name :
       {"weighted.csv", "repeated.csv"}) {  // the groups of the model are A and B
    std::string text = bench.bytes(name);
    for (const auto& [from, to] : {std::pair{"north", "A"}, {"south", "B"}}) {
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        text.replace(at, 5, to);
      }
    }
    bench.write(name, text);
  }
  EXPECT_EQ(bench.lbw_json(inspected("weighted.csv", "weight")).at("separations"),
            bench.lbw_json(inspected("repeated.csv", "")).at("separations"));
}

TEST(CliWeightColumn, NamesTheLineOfABadWeight) {
  const Workbench bench;
  bench.write("bad.csv", "x,site,w\n1,a,1\n2,a,-1\n3,b,1\n4,b,1\n");
  const ProgramResult result = bench.lbw(
      {"fit", "bad.csv", "--group-column", "site", "--weight-column", "w", "-o", "m.safetensors"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("bad.csv:3: column 3 (w): \"-1\" is not a weight, expected a finite "
                            "number >= 0"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(bench.names().contains("m.safetensors"));
  const ProgramResult npy =
      bench.lbw({"select", "A.npy", "--components", "1", "--weight-column", "w"});
  EXPECT_EQ(npy.exit_code, 2);
  EXPECT_NE(npy.err.find("--weight-column needs CSV, A.npy has no column names"), std::string::npos)
      << npy.err;
}

}  // namespace
}  // namespace lbw
