// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <sstream>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

RowMatrix parsed(const std::string& text) {
  std::istringstream stream(text);
  return read_csv(stream, "output").values;
}

/// The rows of A.csv, transported by the library.
RowMatrix carried_by_library(const Workbench& bench, double amount) {
  const TransportModel model = load_model(bench / "model.safetensors");
  return transport(map_between(model, "A", "B", amount), read_csv(bench / "A.csv").values);
}

TEST(CliTransport, TransportsAsTheLibraryDoes) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result =
      bench.lbw({"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 4), "x,y\n");
  EXPECT_EQ(parsed(result.out), carried_by_library(bench, 1.0));
  EXPECT_EQ(result.err, "lbw transport: 300 rows transported to 'B'\n");
}

TEST(CliTransport, DrawsByKeysAndKeepsTheirColumn) {
  const Workbench bench;
  bench.fit_keyed_model();
  const Table table = read_csv(bench / "few.csv", {.key_column = "id"});
  const Group groups[] = {{"a", table.values, {}, table.keys}, {"b", table.values, {}, table.keys}};
  const TransportModel model = load_model(bench / "m");
  TransportOptions options;
  options.mixture.n_components = 1;
  options.dither = Dither::automatically();
  EXPECT_EQ(fit_transport(groups, options).mixtures[0].means, model.mixtures[0].means);
  const std::vector<std::string> arguments = {"transport", "m", "few.csv", "--from", "a",
                                              "--to",      "b", "--key",   "id"};
  const ProgramResult result = bench.lbw(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 11), "id,age,sex\n");
  std::istringstream output(result.out);
  const RowMatrix moved = read_csv(output, "output", {.key_column = "id"}).values;
  EXPECT_EQ(moved, transport(map_between(model, "a", "b"), table.values, {}, table.keys));
  EXPECT_NE(moved, transport(map_between(model, "a", "b"), table.values));
}

TEST(CliTransport, TransportsBack) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.csv", "B.csv", "-o", "m"}).exit_code, 0);
  ASSERT_EQ(
      bench.lbw({"transport", "m", "A.npy", "--from", "A", "--to", "B", "-o", "c.npy"}).exit_code,
      0);
  const ProgramResult result = bench.lbw(
      {"transport", "m", "c.npy", "--from", "A", "--to", "B", "--inverse", "-o", "back.npy"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.err.ends_with("\nlbw transport: 300 rows transported back from 'B'\n"))
      << result.err;
  EXPECT_LT((read_npy(bench / "back.npy") - read_npy(bench / "A.npy")).cwiseAbs().maxCoeff(),
            1e-12);
}

TEST(CliTransport, TransportsToTheBarycenterOfTheRefinement) {
  const Workbench bench;
  ASSERT_EQ(bench
                .lbw({"fit", "A.csv", "B.csv", "-k", "2", "--refine", "3", "--refine-weights",
                      ".25,.75", "-o", "m"})
                .exit_code,
            0);
  const TransportModel model = load_model(bench / "m");
  const LocalMap map = map_to_barycenter(model, "A", std::vector<double>{0.25, 0.75}, 0.5);
  std::vector<std::string> arguments = {"transport", "m",          "A.csv",    "--from", "A",
                                        "--to",      "barycenter", "--amount", ".5"};
  EXPECT_EQ(parsed(bench.lbw(arguments).out), transport(map, read_csv(bench / "A.csv").values));
  arguments.insert(arguments.end(), {"--weights", ".5,.5"});
  const ProgramResult refused = bench.lbw(arguments);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("the model was refined for 0.25, 0.75"), std::string::npos)
      << refused.err;
}

TEST(CliTransport, TransportsPartially) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result = bench.lbw(
      {"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B", "--amount", "0.25"});
  EXPECT_EQ(parsed(result.out), carried_by_library(bench, 0.25));
}

TEST(CliTransport, ReadsStandardInputAndWritesStandardOutputAtADash) {
  const Workbench bench;
  bench.fit_model();
  const std::vector<std::string> ends = {"--from", "A", "--to", "B", "-o", "-"};
  std::vector<std::string> arguments = {"transport", "model.safetensors", "-"};
  arguments.insert(arguments.end(), ends.begin(), ends.end());
  const RowMatrix expected = carried_by_library(bench, 1.0);
  EXPECT_EQ(parsed(bench.lbw(arguments, bench.bytes("A.csv")).out), expected);
  arguments[1] = "-";
  arguments[2] = "A.csv";
  EXPECT_EQ(parsed(bench.lbw(arguments, bench.bytes("model.safetensors")).out), expected);
}

TEST(CliTransport, WritesNpyByItsExtension) {
  const Workbench bench;
  bench.fit_model();
  ASSERT_EQ(bench
                .lbw({"transport", "model.safetensors", "A.npy", "--from", "A", "--to", "B", "-o",
                      "out.npy"})
                .exit_code,
            0);
  EXPECT_EQ(read_npy(bench / "out.npy"), carried_by_library(bench, 1.0));
}

TEST(CliTransport, AtACornerOfTheBarycenterPointsStay) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result = bench.lbw({"transport", "model.safetensors", "A.csv", "--from", "A",
                                          "--to", "barycenter", "--weights", "1,0"});
  EXPECT_EQ(result.out, bench.bytes("A.csv"));
}

TEST(CliTransport, WeightsAreEqualUnlessGiven) {
  const Workbench bench;
  bench.fit_model();
  std::vector<std::string> arguments = {"transport", "model.safetensors", "A.csv", "--from", "A",
                                        "--to",      "barycenter"};
  const std::string unsaid = bench.lbw(arguments).out;
  arguments.insert(arguments.end(), {"--weights", ".5,.5"});
  EXPECT_EQ(bench.lbw(arguments).out, unsaid);
  arguments.back() = ".4,.6";
  EXPECT_NE(bench.lbw(arguments).out, unsaid);
}

