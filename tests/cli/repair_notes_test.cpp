// SPDX-License-Identifier: MIT
// The columns that a saved repair remembers. Files of Python's GroupRepair are tested in
// python/tests.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <nlohmann/json.hpp>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

/// Whole numbers, which are dithered by the keys of the column id.
std::string keyed_rows(const std::string& header = "age,id,sex,debt\n") {
  std::string rows = header;
  for (int i = 0; i < 120; ++i) {
    rows += std::to_string(i % 5 + i % 2) + ",c" + std::to_string(i * 7 % 120) + "," +
            (i % 2 == 0 ? "f," : "m,") + std::to_string(i % 3 * (1 + i % 2)) + "\n";
  }
  return rows;
}

/// Saves the repair of keyed.csv in k.safetensors, and its rows in keyed-out.csv.
void save_keyed_repair(const Workbench& bench) {
  bench.write("keyed.csv", keyed_rows());
  const ProgramResult result =
      bench.lbw({"repair", "keyed.csv", "--protected", "sex", "--key", "id", "-o", "keyed-out.csv",
                 "--save-model", "k.safetensors"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

/// Changes the notes of the repair in k.safetensors.
void change_notes(const Workbench& bench, const nlohmann::json& changes) {
  TransportModel model = load_model(bench / "k.safetensors");
  nlohmann::json notes = nlohmann::json::parse(model.notes.at("repair"));
  notes.update(changes);
  model.notes["repair"] = notes.dump();
  save_model(bench / "k.safetensors", model);
}

TEST(CliRepairNotes, TheKeyColumnIsStored) {
  const Workbench bench;
  save_keyed_repair(bench);
  const auto repaired = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"repair", "--model", "k.safetensors", "keyed.csv"});
    return bench.lbw(options).out;
  };
  EXPECT_EQ(repaired({}), bench.bytes("keyed-out.csv"));
  EXPECT_EQ(repaired({"--key", "id"}), bench.bytes("keyed-out.csv"));
  EXPECT_NE(repaired({"--key", "age"}), bench.bytes("keyed-out.csv"));  // the option is preferred
  const nlohmann::json notes =
      nlohmann::json::parse(load_model(bench / "k.safetensors").notes.at("repair"));
  EXPECT_EQ(notes.at("key_column"), "id");
  EXPECT_EQ(notes.at("feature_names_in"), (std::vector<std::string>{"age", "id", "debt"}));
  EXPECT_EQ(notes.at("key_positions"), std::vector<int>{1});
  EXPECT_EQ(notes.at("n_features_in"), 3);
}

