// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/io.hpp>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliInspect, TellsWhatTheModelHolds) {
  const Workbench bench;
  ASSERT_EQ(bench
                .lbw({"fit", "A.csv", "B.csv", "-k", "3", "--reference", "B", "--seed", "5",
                      "--coupling", "matching", "--map", "hard", "-o", "m"})
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
            "n_init 1, start kmeans, precision f64, seed 5");
  EXPECT_NE(text.find("\nA            300             3  "), std::string::npos) << text;
  EXPECT_NE(text.find("yes                    0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("matched components (component: weight)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\ngroup  component   mass  n_samples  condition\nA              0  "),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("\n\nfirst  second  mixture_distance  coupling_cost  plan_cost  matching_cost  "
                "misplaced_mass  remaining_distance  runner_up_gap\nA      B "),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("\n\nverdict\n  "), std::string::npos) << text;
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
  EXPECT_NE(text.find("\nfirst  second  mixture_distance  coupling_cost  plan_cost"),
            std::string::npos)
      << text;
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
  EXPECT_NE(text.find("\nrefinement  4 steps to the barycenter with weights 0.75, 0.25\noptions"),
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
  EXPECT_NE(text.find("\nthe coupling cost is "), std::string::npos) << text;
  EXPECT_NE(text.find(", the lower bound is "), std::string::npos) << text;
}

TEST(CliInspect, NamesNoReferenceWhereThereIsNone) {
  const Workbench bench;
  ASSERT_EQ(
      bench.lbw({"fit", "A.csv", "B.csv", "-k", "2", "--coupling", "multimarginal", "-o", "m"})
          .exit_code,
      0);
  const std::string text = bench.lbw({"inspect", "m"}).out;
  EXPECT_EQ(text.rfind("groups      2, coupled jointly\n", 0), 0U) << text;
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
  const PairReport expected = report(model).pairs[0];
  EXPECT_EQ(pairs[0].at("coupling_cost"), expected.coupling_cost);
  EXPECT_EQ(pairs[0].at("plan_cost"), expected.plan_cost);
  EXPECT_EQ(pairs[0].at("runner_up_gap"), expected.matching->gap);
  EXPECT_EQ(pairs[0].at("matching_cost"), expected.matching->cost);
  EXPECT_EQ(pairs[0].at("remaining_distance"), expected.matching->remaining_distance);
  EXPECT_EQ(pairs[0].at("is_coupling"), true);
  const Labels& matching = expected.matching->matching;
  EXPECT_EQ(pairs[0].at("matching"), std::vector<int>(matching.begin(), matching.end()));
}

TEST(CliInspect, JsonHoldsComponentsAndVerdict) {
  const Workbench bench;
  bench.fit_model();
  const Report expected = report(load_model(bench / "model.safetensors"));
  const nlohmann::json json = bench.lbw_json({"inspect", "model.safetensors", "--json"});
  ASSERT_EQ(json.at("components").size(), 6U);
  EXPECT_EQ(json.at("components")[4].at("group"), "B");
  EXPECT_EQ(json.at("components")[4].at("component"), 1);
  EXPECT_EQ(json.at("components")[4].at("n_samples"), expected.components[4].n_samples);
  EXPECT_EQ(json.at("components")[4].at("condition"), expected.components[4].condition);
  ASSERT_EQ(json.at("verdict").size(), expected.verdict.size());
  EXPECT_EQ(json.at("verdict")[0].at("text"), expected.verdict[0].text);
  EXPECT_TRUE(json.at("carried").empty());
  EXPECT_TRUE(json.at("separations").empty());
  EXPECT_TRUE(json.at("barycentric_weights").is_null());
}

TEST(CliInspect, WritesNullForARunnerUpThatIsNotThere) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "-k", "1", "-o", "m"}).exit_code, 0);
  const nlohmann::json pair = bench.lbw_json({"inspect", "m", "--json"}).at("pairs")[0];
  EXPECT_TRUE(pair.at("runner_up_gap").is_null());
}

TEST(CliInspect, UsesTheSeedOfTheFit) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "-k", "2", "--seed", "7", "-o", "m"}).exit_code, 0);
  const std::vector<std::string> asked = {"inspect", "m", "--data", "A.csv", "B.csv", "--json"};
  const auto with_seed = [&](const char* seed) {
    std::vector<std::string> words = asked;
    words.insert(words.end(), {"--seed", seed});
    return bench.lbw_json(words);
  };
  EXPECT_EQ(bench.lbw_json(asked), with_seed("7"));
  EXPECT_NE(bench.lbw_json(asked), with_seed("0"));
}