TEST(CliTransport, TransportsEveryRowFromItsOwnGroup) {
  const Workbench bench;
  bench.fit_model();
  bench.write("mixed.csv", "x,site,y\n1,A,2\n10,B,3\n-1,A,0\n");
  const ProgramResult result = bench.lbw(
      {"transport", "model.safetensors", "mixed.csv", "--group-column", "site", "--to", "B"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream stream(result.out);
  const Table table = read_csv(stream, "output", {.group_column = "site"});
  EXPECT_EQ(table.groups, (std::vector<std::string>{"A", "B", "A"}));
  EXPECT_EQ(table.values.row(1), (Eigen::RowVector2d{10, 3}));  // already in B
  const TransportModel model = load_model(bench / "model.safetensors");
  RowMatrix of_a(2, 2);
  of_a << 1, 2, -1, 0;
  const RowMatrix expected = transport(map_between(model, "A", "B"), of_a);
  EXPECT_EQ(table.values.row(0), expected.row(0));
  EXPECT_EQ(table.values.row(2), expected.row(1));
}

TEST(CliTransport, TreatsRowsOfUnknownGroupsAsAsked) {
  const Workbench bench;
  bench.fit_model();
  bench.write("mixed.csv", "x,site,y\n1,A,2\n2,C,3\n-1,C,0\n");
  const auto carried = [&](const std::string& choice, const std::string& unknown) {
    std::vector<std::string> words = {
        "transport", "model.safetensors", "mixed.csv", "--group-column", "site", "--to",
        "B",         "--handle-unknown",  choice};
    const ProgramResult result = bench.lbw(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "lbw transport: 1 row transported to 'B', 2 rows of unknown groups " +
                              unknown + "\n");
    words.insert(words.end(), {"--json", "-o", "out.csv"});
    EXPECT_EQ(bench.lbw_json(words),
              (nlohmann::json{{"n_rows", 3}, {"to", "B"}, {"n_unknown_rows", 2}}));
    std::istringstream stream(result.out);
    return read_csv(stream, "output", {.group_column = "site"}).values;
  };
  const TransportModel model = load_model(bench / "model.safetensors");
  RowMatrix points(3, 2);
  points << 1, 2, 2, 3, -1, 0;
  const RowMatrix from_a = transport(map_between(model, "A", "B"), points);
  const RowMatrix ignored = carried("ignore", "left unchanged");
  EXPECT_EQ(ignored.row(0), from_a.row(0));
  EXPECT_EQ(ignored.bottomRows(2), points.bottomRows(2));
  const RowMatrix averaged = carried("barycenter", "transported by the maps of all groups");
  EXPECT_EQ(averaged.row(0), from_a.row(0));
  const RowMatrix probabilities = group_probabilities(model, points);
  for (Index i = 1; i < 3; ++i) {  // rows of B stay in place
    const Eigen::RowVector2d mean =
        probabilities(i, 0) * from_a.row(i) + probabilities(i, 1) * points.row(i);
    EXPECT_LT((averaged.row(i) - mean).norm(), 1e-12);
  }
}

TEST(CliTransport, FindsTheColumnsOfTheModelByName) {
  const Workbench bench;
  bench.fit_model();
  bench.write("turned.csv", "y,x\n2,1\n");
  bench.write("straight.csv", "x,y\n1,2\n");
  const auto carried = [&](const std::string& file, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"transport", "model.safetensors", file, "--from", "A", "--to",
                                      "B"};
    words.insert(words.end(), more.begin(), more.end());
    return bench.lbw(words).out;
  };
  const std::vector<std::string> alone = {"--keep", "none"};
  EXPECT_EQ(carried("turned.csv", alone), carried("straight.csv"));
  bench.write("wide.csv", "y,id,x\n2,7,1\n");
  EXPECT_EQ(carried("wide.csv", alone), carried("straight.csv"));
  bench.write("bare.csv", "1,2\n");
  EXPECT_EQ("x,y\n" + carried("bare.csv"), carried("straight.csv"));
}

TEST(CliTransport, TheWordBarycenterHasPriorityOverAGroupOfThatName) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A.csv", "barycenter=B.csv", "-o", "m"}).exit_code, 0);
  const std::string middle = bench
                                 .lbw({"transport", "m", "A.csv", "--from", "A", "--to",
                                       "barycenter", "--weights", ".5,.5"})
                                 .out;
  EXPECT_EQ(bench.lbw({"transport", "m", "A.csv", "--from", "A", "--to", "barycenter"}).out,
            middle);
}

TEST(CliTransport, JsonHoldsThePointsOrTellsOfTheFile) {
  const Workbench bench;
  bench.fit_model();
  std::vector<std::string> arguments = {
      "transport", "model.safetensors", "table.csv", "--columns", "x,y", "--from", "A", "--to", "B",
      "--json"};
  const nlohmann::json points = bench.lbw_json(arguments);
  EXPECT_EQ(points.at("feature_names"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(points.at("values").size(), 600U);
  EXPECT_EQ(points.at("values")[0].size(), 2U);
  arguments.insert(arguments.end(), {"-o", "out.csv"});
  const nlohmann::json summary = bench.lbw_json(arguments);
  EXPECT_EQ(summary, (nlohmann::json{{"n_rows", 600}, {"to", "B"}}));
  EXPECT_EQ(read_csv(bench / "out.csv", {.group_column = "site"}).values.rows(), 600);
}

}  // namespace
}  // namespace lbw
