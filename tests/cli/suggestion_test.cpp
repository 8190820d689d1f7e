// SPDX-License-Identifier: MIT
// Misspelt commands, options and groups are answered with what was probably meant.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

TEST(CliSuggestion, NamesTheNearestCommand) {
  const Workbench bench;
  const std::string known =
      ", expected fit, transport, barycenter, select, inspect, repair, score, morph, options or "
      "completion";
  expect_refused(
      bench,
      {{{"fti"}, 2, "unknown command 'fti'" + known + "; did you mean 'fit'?"},
       {{"Transprot"}, 2, "unknown command 'Transprot'" + known + "; did you mean 'transport'?"},
       {{"draw"}, 2, "unknown command 'draw'" + known}});
}

TEST(CliSuggestion, NamesTheNearestOption) {
  const Workbench bench;
  expect_refused(
      bench, {{{"fit", "A.csv", "B.csv", "-o", "m", "--component", "3"},
               2,
               "unknown option '--component'; did you mean '--components'?"},
              {{"fit", "A.csv", "B.csv", "-o", "m", "--componets=3"},
               2,
               "unknown option '--componets=3'; did you mean '--components'?"},
              {{"fit", "A.csv", "B.csv", "-o", "m", "--wibble"}, 2, "unknown option '--wibble'"}});
}

TEST(CliSuggestion, NamesTheOptionBeforeWhatIsMissing) {
  const Workbench bench;
  expect_refused(bench,
                 {{{"fit", "A.csv", "B.csv", "--ouptut", "m"},
                   2,
                   "unknown option '--ouptut'; did you mean '--output'?"},
                  {{"score", "table.csv", "--scroe=x", "--protected", "site"},
                   2,
                   "unknown option '--scroe=x'; did you mean '--score'?"},
                  {{"fit", "--hlep"}, 2, "unknown option '--hlep'; did you mean '--help'?"}});
}

TEST(CliSuggestion, NamesHelpAndVersion) {
  const Workbench bench;
  const std::string known =
      "fit, transport, barycenter, select, inspect, repair, score, morph, options or completion";
  expect_refused(
      bench,
      {{{"--verison"},
        2,
        "unknown option '--verison', expected a command first: " + known +
            "; did you mean '--version'?"},
       {{"help"}, 2, "unknown command 'help', expected " + known + "; did you mean '--help'?"}});
}

TEST(CliSuggestion, NamesTheNearestGroup) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "north=A.csv", "south=B.csv", "-k", "1", "-o", "m"}).exit_code, 0);
  const std::string known = "one of the groups of the model: 'north', 'south'";
  expect_refused(bench, {{{"transport", "m", "A.csv", "--from", "North", "--to", "south"},
                          1,
                          "--from is 'North', expected " + known + "; did you mean 'north'?"},
                         {{"transport", "m", "A.csv", "--from", "north", "--to", "barycentre"},
                          1,
                          "--to is 'barycentre', expected barycenter or " + known +
                              "; did you mean 'barycenter'?"},
                         {{"transport", "m", "A.csv", "--from", "west", "--to", "south"},
                          1,
                          "--from is 'west', expected " + known}});
}

TEST(CliSuggestion, NamesTheNearestColumn) {
  const Workbench bench;
  expect_refused(
      bench,
      {{{"fit", "table.csv", "--group-column", "stie", "-o", "m"},
        1,
        "table.csv: no column 'stie'; the columns are 'x', 'y', 'site'; did you mean 'site'?"},
       {{"fit", "A.csv", "B.csv", "--columns", "X", "-o", "m"},
        1,
        "A.csv: no column 'X'; the columns are 'x', 'y'; did you mean 'x'?"}});
}

TEST(CliSuggestion, NamesTheNearestValueOfAnOption) {
  const Workbench bench;
  expect_refused(bench, {{{"fit", "A.csv", "B.csv", "-o", "m", "--map", "sfot"},
                          2,
                          "--map is 'sfot', expected hard, soft or random; did you mean 'soft'?"},
                         {{"fit", "A.csv", "B.csv", "-o", "m", "--dither", "atuo"},
                          2,
                          "--dither is 'atuo', expected auto or a number from 0 to 1; did you mean "
                          "'auto'?"},
                         {{"fit", "A.csv", "B.csv", "-o", "m", "--map", "middle"},
                          2,
                          "--map is 'middle', expected hard, soft or random"},
                         {{"fit", "A.csv", "B.csv", "-o", "m", "--missing", "skp"},
                          2,
                          "--missing is 'skp', expected error or skip; did you mean 'skip'?"},
                         {{"fit", "A.csv", "B.csv", "-o", "m", "--decimal", "coma"},
                          2,
                          "--decimal is 'coma', expected a point or a comma; did you mean "
                          "'comma'?"},
                         {{"completion", "bsh"},
                          2,
                          "shell is 'bsh', expected bash, zsh or fish; did you mean 'bash'?"}});
}

TEST(CliSuggestion, NamesTheNearestFile) {
  const Workbench bench;
  expect_refused(bench, {{{"fit", "A.csv", "tabel.csv", "-o", "m"},
                          1,
                          "cannot read 'tabel.csv': No such file or directory; did you mean "
                          "'table.csv'?"},
                         {{"fit", "A.csv", "elsewhere/tabel.csv", "-o", "m"},
                          1,
                          "cannot read 'elsewhere/tabel.csv': No such file or directory"}});
}

TEST(CliSuggestion, NamesTheNearestGroupOfListsAndFits) {
  const Workbench bench;
  const std::vector<std::string> fit = {"fit", "north=A.csv", "south=B.csv", "-o", "m"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = fit;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(
      bench,
      {{with({"--reference", "nroth"}), 1,
        "--reference is 'nroth', expected one of 'north', 'south'; did you mean 'north'?"},
       {with({"--components", "nort=1,south=2"}), 1,
        "--components names 'nort', which is not a group, expected each of 'north', 'south' once; "
        "did you mean 'north'?"},
       {{"select", "table.csv", "--group-column", "site", "--group", "North", "-k", "1"},
        1,
        "--group is 'North', expected one of the groups of table.csv: 'north', 'south'; did you "
        "mean 'north'?"}});
}

TEST(CliNamesOfFiles, HaveNoEffectWithAGroupColumn) {
  const Workbench bench;
  expect_refused(bench, {{{"fit", "all=table.csv", "--group-column", "site", "-o", "m"},
                          2,
                          "the name 'all' of table.csv has no effect with --group-column, which "
                          "contains the names of the groups; give only the path"}});
}

}  // namespace
}  // namespace lbw
