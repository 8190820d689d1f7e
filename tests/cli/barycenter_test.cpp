// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <sstream>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliBarycenter, PrintsOneComponentALine) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result =
      bench.lbw({"barycenter", "model.safetensors", "--weights", ".25,.75"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream stream(result.out);
  const Table table = read_csv(stream, "output");
  EXPECT_EQ(table.feature_names,
            (std::vector<std::string>{"component", "weight", "mean_x", "mean_y", "covariance_x_x",
                                      "covariance_x_y", "covariance_y_y"}));
  const std::vector<double> weights = {0.25, 0.75};
  const Mixture mixture = barycenter(load_model(bench / "model.safetensors"), weights);
  ASSERT_EQ(table.values.rows(), mixture.n_components());
  for (Index i = 0; i < mixture.n_components(); ++i) {
    EXPECT_EQ(table.values(i, 0), static_cast<double>(i));
    EXPECT_EQ(table.values(i, 1), mixture.weights[i]);
    EXPECT_EQ(table.values.row(i).segment(2, 2), mixture.means.row(i));
    EXPECT_EQ(table.values(i, 4), mixture.component(i).covariance(0, 0));
    EXPECT_EQ(table.values(i, 5), mixture.component(i).covariance(0, 1));
    EXPECT_EQ(table.values(i, 6), mixture.component(i).covariance(1, 1));
  }
}

TEST(CliBarycenter, NumbersFeaturesThatHaveNoNames) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.npy", "B=A.npy", "-o", "m"}).exit_code, 0);
  const std::string out = bench.lbw({"barycenter", "m"}).out;
  EXPECT_EQ(out.substr(0, out.find('\n')),
            "component,weight,mean_1,mean_2,covariance_1_1,covariance_1_2,covariance_2_2");
}

TEST(CliBarycenter, SamplesFromASeed) {
  const Workbench bench;
  bench.fit_model();
  std::vector<std::string> arguments = {
      "barycenter", "model.safetensors", "--sample", "50", "--seed", "4", "-o", "s.csv"};
  ASSERT_EQ(bench.lbw(arguments).exit_code, 0);
  const std::vector<double> weights = {0.5, 0.5};
  const Mixture mixture = barycenter(load_model(bench / "model.safetensors"), weights);
  const Table table = read_csv(bench / "s.csv");
  EXPECT_EQ(table.feature_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(table.values, sample(mixture, 50, 4).samples);
}

TEST(CliBarycenter, JsonHoldsTheMixtureAndItsSamples) {
  const Workbench bench;
  bench.fit_model();
  const nlohmann::json json =
      bench.lbw_json({"barycenter", "model.safetensors", "--sample", "5", "--json"});
  EXPECT_EQ(json.at("groups"), (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(json.at("barycentric_weights"), (std::vector<double>{0.5, 0.5}));
  const nlohmann::json heavy =
      bench.lbw_json({"barycenter", "model.safetensors", "--weights", "1,3", "--json"});
  EXPECT_EQ(heavy.at("barycentric_weights"), (std::vector<double>{0.25, 0.75}));
  ASSERT_EQ(json.at("components").size(), 3U);
  EXPECT_EQ(json.at("components")[0].at("mean").size(), 2U);
  EXPECT_EQ(json.at("components")[0].at("covariance")[1].size(), 2U);
  EXPECT_GT(json.at("components")[0].at("weight"), 0.0);
  EXPECT_EQ(json.at("samples").at("values").size(), 5U);
}

}  // namespace
}  // namespace lbw
