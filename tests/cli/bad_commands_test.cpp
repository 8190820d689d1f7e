// SPDX-License-Identifier: MIT
// Invalid command lines: exit code 2, the whole message, and no changed file.
#include <gtest/gtest.h>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

TEST(CliBadCommands, WithoutAKnownCommand) {
  expect_refused(
      Workbench(),
      {{{},
        2,
        "no command, expected fit, transport, barycenter, select, inspect, repair, score, "
        "morph, options or completion"},
       {{"frob"},
        2,
        "unknown command 'frob', expected fit, transport, barycenter, select, inspect, repair, "
        "score, "
        "morph, options or completion"},
       {{"--wibble"},
        2,
        "unknown option '--wibble', expected a command first: fit, transport, barycenter, select, "
        "inspect, repair, score, morph, options or completion"}});
}

TEST(CliBadCommands, Fit) {
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"fit", "A.csv", "B.csv", "-o", "kept.safetensors"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(
      Workbench(),
      {
          {{"fit"}, 2, "files is required"},
          {{"fit", "A.csv", "B.csv"}, 2, "--output is required"},
          {{"fit", "A.csv", "-o", "kept.safetensors"},
           2,
           "only one file is given; expected two or more, one per group, or --group-column with "
           "the column that contains the group of each row"},
          {{"fit", "A.csv", "./A.csv", "-o", "kept.safetensors"},
           2,
           "two groups would be named 'A' (A.csv and ./A.csv); name them, for example first=A.csv "
           "second=./A.csv"},
          {with({"--wibble"}), 2, "unknown option '--wibble'"},
          {with({"--components"}), 2, "--components needs a value"},
          {with({"--seed", "1", "--seed", "2"}), 2,
           "--seed is given more than once, expected once"},
          {with({"--components", "0"}), 2,
           "--components is '0', expected a whole number >= 1, one per group such as 3,5 or "
           "a=3,b=5, or auto: with candidates such as auto:1:10"},
          {with({"--components", "2.5"}), 2,
           "--components is '2.5', expected a whole number >= 1, one per group such as 3,5 or "
           "a=3,b=5, or auto: with candidates such as auto:1:10"},
          {with({"-k", "9999999999"}), 2,
           "--components is '9999999999', expected a whole number >= 1, one per group such as 3,5 "
           "or a=3,b=5, or auto: with candidates such as auto:1:10"},
          {with({"-k", "3,"}), 2,
           "--components is '3,', expected a whole number >= 1, one per group such as 3,5 or "
           "a=3,b=5, or auto: with candidates such as auto:1:10"},
          {with({"--coupling", "plans"}), 2,
           "--coupling is 'plans', expected matching, plan or multimarginal; did you mean 'plan'?"},
          {with({"--dither", "2"}), 2, "--dither is '2', expected auto or a number from 0 to 1"},
          {with({"--refine", "-1"}), 2, "--refine is '-1', expected a whole number >= 0"},
          {with({"--components", "a=3,5"}), 2,
           "--components is 'a=3,5', expected a whole number >= 1, one per group such as 3,5 or "
           "a=3,b=5, or auto: with candidates such as auto:1:10"},
          {with({"--group-shrinkage", "2"}), 2,
           "--group-shrinkage is '2', expected auto or a number from 0 to 1"},
          {with({"--small-groups", "merge"}), 2,
           "--small-groups is 'merge', expected error or keep"},
          {with({"--refine-weights", "a"}), 2,
           "--refine-weights is 'a', expected numbers separated by commas, such as .5,.5, or one "
           "number per group by name, such as a=.5,b=.5"},
          {with({"--cost", "mean"}), 2,
           "--cost is 'mean', expected means or bures; did you mean 'means'?"},
          {with({"--map", "Hard"}), 2,
           "--map is 'Hard', expected hard, soft or random; did you mean 'hard'?"},
          {with({"--covariance", "round"}), 2,
           "--covariance-type is 'round', expected full, tied, diagonal or spherical"},
          {with({"--covariance-floor", "-1"}), 2,
           "--covariance-floor is '-1', expected a number >= 0"},
          {with({"--relative-covariance-floor", "1%"}), 2,
           "--relative-covariance-floor is '1%', expected a number >= 0"},
          {with({"--shrinkage", "2"}), 2,
           "--shrinkage is '2', expected auto or a number from 0 to 1"},
          {with({"-k", "auto:0"}), 2,
           "--components is 'auto:0', expected auto: and at most 10000 candidates >= 1, such as "
           "auto:1:10, auto:1:40:3 or auto:5,10,20"},
          {with({"-k", "auto:1:2", "--coupling", "matching"}), 2,
           "--components auto: selects a number for each group, but --coupling matching needs "
           "equal numbers; use plan or multimarginal"},
          {with({"--criterion", "bic"}), 2, "--criterion needs --components auto:RANGE"},
          {with({"--tolerance", "nan"}), 2, "--tolerance is 'nan', expected a number >= 0"},
          {with({"--tolerance", "inf"}), 2, "--tolerance is 'inf', expected a number >= 0"},
          {with({"--max-iterations", "-1"}), 2,
           "--max-iterations is '-1', expected a whole number >= 0"},
          {with({"--n-init", "none"}), 2, "--n-init is 'none', expected a whole number >= 1"},
          {with({"--start", "guess"}), 2,
           "--start is 'guess', expected kmeans, kmeans++, random or responsibilities"},
          {with({"--seed", "-1"}), 2, "--seed is '-1', expected a whole number from 0 to 2^64 - 1"},
          {with({"--threads", "-2"}), 2,
           "--threads is '-2', expected a whole number from 0 to 4096"},
          {with({"--delimiter", "x"}), 2,
           "--delimiter is 'x', expected comma, semicolon, tab, space, whitespace, or one "
           "ASCII character such as '|' or '\\x01' that is neither a letter nor part of numbers or "
           "quotes"},
          {with({"--decimal", ";"}), 2, "--decimal is ';', expected a point or a comma"},
          {with({"--decimal", ",", "--delimiter", ","}), 2,
           "--delimiter and --decimal are both ',', expected another delimiter, such as ';'"},
          {with({"--missing", "drop"}), 2, "--missing is 'drop', expected error or skip"},
          {with({"--columns", "x,,y"}), 2,
           "--columns is 'x,,y', expected names or numbers separated by commas, with names that "
           "contain commas in double quotes"},
          {with({"--header", "--no-header"}), 2, "--header excludes --no-header"},
          {{"fit", "A.npy", "B.csv", "--columns", "x", "-o", "kept.safetensors"},
           2,
           "--columns and --group-column need CSV, A.npy has no column names"},
          {{"fit", "A.npy", "B.csv", "--delimiter", "tab", "-o", "kept.safetensors"},
           2,
           "--delimiter, --decimal, --header, --no-header and --quoted-text need CSV, A.npy is "
           "NPY"},
          {{"fit", "A.npy", "B.csv", "--missing", "skip", "-o", "kept.safetensors"},
           2,
           "--missing needs CSV, A.npy is NPY; remove rows with NaN first"},
          {{"fit", "A.csv", "B.csv", "-o", "-", "--json"},
           2,
           "--json and the model cannot both go to standard output"},
      });
}