TEST(CliRepairNotes, AModelIsShownIfItsNotesAreDamaged) {
  const Workbench bench;
  save_keyed_repair(bench);
  TransportModel model = load_model(bench / "k.safetensors");
  model.notes["repair"] = R"({"amounts": [)";
  save_model(bench / "k.safetensors", model);
  const ProgramResult shown = bench.lbw({"inspect", "k.safetensors"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(bench.lbw({"repair", "--model", "k.safetensors", "keyed.csv"}).exit_code, 1);
}

TEST(CliRepairNotes, AKeyColumnByPositionHasTheNameOfTheFit) {
  const Workbench bench;
  save_keyed_repair(bench);
  change_notes(bench, {{"key_column", 1}});
  EXPECT_EQ(bench.lbw({"repair", "--model", "k.safetensors", "keyed.csv"}).out,
            bench.bytes("keyed-out.csv"));
}

TEST(CliRepairNotes, WithoutItsColumnsARepairIsRefused) {
  const Workbench bench;
  save_keyed_repair(bench);
  bench.write("other.csv", keyed_rows("age,number,sex,debt\n"));
  bench.write("renamed.csv", keyed_rows("age,id,gender,debt\n"));
  expect_refused(bench,
                 {{{"repair", "--model", "k.safetensors", "other.csv"},
                   2,
                   "--key of k.safetensors: other.csv has no column 'id'; its columns are 'age', "
                   "'number', 'sex', 'debt'"},
                  {{"repair", "--model", "k.safetensors", "renamed.csv"},
                   2,
                   "--protected of k.safetensors: renamed.csv has no column 'sex'; its columns are "
                   "'age', 'id', 'gender', 'debt'"}});
  const ProgramResult named =
      bench.lbw({"repair", "--model", "k.safetensors", "other.csv", "--key", "number"});
  EXPECT_EQ(named.exit_code, 0) << named.err;
}

TEST(CliRepairNotes, KeysAreNotAskedForIfNothingIsDrawn) {
  const Workbench bench;
  bench.write("keyed.csv", keyed_rows());
  const ProgramResult result =
      bench.lbw({"repair", "keyed.csv", "--protected", "sex", "--key", "id", "--map", "hard",
                 "--dither", "0", "-o", "out.csv", "--save-model", "k.safetensors"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  bench.write("no-key.csv", "age,sex,debt\n20,f,100\n30,m,200\n40,f,300\n50,m,400\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"repair", "--model", "k.safetensors", "no-key.csv"},
        {"transport", "k.safetensors", "no-key.csv", "--group-column", "sex", "--to",
         "barycenter"}}) {
    const ProgramResult without = bench.lbw(words);
    EXPECT_EQ(without.exit_code, 0) << without.err;
  }
}

// As GroupRepair saves it after a fit to arrays.
TEST(CliRepairNotes, ColumnsWithoutNamesAreAskedFor) {
  const Workbench bench;
  save_keyed_repair(bench);
  const nlohmann::json arrays = {{"feature_names_in", nlohmann::json::array()}};
  nlohmann::json groups = arrays;
  groups["group_columns"] = {
      {"names", {"column 2"}}, {"values", nlohmann::json::array()}, {"named", false}};
  change_notes(bench, groups);
  expect_refused(bench, {{{"repair", "--model", "k.safetensors", "keyed.csv"},
                          2,
                          "k.safetensors does not say which column holds the groups; name it with "
                          "--protected"}});
  EXPECT_EQ(
      bench.lbw({"repair", "--model", "k.safetensors", "keyed.csv", "--protected", "sex"}).out,
      bench.bytes("keyed-out.csv"));
  change_notes(bench, {{"key_column", 1}});
  expect_refused(
      bench,
      {{{"repair", "--model", "k.safetensors", "keyed.csv", "--protected", "sex"},
        2,
        "k.safetensors does not say which column holds the keys of rows, on which random draws "
        "depend; name it with --key"}});
}

// GroupRepair(sensitive_columns="sex") notes names of columns of X.
TEST(CliRepairNotes, SensitiveColumnsOfATableAreFound) {
  const Workbench bench;
  save_keyed_repair(bench);
  change_notes(bench,
               {{"feature_names_in", {"age", "id", "sex", "debt"}},
                {"group_columns",
                 {{"names", {"sex"}}, {"values", nlohmann::json::array()}, {"named", false}}}});
  EXPECT_EQ(bench.lbw({"repair", "--model", "k.safetensors", "keyed.csv"}).out,
            bench.bytes("keyed-out.csv"));
}

TEST(CliRepairNotes, TransportDrawsByTheStoredKey) {
  const Workbench bench;
  save_keyed_repair(bench);
  const auto transport = [](const std::string& file, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"transport", "k.safetensors", file, "--to", "barycenter"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  };
  const ProgramResult stored = bench.lbw(transport("keyed.csv", {"--group-column", "sex"}));
  EXPECT_EQ(stored.out, bench.bytes("keyed-out.csv"));
  EXPECT_EQ(stored.err,
            "lbw transport: the keys of rows are in the column 'id', as in the fit of "
            "k.safetensors; choose another column with --key\n"
            "lbw transport: 120 rows transported to the barycenter\n");
  const ProgramResult given =
      bench.lbw(transport("keyed.csv", {"--group-column", "sex", "--key", "id"}));
  EXPECT_EQ(given.out, stored.out);
  EXPECT_EQ(given.err, "lbw transport: 120 rows transported to the barycenter\n");
  bench.write("other.csv", keyed_rows("age,number,sex,debt\n"));
  expect_refused(bench, {{transport("other.csv", {"--group-column", "sex", "-q"}), 1,
                          "other.csv: no column 'id'; the columns are 'age', 'number', 'sex', "
                          "'debt'"},
                         {transport("A.npy", {"--from", "f"}), 2,
                          "the random draws of k.safetensors depend on keys in the column 'id', "
                          "which A.npy does not have; give a CSV file with this column"}});
  EXPECT_EQ(
      bench.lbw(transport("other.csv", {"--group-column", "sex", "--key", "number"})).exit_code, 0);
  change_notes(bench, {{"feature_names_in", nlohmann::json::array()}, {"key_column", 1}});
  expect_refused(
      bench,
      {{transport("keyed.csv", {"--group-column", "sex"}), 2,
        "k.safetensors does not say which column holds the keys of rows, on which random draws "
        "depend; name it with --key"}});
}

TEST(CliRepairNotes, InspectDrawsByTheStoredKey) {
  const Workbench bench;
  save_keyed_repair(bench);
  const std::vector<std::string> words = {"inspect",   "k.safetensors",  "--data",
                                          "keyed.csv", "--json",         "--group-column",
                                          "sex",       "--permutations", "0"};
  std::vector<std::string> explicitly = words;
  explicitly.insert(explicitly.end(), {"--key", "id"});
  const nlohmann::json stored = bench.lbw_json(words);
  EXPECT_EQ(stored, bench.lbw_json(explicitly));
  change_notes(bench, {{"key_column", nullptr}});
  EXPECT_NE(stored, bench.lbw_json(words));
}

// Without a refinement, only the notes have the weights.
TEST(CliRepairNotes, OtherCommandsUseTheStoredWeights) {
  const Workbench bench;
  ASSERT_EQ(bench
                .lbw({"repair", "table.csv", "--protected", "site", "--weights", "north=3,south=1",
                      "--refine", "0", "-q", "-o", "out.csv", "--save-model", "k.safetensors"})
                .exit_code,
            0);
  EXPECT_EQ(bench
                .lbw({"transport", "k.safetensors", "table.csv", "--group-column", "site", "--to",
                      "barycenter"})
                .out,
            bench.bytes("out.csv"));
  const nlohmann::json barycenter = bench.lbw_json({"barycenter", "k.safetensors", "--json"});
  EXPECT_EQ(barycenter.at("barycentric_weights"), (std::vector<double>{0.75, 0.25}));
  const std::vector<std::string> inspect = {"inspect",   "k.safetensors",  "--data",
                                            "table.csv", "--json",         "--group-column",
                                            "site",      "--permutations", "0"};
  std::vector<std::string> explicitly = inspect;
  explicitly.insert(explicitly.end(), {"--weights", "north=3,south=1"});
  EXPECT_EQ(bench.lbw_json(inspect), bench.lbw_json(explicitly));
}

TEST(CliRepairNotes, ARefinedRepairHasItsOwnWeights) {
  const Workbench bench;
  save_keyed_repair(bench);
  const std::vector<std::string> command = {"repair", "--model", "k.safetensors", "keyed.csv"};
  std::vector<std::string> same = command;
  same.insert(same.end(), {"--weights", "f=1,m=1"});
  EXPECT_EQ(bench.lbw(same).out, bench.bytes("keyed-out.csv"));
  std::vector<std::string> other = command;
  other.insert(other.end(), {"--weights", "f=1,m=3"});
  expect_refused(bench, {{other, 2,
                          "--weights differ from those of the repair, 0.5, 0.5; omit them, or fit "
                          "a repair with these --weights"}});
}

TEST(CliRepairNotes, ControlCharactersOfNamesAreRefused) {
  const Workbench bench;
  save_keyed_repair(bench);
  const std::vector<std::string> command = {"repair", "--model", "k.safetensors", "keyed.csv"};
  const std::string expected =
      "cannot read 'k.safetensors': the entry 'repair' of its notes has the name of a column with "
      "a control character";
  change_notes(bench, {{"key_column", "x\u009b2J"}});
  expect_refused(bench, {{command, 1, expected}});
  change_notes(bench, {{"key_column", "id"}, {"group_columns", {{"names", {"x\x1b[2J"}}}}});
  expect_refused(bench, {{command, 1, expected}});
}

}  // namespace
}  // namespace lbw
