// SPDX-License-Identifier: MIT
// Columns are matched by name or, if that is not possible, by position with a message.
#include <gtest/gtest.h>

#include <lbw/io.hpp>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

std::vector<std::string> a_to_b(const std::string& model, const std::string& points) {
  return {"transport", model, points, "--from", "A", "--to", "B"};
}

constexpr const char* transported = "lbw transport: 1 row transported to 'B'\n";

TEST(CliColumnNames, FilesWithoutNamesUseTheOrderOfTheModel) {
  const Workbench bench;
  bench.fit_model();
  bench.write("bare.csv", "1,3\n");
  EXPECT_EQ(bench.lbw(a_to_b("model.safetensors", "bare.csv")).err,
            std::string("lbw transport: bare.csv has no column names, so the names of the model "
                        "could not be checked; its columns are used in the order 'x', 'y'\n") +
                transported);
  EXPECT_EQ(
      bench.lbw(a_to_b("model.safetensors", "A.npy"))
          .err.rfind("lbw transport: A.npy has no column names, so the names of the model", 0),
      0U);
  std::vector<std::string> quietly = a_to_b("model.safetensors", "bare.csv");
  quietly.emplace_back("--quiet");
  EXPECT_EQ(bench.lbw(quietly).err, "");
  bench.write("bare3.csv", "1,3,2\n");
  bench.write("bare1.csv", "1\n");
  expect_refused(bench, {{a_to_b("model.safetensors", "bare3.csv"), 1,
                          "bare3.csv has 3 feature columns, expected 2 as in the model"},
                         {a_to_b("model.safetensors", "bare1.csv"), 1,
                          "bare1.csv has 1 feature column, expected 2 as in the model"}});
}

TEST(CliColumnNames, FilesWithNamesKeepTheirOrderIfTheModelHasNoNames) {
  const Workbench bench;
  ASSERT_EQ(bench.lbw({"fit", "A=A.npy", "B=A.npy", "-k", "1", "-o", "m"}).exit_code, 0);
  bench.write("named.csv", "y,x\n1,2\n");
  EXPECT_EQ(bench.lbw(a_to_b("m", "named.csv")).err,
            std::string("lbw transport: the model has no column names, so the names of named.csv "
                        "could not be checked; its columns are used in the order 'y', 'x'\n") +
                transported);
}

TEST(CliColumnNames, NamesInAnotherOrderAreMatched) {
  const Workbench bench;
  bench.fit_model();
  bench.write("turned.csv", "y,x\n2,1\n");
  bench.write("straight.csv", "x,y\n1,2\n");
  std::vector<std::string> alone = a_to_b("model.safetensors", "turned.csv");
  alone.insert(alone.end(), {"--keep", "none"});
  const ProgramResult turned = bench.lbw(alone);
  EXPECT_EQ(turned.out, bench.lbw(a_to_b("model.safetensors", "straight.csv")).out);
  EXPECT_EQ(turned.err, transported);
}

TEST(CliColumnNames, FitAndInspectTellOnceThatNamesCouldNotBeChecked) {
  const Workbench bench;
  const std::string note = " has no column names, so the names of ";
  const std::string fitted = bench.lbw({"fit", "B.csv", "A=A.npy", "-o", "m"}).err;
  EXPECT_EQ(
      fitted.rfind("lbw fit: A.npy" + note +
                       "B.csv could not be checked; its columns are used in the order 'x', 'y'\n",
                   0),
      0U)
      << fitted;
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + "," + std::to_string(i * i % 7) + "," + (i % 2 ? "A" : "B") + "\n";
  }
  bench.write("bare.csv", rows);
  EXPECT_EQ(
      bench
          .lbw({"inspect", "m", "--data", "bare.csv", "--group-column", "3", "--permutations", "0"})
          .err,
      "lbw inspect: bare.csv" + note +
          "the model could not be checked; its columns are used in the order 'x', 'y'\n");
}

TEST(CliOutput, UnknownExtensionsAreRefused) {
  const Workbench bench;
  bench.fit_model();
  bench.draw_shapes();
  const auto with = [](std::vector<std::string> words, const std::string& output) {
    words.insert(words.end(), {"-o", output});
    return words;
  };
  const std::string table =
      "expected a file name ending in .csv, .csv.gz, .csv.zst, .tsv, .tsv.gz, .tsv.zst or .npy";
  const std::vector<std::string> barycenter = {"barycenter", "model.safetensors"};
  expect_refused(
      bench, {{with(a_to_b("model.safetensors", "A.csv"), "x.parquet"), 2,
               "--output is 'x.parquet', " + table +
                   "; to write this file, run the same command with 'python -m lbw' instead of "
                   "'lbw' (pip install 'lbw[arrow]')"},
              {with(barycenter, "x.xlsx"), 2, "--output is 'x.xlsx', " + table},
              {with(barycenter, "x.gz"), 2, "--output is 'x.gz', " + table},
              {with(barycenter, "x.npy.gz"), 2, "--output is 'x.npy.gz', " + table},
              {with(barycenter, "x.txt"), 2, "--output is 'x.txt', " + table},
              {with({"select", "A.csv", "-k", "1"}, "x.json"), 2, "--output is 'x.json', " + table},
              {with({"fit", "A.csv", "B.csv"}, "x.csv"), 2,
               "--output is 'x.csv', expected a file name ending in .safetensors"},
              {with({"morph", "disc.png", "ring.png"}, "x.gif"), 2,
               "--output is 'x.gif', expected a file name ending in .png"}});
  EXPECT_EQ(bench.lbw(with(barycenter, "plain")).exit_code, 0);
  EXPECT_EQ(bench.lbw(with(barycenter, "X.CSV")).exit_code, 0);
  EXPECT_EQ(bench.bytes("X.CSV"), bench.bytes("plain"));
  EXPECT_EQ(bench.lbw(with(barycenter, "X.NPY")).exit_code, 0);
  EXPECT_EQ(bench.bytes("X.NPY").substr(1, 5), "NUMPY");
}

