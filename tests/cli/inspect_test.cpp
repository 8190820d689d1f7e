// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/mixture_distance.hpp>
#include <lbw/model_file.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliInspect, TellsWhatTheModelHolds) {
  const Workbench bench;
  ASSERT_EQ(
      bench.lbw({"fit", "A.csv", "B.csv", "-k", "3", "--reference", "B", "--seed", "5", "-o", "m"})
          .exit_code,
      0);
  const ProgramResult result = bench.lbw({"inspect", "m"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const std::string& text = result.out;
  EXPECT_EQ(text.substr(0, text.find("\n\n")),
            "groups      2, matched to 'B'\n"
            "features    2: x, y\n"
            "coupling    matching, cost means, map hard\n"
            "options     covariance full, floor 1e-06, tolerance 0.001, at most 100 iterations, "
            "1 start by kmeans, f64, seed 5");
  EXPECT_NE(text.find("\nA           300           3  "), std::string::npos) << text;
  EXPECT_NE(text.find("yes         0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("matched components (component: weight)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\ngroup   group    mixture distance   misplaced mass\nA       B    "),
            std::string::npos)
      << text;
}

TEST(CliInspect, ShowsShrinkageAndTheRelativeFloor) {
  const Workbench bench;
  ASSERT_EQ(bench
                .lbw({"fit", "A.csv", "B.csv", "--shrinkage", "auto", "--relative-covariance-floor",
                      "0.5", "-o", "m"})
                .exit_code,
            0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(text.find("covariance full, floor 1e-06, relative floor 0.5, shrinkage auto, tol"),
            std::string::npos)
      << text;
  const nlohmann::json options = bench.lbw_json({"inspect", "m", "--json"}).at("options");
  EXPECT_EQ(options.at("relative_covariance_floor"), 0.5);
  EXPECT_EQ(options.at("shrinkage"), "auto");
}

TEST(CliInspect, ShowsTheMassesOfAPlan) {
  const Workbench bench;
  ASSERT_EQ(bench
                .lbw({"fit", "A.csv", "B.csv", "-k", "2,3", "--coupling", "plan", "--cost", "bures",
                      "--map", "soft", "-o", "m"})
                .exit_code,
            0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_EQ(text.rfind("groups      2, coupled to 'A'\n", 0), 0U) << text;
  EXPECT_NE(text.find("\ncoupling    plan, cost bures, map soft\n"), std::string::npos) << text;
  EXPECT_NE(text.find("coupled components (component: weight)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("B        mass\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ngroup   group    mixture distance\n"), std::string::npos) << text;
  const TransportModel model = load_model(bench / "m");
  const nlohmann::json json = bench.lbw_json({"inspect", "m", "--json"});
  EXPECT_EQ(json.at("coupling"), "plan");
  EXPECT_EQ(json.at("cost"), "bures");
  EXPECT_EQ(json.at("map"), "soft");
  ASSERT_EQ(std::ssize(json.at("tuples")), model.coupling.masses.size());
  EXPECT_EQ(json.at("tuples")[1].at("mass"), model.coupling.masses[1]);
}

TEST(CliInspect, ShowsTheRefinement) {
  const Workbench bench;
  ASSERT_EQ(
      bench
          .lbw({"fit", "A.csv", "B.csv", "--refine", "4", "--refine-weights", ".75,.25", "-o", "m"})
          .exit_code,
      0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(text.find("\nrefinement  4 steps to the barycenter of weights 0.75, 0.25\noptions"),
            std::string::npos)
      << text;
  const nlohmann::json json = bench.lbw_json({"inspect", "m", "--json"});
  EXPECT_EQ(json.at("refine"), 4);
  EXPECT_EQ(json.at("refine_weights"), (std::vector<double>{0.75, 0.25}));
  bench.fit_model();
  EXPECT_EQ(bench.lbw_json({"inspect", "model.safetensors", "--json"}).at("refine"), 0);
}

TEST(CliInspect, TellsWhatACouplingOfThreeGroupsCosts) {
  const Workbench bench;
  ASSERT_EQ(
      bench.lbw({"fit", "A.csv", "B.csv", "c=A.csv", "-k", "2", "--coupling", "plan", "-o", "m"})
          .exit_code,
      0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_NE(text.find("\nthe coupling costs "), std::string::npos) << text;
  EXPECT_NE(text.find(", any other at least "), std::string::npos) << text;
}

TEST(CliInspect, NamesNoReferenceWhereThereIsNone) {
  const Workbench bench;
  ASSERT_EQ(
      bench.lbw({"fit", "A.csv", "B.csv", "-k", "2", "--coupling", "multimarginal", "-o", "m"})
          .exit_code,
      0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_EQ(text.rfind("groups      2, coupled at once\n", 0), 0U) << text;
}

TEST(CliInspect, TellsHowFarGroupsAreApart) {
  const Workbench bench;
  bench.fit_model();
  const TransportModel model = load_model(bench / "model.safetensors");
  const nlohmann::json pairs =
      bench.lbw_json({"inspect", "model.safetensors", "--json"}).at("pairs");
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].at("first"), "A");
  EXPECT_EQ(pairs[0].at("second"), "B");
  EXPECT_EQ(pairs[0].at("mixture_distance"),
            mixture_distance(model.mixtures[0], model.mixtures[1]));
  EXPECT_EQ(pairs[0].at("misplaced_mass"), misplaced_mass(model, "A", "B"));
}

TEST(CliInspect, JsonHoldsTuplesWithTheirWeights) {
  const Workbench bench;
  bench.fit_model();
  const TransportModel model = load_model(bench / "model.safetensors");
  const nlohmann::json json = bench.lbw_json({"inspect", "model.safetensors", "--json"});
  ASSERT_EQ(json.at("tuples").size(), 3U);
  for (Index t = 0; t < 3; ++t) {
    const nlohmann::json& tuple = json.at("tuples")[static_cast<std::size_t>(t)];
    for (std::size_t g = 0; g < 2; ++g) {
      const int component = tuple.at("components")[g];
      EXPECT_EQ(component, model.coupling.tuples(t, static_cast<Index>(g)));
      EXPECT_EQ(tuple.at("weights")[g], model.mixtures[g].weights[component]);
    }
  }
  EXPECT_EQ(json.at("groups")[1].at("mean_log_likelihood"), model.reports[1].mean_log_likelihood);
  EXPECT_EQ(json.at("groups")[1].at("iterations"), model.reports[1].iterations);
  EXPECT_EQ(json.at("groups")[1].at("replaced_components"), 0);
  EXPECT_EQ(json.at("n_features"), 2);
  EXPECT_EQ(json.at("options").at("covariance_type"), "full");
}

TEST(CliInspect, ReadsTheModelFromStandardInput) {
  const Workbench bench;
  bench.fit_model();
  EXPECT_EQ(bench.lbw({"inspect", "-"}, bench.bytes("model.safetensors")).out,
            bench.lbw({"inspect", "model.safetensors"}).out);
}

}  // namespace
}  // namespace lbw
