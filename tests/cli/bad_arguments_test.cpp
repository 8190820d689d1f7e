// SPDX-License-Identifier: MIT
// Arguments that contradict the data or the model: exit code 1, the whole message, and no changed
// file.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

TEST(CliBadArguments, Fit) {
  const Workbench bench;
  bench.write("three.csv", "x,y,z\n1,2,3\n4,5,6\n");
  bench.write("other.csv", "x,z\n1,2\n3,4\n");
  bench.write("bare.csv", "1,3,2\n4,5,6\n");
  bench.write("one_row.csv", "x,y\n1,2\n");
  bench.write("one_group.csv", "x,site\n1,a\n2,a\n");
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"fit", "A.csv", "-o", "kept.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(
      bench,
      {
          {{"fit", "A.csv", "B.csv", "-o", ""}, 2, "--output is empty, expected a value"},
          {with({"B.csv", "--reference", "C"}), 1, "--reference is 'C', expected one of 'A', 'B'"},
          {with({"B.csv", "--components", "301"}), 1,
           "group 'A': --components = 301 exceeds the number of samples (300). Reduce --components "
           "or provide more samples"},
          {with({"B.csv", "--components", "2,3", "--coupling", "matching"}), 1,
           "--components has 2 and 3 components, but a matching needs equal numbers; set "
           "--coupling to plan"},
          {with({"B.csv", "--components", "2,3,4", "--coupling", "plan"}), 1,
           "--components has 3 numbers, expected 2, one for each of 'A', 'B'"},
          {with({"B.csv", "--components", "A=2,C=3"}), 1,
           "--components names 'C', which is not a group, expected each of 'A', 'B' once"},
          {with({"B.csv", "--refine", "2", "--refine-weights", "B=2,B=1"}), 1,
           "--refine-weights names 'B' twice, expected each of 'A', 'B' once"},
          {with({"B.csv", "--refine", "2", "--refine-weights", "B=2"}), 1,
           "--refine-weights has no number for 'A', expected each of 'A', 'B' once"},
          {with({"B.csv", "--small-groups", "error", "one_row.csv"}), 1,
           "group 'one_row' has 1 sample, expected 2 or more: the spread of one "
           "sample is unknown; merge the group with another, remove it, or set --small-groups to "
           "keep"},
          {with({"B.csv", "--refine-weights", ".5,.5"}), 1,
           "--refine-weights are given, but refine is 0; set --refine to a positive "
           "number of steps"},
          {with({"=B.csv"}), 1, "a group name is empty, expected a non-empty name"},
          {with({"B.csv", "--columns", "x,z"}), 1,
           "A.csv: no column 'z'; the columns are 'x', 'y'"},
          {with({"--group-column", "z"}), 1, "A.csv: no column 'z'; the columns are 'x', 'y'"},
          {with({"three.csv"}), 1,
           "three.csv has an unexpected column 'z' (A.csv has 'x', 'y'); choose with --columns "
           "x,y"},
          {with({"other.csv"}), 1,
           "other.csv does not have the column 'y' of A.csv among its feature columns 'x', 'z'"},
          {with({"bare.csv"}), 1, "bare.csv has 3 feature columns, expected 2 as in A.csv"},
          {{"fit", "one_group.csv", "--group-column", "site", "-o", "kept.safetensors"},
           1,
           "1 group given, expected 2 or more"},
          {{"fit", "A.csv", "B.csv", "-o", "no/model.safetensors"},
           1,
           "no/model.safetensors: the directory 'no' does not exist"},
          {{"fit", "A.csv", "B.csv", "-o", "."}, 1, ".: is a directory, expected a file name"},
      });
}

TEST(CliBadArguments, ContinuousGroupColumn) {
  const Workbench bench;
  std::string fractions = "x,income\n";
  std::string numbers = "x,income\n";
  std::string texts = "x,income\n";
  for (int row = 0; row < 400; ++row) {
    const std::string label = std::to_string(row % 50);
    fractions += "1," + std::to_string(row % 21) + ".5\n";
    numbers += "1," + label + "\n";
    texts += "1,site " + label + "\n";
  }
  bench.write("fractions.csv", fractions);
  bench.write("numbers.csv", numbers);
  bench.write("texts.csv", texts);
  const auto fit = [](const std::string& file) {
    return std::vector<std::string>{"fit",    file, "--group-column",
                                    "income", "-o", "kept.safetensors"};
  };
  expect_refused(
      bench, {{fit("fractions.csv"), 1,
               "--group-column income: the column has 21 distinct values in 400 rows, too many to "
               "be groups (at most 20). Use a column of categories or bin the values first; if "
               "these numbers are categories, write them as text such as 'site 12'"},
              {fit("numbers.csv"), 1,
               "--group-column income: the column has 50 distinct values in 400 rows, too many to "
               "be groups (at most 20). Use a column of categories or bin the values first; if "
               "these numbers are categories, write them as text such as 'site 12'"},
              {fit("texts.csv"), 1,
               "--group-column income: the column has 50 distinct values in 400 rows, too many to "
               "be groups (at most 40). Use a column of categories or bin the values first"}});
}