TEST(CliColumnNames, NumbersOfColumnsAreThoseOfTheFitIfThereAreNoNames) {
  const Workbench bench;
  std::string rows[2];
  for (int i = 0; i < 40; ++i) {
    const std::string text = std::to_string(i % 9) + "," + std::to_string(100 + i * i % 7);
    rows[i % 2] += std::to_string(i % 2 * 50 + i) + "," + text + "\n";
  }
  bench.write("A.bare.csv", rows[0]);
  bench.write("B.bare.csv", rows[1]);
  const std::vector<std::string> files = {"A=A.bare.csv", "B=B.bare.csv"};
  ASSERT_EQ(bench.lbw({"fit", files[0], files[1], "--columns", "3,1", "-o", "m"}).exit_code, 0);
  std::vector<std::string> explicitly = a_to_b("m", "A.bare.csv");
  explicitly.insert(explicitly.end(), {"--columns", "3,1"});
  const ProgramResult expected = bench.lbw(explicitly);
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  const ProgramResult moved = bench.lbw(a_to_b("m", "A.bare.csv"));
  EXPECT_EQ(moved.out, expected.out);
  EXPECT_EQ(moved.err,
            "lbw transport: the model has no column names, so columns 3,1 of a file without a "
            "header are used, as in the fit; choose others with --columns\n" +
                expected.err);
  const std::vector<std::string> inspect = {"inspect", "m",      "--data",         files[0],
                                            files[1],  "--json", "--permutations", "0"};
  std::vector<std::string> inspect_explicitly = inspect;
  inspect_explicitly.insert(inspect_explicitly.end(), {"--columns", "3,1"});
  EXPECT_EQ(bench.lbw_json(inspect), bench.lbw_json(inspect_explicitly));
  EXPECT_EQ(bench.lbw({"fit", "A=A.npy", "B=A.npy", "-k", "1", "-o", "n"}).exit_code, 0);
  EXPECT_EQ(load_model(bench / "n").notes.count("columns"), 0U);
}

TEST(CliColumnNames, InspectIgnoresColumnsThatAreNoFeatures) {
  const Workbench bench;
  bench.fit_model();
  std::string more = "town,y,x\n";
  std::string few = "x,y\n";
  for (int i = 0; i < 20; ++i) {
    const std::string x = std::to_string(i % 7);
    const std::string y = std::to_string(i);
    more += "Ulm," + y + "," + x + "\n";
    few += x + "," + y + "\n";
  }
  bench.write("more.csv", more);
  bench.write("few.csv", few);
  const auto report_of = [&](const std::string& file) {
    return bench.lbw_json({"inspect", "model.safetensors", "--data", "A=" + file, "B=" + file,
                           "--json", "--permutations", "0"});
  };
  EXPECT_EQ(report_of("more.csv"), report_of("few.csv"));
}

// Work that is quadratic in the number of columns would take minutes.
TEST(CliColumnNames, ManyColumnsAreFoundInSeconds) {
  constexpr int n_columns = 150'000;
  std::string names = "g";
  std::string first = "a";
  std::string second = "b";
  for (int i = 1; i < n_columns; ++i) {
    names += ",name" + std::to_string(i);
    first += ",1.5";
    second += ",2.5";
  }
  const Workbench bench;
  bench.write("wide.csv", names + "\n" + first + "\n" + second + "\n");
  const ProgramCall direct = bench.call({"repair", "wide.csv", "--protected", "g"});
  ProgramCall limited = direct;
  limited.program = "/bin/sh";
  limited.arguments = {"-c", "ulimit -t 30; exec \"$0\" \"$@\"", direct.program.string()};
  limited.arguments.insert(limited.arguments.end(), direct.arguments.begin(),
                           direct.arguments.end());
  const ProgramResult result = RunningProgram(limited).wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "lbw repair: group 'a' has 1 sample, expected 2 or more: the spread of one sample is "
            "unknown; merge the group with another, remove it, or set --small-groups to keep\n");
}

}  // namespace
}  // namespace lbw