TEST(CliBadCommands, Transport) {
  const Workbench bench;
  bench.fit_model();
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"transport", "model.safetensors", "A.csv", "-o", "kept.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(bench, {
                            {{"transport", "model.safetensors"}, 2, "points is required"},
                            {with({"--from", "A"}), 2, "--to is required"},
                            {with({"--to", "B"}), 2,
                             "the group of the points is unknown; name it with --from, or give the "
                             "column that contains the group of each row with --group-column"},
                            {with({"--to", "B", "--from", "A", "--group-column", "x"}), 2,
                             "--from and --group-column are both given, expected only one of them"},
                            {with({"--from", "A", "--to", "B", "--weights", ".5,.5"}), 2,
                             "--weights needs --to barycenter, but --to is 'B'"},
                            {with({"--from", "A", "--to", "barycenter", "--weights", "a,b"}), 2,
                             "--weights is 'a,b', expected numbers separated by commas, such as "
                             ".5,.5, or one number per group by name, such as a=.5,b=.5"},
                            {with({"--from", "A", "--to", "barycenter", "--weights", ""}), 2,
                             "--weights is '', expected numbers separated by commas, such as "
                             ".5,.5, or one number per group by name, such as a=.5,b=.5"},
                            {with({"--from", "A", "--to", "B", "--amount", "1.5"}), 2,
                             "--amount is '1.5', expected a number from 0 to 1"},
                            {{"transport", "-", "-", "--from", "A", "--to", "B"},
                             2,
                             "the model and the points cannot both come from standard input"},
                        });
}