TEST(CliBadArguments, Transport) {
  const Workbench bench;
  bench.fit_model();
  bench.write("mixed.csv", "x,y,site\n1,2,A\n3,4,C\n");
  bench.write("lacking.csv", "y,u,v\n1,2,3\n");
  bench.write("three.npy.csv", "1,3,2\n");
  const auto with = [](const std::string& points, std::vector<std::string> more) {
    std::vector<std::string> words = {"transport", "model.safetensors", points, "-o", "kept.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::string> a_to_b = {"--from", "A", "--to", "B"};
  expect_refused(
      bench,
      {
          {with("A.csv", {"--from", "C", "--to", "B"}), 1,
           "--from is 'C', expected one of the groups of the model: 'A', 'B'"},
          {with("A.csv", {"--from", "A", "--to", "C"}), 1,
           "--to is 'C', expected barycenter or one of the groups of the model: 'A', 'B'"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "0,0"}), 2,
           "--weights is '0,0', expected numbers >= 0, at least one above 0"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "1"}), 1,
           "--weights has 1 number, expected 2, one for each of 'A', 'B'"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "A=1,C=2"}), 1,
           "--weights names 'C', which is not a group, expected each of 'A', 'B' once"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "A=1,A=2"}), 1,
           "--weights names 'A' twice, expected each of 'A', 'B' once"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "A=1"}), 1,
           "--weights has no number for 'B', expected each of 'A', 'B' once"},
          {with("A.csv", {"--from", "A", "--to", "barycenter", "--weights", "1.5,-.5"}), 2,
           "--weights is '1.5,-.5', expected numbers >= 0, at least one above 0"},
          {with("mixed.csv", {"--group-column", "site", "--to", "B"}), 1,
           "mixed.csv: column 'site' contains 'C' in row 2, the model has 'A', 'B'; "
           "--handle-unknown ignore leaves such rows unchanged, --handle-unknown barycenter "
           "transports them by the maps of the groups they resemble"},
          {with("lacking.csv", a_to_b), 1,
           "lacking.csv does not have the column 'x' of the model among its feature columns 'y', "
           "'u', 'v'"},
          {with("mixed.csv", {"--from", "A", "--to", "B", "--columns", "x"}), 1,
           "mixed.csv does not have the column 'y' of the model among its feature columns 'x'"},
          {with("three.npy.csv", a_to_b), 1,
           "three.npy.csv has 3 feature columns, expected 2 as in the model"},
          {{"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B", "-o",
            "no/out.npy"},
           1,
           "no/out.npy: the directory 'no' does not exist"},
      });
}

TEST(CliBadArguments, BarycenterSelectMorph) {
  const Workbench bench;
  bench.fit_model();
  bench.draw_shapes();
  write_png(bench / "white.png", drawn_image(20, 20, [](double, double) { return false; }));
  expect_refused(
      bench,
      {
          {{"barycenter", "model.safetensors", "--weights", "1,0,0", "-o", "kept.csv"},
           1,
           "--weights has 3 numbers, expected 2, one for each of 'A', 'B'"},
          {{"select", "A.csv", "-k", "400", "-o", "kept.csv"},
           1,
           "--components = 400 exceeds the number of samples (300). Reduce --components or provide "
           "more samples"},
          {{"select", "table.csv", "--group-column", "site", "--group", "east", "-k", "2", "-o",
            "kept.csv"},
           1,
           "--group is 'east', expected one of the groups of table.csv: 'north', 'south'"},
          {{"morph", "disc.png", "white.png", "-o", "kept.png"},
           1,
           "white.png: image has no pixel darker than 128 among 400; is it inverted?"},
          {{"morph", "disc.png", "ring.png", "--points", "50", "-k", "100", "-o", "kept.png"},
           1,
           "group 'disc': --components = 100 exceeds the number of samples (50). Reduce "
           "--components or provide more samples"},
      });
}

// An unset variable of a script must not change what a command does, or overwrite an input.
TEST(CliBadArguments, EmptyValuesAreRefused) {
  const Workbench bench;
  bench.draw_shapes();
  const std::vector<std::string> repair = {"repair", "table.csv", "--protected", "site"};
  for (const std::string name : {"--save-model", "--model", "--key", "--output"}) {
    std::vector<std::string> words = repair;
    words.insert(words.end(), {name, ""});
    expect_refused(bench, {{words, 2, name + " is empty, expected a value"}});
  }
  expect_refused(bench,
                 {{{"score", "table.csv", "--protected", "site", "--score", "x", "--target", ""},
                   2,
                   "--target is empty, expected a value"}});
  std::vector<std::string> both = repair;  // the table would replace the model
  both.insert(both.end(), {"--save-model", "out", "-o", "out"});
  expect_refused(bench,
                 {{both, 2, "--save-model and --output are both 'out', expected different files"}});
  const std::string ring = bench.bytes("ring.png");
  const ProgramResult result =
      bench.lbw({"morph", "disc.png", "bars.png", "--output=", "ring.png", "--points", "50"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "lbw: --output is empty, expected a value\nTry 'lbw --help'.\n");
  EXPECT_EQ(bench.bytes("ring.png"), ring);
}

TEST(CliBadArguments, ShortOptionsHaveNoEqualsSign) {
  const Workbench bench;
  expect_refused(bench, {{{"fit", "A.csv", "B.csv", "-q", "-o=m.safetensors"},
                          2,
                          "--output is '=m.safetensors', expected a value without an equals sign, "
                          "such as 'm.safetensors'"}});
}

TEST(CliBadArguments, NamesMayBeginWithAnEqualsSign) {
  const Workbench bench;
  bench.write("=t.csv", "=x,g\n1,a\n2,b\n3,a\n4,b\n");
  const ProgramResult result = bench.lbw({"score", "=t.csv", "--score==x", "--protected", "g"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace lbw
