// SPDX-License-Identifier: MIT
// Lists with one number per group: by name in any order, or in the order of the groups, which is
// printed.
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliGroupNumbers, WeightsByNameDoNotDependOnTheirOrder) {
  const Workbench bench;
  bench.fit_model();
  const auto barycenter = [&](const std::string& weights) {
    return bench.lbw({"barycenter", "model.safetensors", "--weights", weights});
  };
  const ProgramResult plain = barycenter("1,3");
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_EQ(plain.err, "lbw barycenter: --weights is 'A' 1, 'B' 3\n");
  for (const char* weights : {"A=1,B=3", "B=3,A=1"}) {
    const ProgramResult named = barycenter(weights);
    EXPECT_EQ(named.out, plain.out);
    EXPECT_EQ(named.err, "");
  }
  EXPECT_NE(barycenter("A=3,B=1").out, plain.out);
}

TEST(CliGroupNumbers, TransportAndInspectTellWhichGroupHasWhichWeight) {
  const Workbench bench;
  bench.fit_model();
  const std::vector<std::string> transport = {
      "transport", "model.safetensors", "A.csv", "--from", "A", "--to", "barycenter"};
  const auto with = [](std::vector<std::string> words, const std::string& weights) {
    words.insert(words.end(), {"--weights", weights});
    return words;
  };
  EXPECT_EQ(bench.lbw(with(transport, "2,1")).err,
            "lbw transport: --weights is 'A' 2, 'B' 1\n"
            "lbw transport: 300 rows transported to the barycenter\n");
  EXPECT_EQ(bench.lbw(with(transport, "B=1,A=2")).out, bench.lbw(with(transport, "2,1")).out);
  const std::vector<std::string> inspect = {"inspect", "model.safetensors", "--data", "A.csv",
                                            "B.csv",   "--permutations",    "0"};
  EXPECT_EQ(bench.lbw(with(inspect, "2,1")).err, "lbw inspect: --weights is 'A' 2, 'B' 1\n");
  EXPECT_EQ(bench.lbw(with(inspect, "B=1,A=2")).out, bench.lbw(with(inspect, "2,1")).out);
}

TEST(CliGroupNumbers, NamesOfGroupsMayBeginWithAMinusSign) {
  const Workbench bench;
  std::string table = "group,x\n";
  for (int i = 0; i < 60; ++i) {
    table += (i % 2 == 0 ? "-1," : "1,") + std::to_string(i * i % 61) + ".5\n";
  }
  bench.write("signs.csv", table);
  const ProgramResult result =
      bench.lbw({"fit", "signs.csv", "--group-column", "group", "-k", "-1=2,1=3", "-o", "m", "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(load_model(bench / "m").mixtures[1].n_components(), 3);
}

TEST(CliGroupNumbers, FitTakesComponentsAndRefineWeightsByName) {
  const Workbench bench;
  // south comes first in the table
  const std::string table = bench.bytes("table.csv");
  const std::size_t south = table.find("south");
  const std::size_t first = table.rfind('\n', south) + 1;
  const std::size_t header = table.find('\n') + 1;
  bench.write("turned.csv",
              table.substr(0, header) + table.substr(first) + table.substr(header, first - header));
  const auto fit = [&](const std::string& components, const std::string& weights) {
    const ProgramResult result =
        bench.lbw({"fit", "turned.csv", "--group-column", "site", "--components", components,
                   "--refine", "1", "--refine-weights", weights, "-o", "m"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(fit("north=2,south=4", "north=3,south=1").find("is 'south'"), std::string::npos);
  const TransportModel model = load_model(bench / "m");
  EXPECT_EQ(model.group_names, (std::vector<std::string>{"south", "north"}));
  EXPECT_EQ(model.mixtures[0].n_components(), 4);
  EXPECT_EQ(model.mixtures[1].n_components(), 2);
  EXPECT_EQ(model.refinement.barycentric_weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(fit("4,2", "1,3")
                .rfind("lbw fit: --components is 'south' 4, 'north' 2\n"
                       "lbw fit: --refine-weights is 'south' 1, 'north' 3\n",
                       0),
            0U);
}

}  // namespace
}  // namespace lbw