TEST(CliInspect, LooksAtHeldOutSamples) {
  const Workbench bench;
  bench.fit_model();
  const TransportModel model = load_model(bench / "model.safetensors");
  const Table a = read_csv(bench / "A.csv");
  const Table b = read_csv(bench / "B.csv");
  const std::vector<Group> groups = {{"A", a.values}, {"B", b.values}};
  ReportOptions options;
  options.n_permutations = 9;
  options.barycentric_weights = {0.75, 0.25};
  options.seed = 4;
  const Report expected = report(model, groups, options);
  const std::vector<std::string> asked = {
      "inspect", "model.safetensors", "--data", "A.csv",  "B.csv", "--weights",
      ".75,.25", "--permutations",    "9",      "--seed", "4"};
  const std::string text = bench.lbw(asked).out;
  EXPECT_NE(text.find("\n" + describe(expected)), std::string::npos) << text;
  std::vector<std::string> as_json = asked;
  as_json.emplace_back("--json");
  const nlohmann::json json = bench.lbw_json(as_json);
  EXPECT_EQ(json.at("barycentric_weights"), options.barycentric_weights);
  ASSERT_EQ(json.at("carried").size(), 4U);
  const nlohmann::json& carry = json.at("carried")[0];
  EXPECT_EQ(carry.at("from"), "A");
  EXPECT_EQ(carry.at("to"), "B");
  EXPECT_EQ(carry.at("rms_displacement"), expected.carries[0].displacement.rms);
  EXPECT_EQ(carry.at("out_of_proportion"), false);
  EXPECT_EQ(carry.at("log_likelihood"), expected.carries[0].log_likelihood);
  EXPECT_EQ(carry.at("sliced_after"), expected.carries[0].after->distance);
  EXPECT_EQ(carry.at("sliced_after_p_value"), expected.carries[0].after->null.p_value);
  EXPECT_TRUE(json.at("carried")[2].at("to").is_null());
  EXPECT_TRUE(json.at("carried")[2].at("sliced_after").is_null());
  EXPECT_EQ(json.at("separations")[0].at("auc_after"), expected.separations[0].after.auc);
  EXPECT_EQ(json.at("separations")[0].at("sliced_before"),
            expected.separations[0].distance_before.distance);
}

TEST(CliInspect, DrawsByKeysAsTransportDoes) {
  const Workbench bench;
  bench.fit_keyed_model();
  const Table table = read_csv(bench / "few.csv", {.key_column = "id"});
  const RowMatrix moved =
      transport(map_between(load_model(bench / "m"), "a", "b"), table.values, {}, table.keys);
  const double rms = std::sqrt((moved - table.values).rowwise().squaredNorm().mean());
  const auto rms_of = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"inspect",   "m",      "--data",         "a=few.csv",
                                      "b=few.csv", "--json", "--permutations", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return double(bench.lbw_json(words).at("carried")[0].at("rms_displacement"));
  };
  EXPECT_DOUBLE_EQ(rms_of({"--key", "id"}), rms);
  EXPECT_NE(rms_of({"--columns", "age,sex"}), rms);
}

TEST(CliInspect, TakesHeldOutGroupsFromAColumnInAnyOrderOfColumns) {
  const Workbench bench;
  bench.fit_model();
  const Table table = [&] {
    CsvOptions options;
    options.group_column = "site";
    return read_csv(bench / "table.csv", options);
  }();
  std::string turned = "y,site,x\n";
  for (std::size_t row = 0; row < table.groups.size(); ++row) {
    const auto i = static_cast<Index>(row);
    turned += std::to_string(table.values(i, 1)) + "," +
              (table.groups[row] == "north" ? "A" : "B") + "," +
              std::to_string(table.values(i, 0)) + "\n";
  }
  bench.write("turned.csv", turned);
  const nlohmann::json by_column =
      bench.lbw_json({"inspect", "model.safetensors", "--data", "turned.csv", "--group-column",
                      "site", "--permutations", "0", "--json"});
  const nlohmann::json by_file = bench.lbw_json({"inspect", "model.safetensors", "--data", "A.csv",
                                                 "B.csv", "--permutations", "0", "--json"});
  // std::to_string rounds to six digits
  EXPECT_NEAR(double(by_column.at("carried")[0].at("rms_displacement")),
              double(by_file.at("carried")[0].at("rms_displacement")), 1e-5);
}

TEST(CliInspect, RefusesDataItCannotUse) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult alone = bench.lbw({"inspect", "model.safetensors", "--group-column", "site"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_EQ(
      alone.err,
      "lbw inspect: --group-column has no effect without --data\nTry 'lbw inspect --help'.\n");
  const ProgramResult unknown =
      bench.lbw({"inspect", "model.safetensors", "--data", "A.csv", "C=B.csv"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_EQ(unknown.err, "lbw inspect: group 'C' is not in the model, expected one of 'A', 'B'\n");
  const ProgramResult twice = bench.lbw({"inspect", "-", "--data", "A.csv", "B=-"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_EQ(twice.err,
            "lbw inspect: the model and the data cannot both come from standard input\n"
            "Try 'lbw inspect --help'.\n");
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