TEST(CliBadCommands, BarycenterSelectInspect) {
  const Workbench bench;
  bench.fit_model();
  const std::string range = ", expected numbers >= 1, for example 5, 1:40, 1:40:3 or 5,10,20";
  expect_refused(
      bench,
      {
          {{"barycenter"}, 2, "model is required"},
          {{"barycenter", "model.safetensors", "--sample", "0", "-o", "kept.csv"},
           2,
           "--sample is '0', expected a whole number >= 1"},
          {{"barycenter", "model.safetensors", "--seed", "1", "-o", "kept.csv"},
           2,
           "--seed has no effect without --sample"},
          {{"inspect", "model.safetensors", "--permutations", "9"},
           2,
           "--permutations has no effect without --data"},
          {{"inspect", "model.safetensors", "--key", "id"},
           2,
           "--key has no effect without --data"},
          {{"select", "A.csv"}, 2, "--components is required"},
          {{"select", "A.csv", "-k", "0", "-o", "kept.csv"}, 2, "--components is '0'" + range},
          {{"select", "A.csv", "-k", "3:1", "-o", "kept.csv"}, 2, "--components is '3:1'" + range},
          {{"select", "A.csv", "-k", "1:5:0", "-o", "kept.csv"},
           2,
           "--components is '1:5:0'" + range},
          {{"select", "A.csv", "-k", "1:2:3:4", "-o", "kept.csv"},
           2,
           "--components is '1:2:3:4'" + range},
          {{"select", "A.csv", "-k", "2,", "-o", "kept.csv"}, 2, "--components is '2,'" + range},
          {{"select", "A.csv", "-k", "1:2000000000", "-o", "kept.csv"},
           2,
           "--components is '1:2000000000', expected at most 10000 numbers"},
          {{"select", "A.csv", "-k", "2", "--criterion", "mdl", "-o", "kept.csv"},
           2,
           "--criterion is 'mdl', expected aic, bic or heldout"},
          {{"select", "A.csv", "-k", "2", "--group", "x", "-o", "kept.csv"},
           2,
           "--group needs --group-column"},
          {{"select", "A.csv", "-k", "2", "--json", "-o", "-"},
           2,
           "--json and the curve as CSV cannot both go to standard output"},
          {{"inspect"}, 2, "model is required"},
          {{"inspect", "model.safetensors", "more"}, 2, "unexpected argument 'more'"},
      });
}

TEST(CliBadCommands, Morph) {
  const Workbench bench;
  bench.draw_shapes();
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"morph", "disc.png", "ring.png", "-o", "kept.png"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(
      bench,
      {
          {{"morph", "-o", "kept.png"}, 2, "images is required"},
          {with({"--grid", "4", "--frames", "4"}), 2, "--grid excludes --frames"},
          {{"morph", "disc.png", "-o", "kept.png"},
           2,
           "only one image is given, expected two or more"},
          {{"morph", "disc.png", "disc.png", "-o", "kept.png"},
           2,
           "two groups would be named 'disc' (disc.png and disc.png); name them, for example "
           "first=disc.png second=disc.png"},
          {with({"bars.png", "more=disc.png"}), 2,
           "4 images need --frames; a strip or triangle shows two or three"},
          {{"morph", "disc.png", "ring.png", "-o", "-"},
           2,
           "--output is '-', expected a file: images cannot be written to standard output"},
          {with({"--grid", "1"}), 2, "--grid is '1', expected a whole number from 2 to 64"},
          {with({"--frames", "1"}), 2, "--frames is '1', expected a whole number from 2 to 100000"},
          {with({"--cell", "8"}), 2, "--cell is '8', expected a whole number from 16 to 4096"},
          {with({"--points", "0"}), 2,
           "--points is '0', expected a whole number from 1 to 100000000"},
          {with({"--bandwidth", "0"}), 2, "--bandwidth is '0', expected a number from 0.1 to 10"},
          {with({"--grid", "64", "--cell", "4096"}), 2,
           "--grid 64 times --cell 4096 is 262144 pixels, expected at most 16384"},
      });
}

}  // namespace
}  // namespace lbw
