// SPDX-License-Identifier: MIT
// Compressed tables, other delimiters, decimal commas and missing values, for every command that
// reads or writes tables.
#include <gtest/gtest.h>

#include <lbw/io.hpp>
#include <sstream>

#include "cli/bad_row.hpp"
#include "cli/workbench.hpp"

namespace lbw {
namespace {

TEST(CliTableFormats, WarnOfAHeaderOfNumbers) {
  const Workbench bench;
  const std::string rows = "0,1\n5,2\n3,4\n4,7\n";
  bench.write("a.csv", rows);
  bench.write("b.csv", rows);
  const std::vector<std::string> fit = {"fit", "a.csv", "b.csv", "-k", "1", "-o", "model"};
  const std::string warning =
      "the first line consists of consecutive whole numbers and is read as data; add --header if "
      "it "
      "has the names of the columns, or --no-header to read it as data without this warning\n";
  const ProgramResult result = bench.lbw(fit);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("lbw fit: warning: a.csv: " + warning), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("lbw fit: warning: b.csv: " + warning), std::string::npos)
      << result.err;
  for (const std::string option : {"--header", "--no-header"}) {
    std::vector<std::string> words = fit;
    words.push_back(option);
    EXPECT_EQ(bench.lbw(words).err.find("consecutive"), std::string::npos) << option;
  }
}

using Words = std::vector<std::string>;

/// Writes the table of a CSV file in another notation.
void convert(const Workbench& bench, const std::string& source, const std::string& target,
             const CsvFormat& format) {
  write_csv(bench / target, read_csv(bench / source), format);
}

std::string fitted(const Workbench& bench, Words options) {
  options.insert(options.begin(), {"fit", "-k", "2", "-o", "m.safetensors"});
  const ProgramResult result = bench.lbw(options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return bench.bytes("m.safetensors");
}

TEST(CliTableFormats, FitsAndTransportsTheSameFromEveryFile) {
  const Workbench bench;
  const std::string model = fitted(bench, {"A.csv", "B.csv"});
  convert(bench, "A.csv", "A.csv.gz", {});
  convert(bench, "B.csv", "B.csv.zst", {});
  EXPECT_TRUE(fitted(bench, {"A.csv.gz", "B.csv.zst"}) == model);  // groups A and B
  const Words to_b = {"transport", "m.safetensors", "A.csv.gz", "--from", "A", "--to", "B"};
  const std::string expected = bench.lbw(to_b).out;
  EXPECT_EQ(expected.substr(0, 4), "x,y\n");
  Words from_pipe = to_b;
  from_pipe[2] = "-";
  EXPECT_TRUE(bench.lbw(from_pipe, bench.bytes("A.csv.gz")).out == expected);
  for (const std::string name : {"out.csv.gz", "out.csv.zst", "out.csv", "out.tsv.zst"}) {
    Words words = to_b;
    words.insert(words.end(), {"-o", name});
    ASSERT_EQ(bench.lbw(words).exit_code, 0);
    Words back = to_b;
    back[2] = name;
    back.insert(back.end(), {"--amount", "0"});
    EXPECT_TRUE(bench.lbw(back).out == expected) << name;
  }
  EXPECT_EQ(bench.bytes("out.csv.gz").substr(0, 2), "\x1f\x8b");
}

TEST(CliTableFormats, ReadsAndWritesTheNotationThatIsGiven) {
  const Workbench bench;
  const std::string model = fitted(bench, {"A.csv", "B.csv"});
  const std::vector<std::pair<Words, CsvFormat>> notations = {
      {{"--decimal", ","}, {.delimiter = ';', .decimal = ','}},
      {{"--delimiter", "|"}, {.delimiter = '|'}},
      {{"--delimiter", "\\t", "--decimal", "comma"}, {.delimiter = '\t', .decimal = ','}},
      {{"--delimiter", "space"}, {.delimiter = ' '}},
      {{"--delimiter", "whitespace"}, {.delimiter = any_whitespace}}};
  for (const auto& [options, format] : notations) {
    SCOPED_TRACE(options[1]);
    convert(bench, "A.csv", "A.txt", format);
    convert(bench, "B.csv", "B.txt", format);
    Words fit = {"A.txt", "B.txt"};
    fit.insert(fit.end(), options.begin(), options.end());
    EXPECT_TRUE(fitted(bench, fit) == model);
    Words copy = {"transport", "m.safetensors", "A.txt", "--from", "A", "--to",
                  "B",         "--amount",      "0"};
    copy.insert(copy.end(), options.begin(), options.end());
    const ProgramResult result = bench.lbw(copy);
    EXPECT_TRUE(result.out == bench.bytes("A.txt")) << result.err;
    Words barycenter = {"barycenter", "m.safetensors"};
    const RowMatrix mixture = [&] {
      std::istringstream plain(bench.lbw(barycenter).out);
      return read_csv(plain, "output").values;
    }();
    barycenter.insert(barycenter.end(), options.begin(), options.end());
    std::istringstream stream(bench.lbw(barycenter).out);
    EXPECT_EQ(read_csv(stream, "output", {.delimiter = format.delimiter, .decimal = format.decimal})
                  .values,
              mixture);
  }
}

TEST(CliTableFormats, LeavesRowsWithMissingValuesOutOfFits) {
  const Workbench bench;
  const std::string model = fitted(bench, {"A.csv", "B.csv"});
  bench.write("A_.csv", bench.bytes("A.csv") + "1,\nNA,2\n");
  const ProgramResult result = bench.lbw(
      {"fit", "A=A_.csv", "B.csv", "-k", "2", "-o", "m.safetensors", "--missing", "skip"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(result.err.starts_with(
      "lbw fit: warning: A_.csv: 2 of 302 rows have missing values and are left out\n"))
      << result.err;
  EXPECT_TRUE(bench.bytes("m.safetensors") == model);
  const ProgramResult select = bench.lbw({"select", "A_.csv", "-k", "1", "--missing", "skip"});
  EXPECT_EQ(select.out, bench.lbw({"select", "A.csv", "-k", "1"}).out);
  EXPECT_EQ(select.err,
            "lbw select: warning: A_.csv: 2 of 302 rows have missing values and are left out\n");
  const ProgramResult inspect =
      bench.lbw({"inspect", "m.safetensors", "--data", "A=A_.csv", "B.csv", "--missing", "skip"});
  EXPECT_EQ(inspect.out, bench.lbw({"inspect", "m.safetensors", "--data", "A.csv", "B.csv"}).out);
}

TEST(CliTableFormats, TransportKeepsRowsWithMissingValuesInPlace) {
  const Workbench bench;
  bench.fit_model();
  bench.write("holes.csv", "id,y,site,x\n1,2,A,1\n2,NA,A,5\n3,4,,3\n4,6,Z,7\n5,8,B,9\n");
  const Words words = {"transport", "model.safetensors",
                       "holes.csv", "--group-column",
                       "site",      "--to",
                       "B",         "--amount",
                       "0",         "--missing",
                       "skip",      "--handle-unknown",
                       "ignore",    "--key",
                       "id"};
  const ProgramResult result = bench.lbw(words);
  EXPECT_EQ(result.out, "id,y,site,x\n1,2,A,1\n2,,A,\n3,,,\n4,6,Z,7\n5,8,B,9\n");
  EXPECT_EQ(result.err,
            "lbw transport: warning: holes.csv: 2 of 5 rows have missing values; the features of "
            "such rows are empty in the output\n"
            "lbw transport: 2 rows transported to 'B', 1 row of unknown groups left unchanged\n");
  Words none = words;
  none.insert(none.end(), {"--keep", "none"});
  EXPECT_EQ(bench.lbw(none).out, "x,y,site,id\n1,2,A,1\n,,A,2\n,,,3\n7,6,Z,4\n9,8,B,5\n");
  Words json = words;
  json.insert(json.end(), {"--json", "-o", "out.csv"});
  EXPECT_EQ(bench.lbw_json(json)["n_missing_rows"], 2);
  Words strict = words;
  strict[12] = "error";
  expect_refused(bench, {{strict, 1,
                          "holes.csv: column 'site' contains 'Z' in row 4, the model has 'A', 'B'; "
                          "--handle-unknown ignore leaves such rows unchanged, --handle-unknown "
                          "barycenter transports them by the maps of the groups they resemble"}});
}

// Rows with missing values do not change the results of others.
TEST(CliTableFormats, TransportsCompleteRowsAsWithoutTheOthers) {
  const Workbench bench;
  bench.fit_model();
  std::string lines = bench.bytes("A.csv");
  const Words words = {"transport", "model.safetensors", "-",   "--from", "A", "--to",
                       "B",         "--missing",         "skip"};
  const std::string expected = bench.lbw(words, lines).out;
  lines.insert(lines.find('\n') + 1, ",5\n");
  std::string with_hole = expected;
  with_hole.insert(with_hole.find('\n') + 1, ",\n");
  EXPECT_TRUE(bench.lbw(words, lines).out == with_hole);
}

TEST(CliTableFormats, SaysWhatAFileLooksLike) {
  const Workbench bench;
  bench.fit_model();
  bench.write("comma.csv", "x;y\n1,5;2\n");
  bench.write("bare.csv", "1,5;2,5\n");
  bench.write("spaces.csv", "1 2\n3 4\n");
  bench.write("a.parquet", "PAR1\x15\x04\x01");
  bench.write("model.csv", bench.bytes("model.safetensors"));
  const auto from = [](const std::string& file) {
    return Words{"transport", "model.safetensors", file, "--from", "A", "--to", "B",
                 "-o",        "kept.csv"};
  };
  expect_refused(
      bench,
      {{from("comma.csv"), 1,
        "comma.csv:2: column 1 (x): \"1,5\" is not a finite number; if the comma is a decimal "
        "mark, "
        "use --decimal comma"},
       {from("bare.csv"), 1,
        "bare.csv: the first line looks like numbers with decimal commas, separated by semicolons; "
        "use --decimal comma, or --delimiter comma if commas separate the cells"},
       {from("spaces.csv"), 1,
        "spaces.csv:1: column 1: \"1 2\" is not a finite number; if spaces separate the cells, use "
        "--delimiter whitespace"},
       {from("a.parquet"), 1,
        "a.parquet is a Parquet file, expected CSV; run the same command with 'python -m lbw' "
        "instead of 'lbw' (pip install 'lbw[arrow]')"},
       {from("model.csv"), 1,
        "model.csv is a model file (safetensors), expected CSV; give it where a model is expected"},
       {{"inspect", "A.csv"},
        1,
        "A.csv is a text file, such as CSV, expected a model file (safetensors); give it where a "
        "table is expected, with another extension"},
       {{"barycenter", "model.safetensors", "--decimal", ",", "-o", "kept.npy"},
        2,
        "--delimiter and --decimal need CSV, --output is NPY"},
       {{"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B", "--missing", "skip",
         "-o", "kept.npy"},
        2,
        "--missing skip leaves cells empty, which NPY cannot represent; write CSV instead"}});
}

TEST(CliTableFormats, TellsThatParquetIsNotReadFromStandardInput) {
  const Workbench bench;
  bench.fit_model();
  const ProgramResult result = bench.lbw(
      {"transport", "model.safetensors", "-", "--from", "A", "--to", "B"}, "PAR1\x15\x04\x01");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "lbw transport: standard input is a Parquet file, expected CSV; save it as a file and "
            "run the same command with 'python -m lbw' instead of 'lbw' (pip install "
            "'lbw[arrow]')\n");
}

TEST(CliTableFormats, NotesSpacesOfLabels) {
  const Workbench bench;
  bench.write("t.csv", "x,g\n1, red\n2, red\n4, red\n5,blue\n7,blue\n8,blue\n");
  const ProgramResult result = bench.lbw({"fit", "t.csv", "--group-column", "g", "-o", "m"});
  EXPECT_TRUE(
      result.err.starts_with("lbw fit: t.csv: the group ' red' begins or ends with spaces, "
                             "which belong to its name\n"))
      << result.err;
}

}  // namespace
}  // namespace lbw
