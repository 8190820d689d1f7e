// SPDX-License-Identifier: MIT
// lbw repair and lbw score: columns that only look like numbers, and what the messages say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "cli/bad_row.hpp"

namespace lbw {
namespace {

/// Columns "x", "c" and "g": 80 rows of two groups, with these cells in "c".
std::string table_with(const std::function<std::string(int)>& cell, char delimiter = ',') {
  std::string rows = "x,c,g\n";
  if (delimiter != ',') std::ranges::replace(rows, ',', delimiter);
  for (int i = 0; i < 80; ++i) {
    rows += std::to_string(i * 37 % 80 + 10 * (i % 2)) + delimiter + cell(i) + delimiter +
            (i % 2 == 0 ? "a\n" : "b\n");
  }
  return rows;
}

TEST(CliRepairColumns, IdentifiersBeyondDoublePrecisionAreRefused) {
  const Workbench bench;
  bench.write("snow.csv", table_with([](int i) {
                return std::to_string(1152921504606846976 + 3 * static_cast<std::int64_t>(i));
              }));
  expect_refused(bench, {{{"repair", "snow.csv", "--protected", "g"},
                          1,
                          "snow.csv: column 'c' has whole numbers of 2^53 or more, which double "
                          "precision rounds, and looks like an identifier; name it in --except, or "
                          "name the columns to repair with --columns"}});
  const ProgramResult result =
      bench.lbw({"repair", "snow.csv", "--protected", "g", "--except", "c"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find(",1152921504606846979,"), std::string::npos) << result.out;
}

TEST(CliRepairColumns, LargeFractionsAreRepaired) {
  const Workbench bench;
  bench.write("large.csv", table_with([](int i) { return std::to_string(i) + "e20"; }));
  EXPECT_EQ(bench.lbw({"repair", "large.csv", "--protected", "g"}).exit_code, 0);
}

// As python -m lbw writes texts of Parquet files.
TEST(CliRepairColumns, QuotedTextIsNotRepaired) {
  const Workbench bench;
  const auto code = [](int i) { return "00" + std::to_string(100 + i % 7); };
  bench.write("codes.csv", table_with([&](int i) { return '"' + code(i) + '"'; }));
  const std::vector<std::string> words = {"repair", "codes.csv", "--protected", "g",
                                          "--quoted-text"};
  const ProgramResult result = bench.lbw(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err.find("leading zeros"), std::string::npos) << result.err;
  for (int i = 0; i < 7; ++i) {
    EXPECT_NE(result.out.find(",\"" + code(i) + "\","), std::string::npos) << result.out;
  }
  bench.write("again.csv", result.out);
  const ProgramResult again =
      bench.lbw({"repair", "again.csv", "--protected", "g", "--quoted-text", "--amount", "0"});
  EXPECT_EQ(again.out, result.out);  // texts are still texts
  std::vector<std::string> requested = words;
  requested.insert(requested.end(), {"--columns", "x,c"});
  expect_refused(bench, {{requested, 1,
                          "codes.csv:2: column 2 (c): \"00100\" is text, expected a number; choose "
                          "other columns with --columns, or convert them to numbers"}});
}

// As Python's csv.QUOTE_NONNUMERIC writes texts, and NaN as "".
TEST(CliRepairColumns, QuotesOfGroupsAndMissingValuesAreKept) {
  const Workbench bench;
  std::string table = "\"g\",\"race\",\"x\"\n";
  for (int i = 0; i < 80; ++i) {
    const std::string number = i == 7 ? "\"\"" : std::to_string(i * 37 % 80);
    table += "\"" + std::to_string(i % 2) + "\",\"" + std::to_string(i % 3) + "\"," + number + "\n";
  }
  bench.write("t.csv", table);
  const std::vector<std::string> words = {
      "repair", "t.csv", "--quoted-text", "--missing", "skip", "--protected", "g"};
  const ProgramResult result = bench.lbw(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\n\"1\",\"2\","), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n\"1\",\"1\",\n"), std::string::npos) << result.out;  // row 7
  EXPECT_EQ(result.err.find("columns without numbers 'x'"), std::string::npos) << result.err;
  bench.write("numbers.csv", table);
  const ProgramResult fitted =
      bench.lbw({"fit", "numbers.csv", "--quoted-text", "--missing", "skip", "--group-column", "g",
                 "--columns", "x", "-k", "1", "-o", "m.safetensors"});
  EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
}

// Texts are not searched for decimal commas either.
TEST(CliRepairColumns, QuotedTextMayHaveCommas) {
  const Workbench bench;
  bench.write("text.csv", table_with([](int i) { return "\"" + std::to_string(i) + ",5\""; }));
  EXPECT_EQ(bench.lbw({"repair", "text.csv", "--protected", "g"}).exit_code, 1);
  EXPECT_EQ(bench.lbw({"repair", "text.csv", "--protected", "g", "--quoted-text"}).exit_code, 0);
}

TEST(CliRepairColumns, LeadingZerosAreReported) {
  const Workbench bench;
  bench.write("codes.csv", table_with([](int i) { return "00" + std::to_string(100 + i % 7); }));
  const std::vector<std::string> words = {"repair", "codes.csv", "--protected", "g"};
  const std::string warning =
      "columns 'c' have numbers with leading zeros, such as 00459, and are repaired like other "
      "columns. If they are codes, name them in --except";
  const ProgramResult warned = bench.lbw(words);
  EXPECT_NE(warned.err.find(warning), std::string::npos) << warned.err;
  std::vector<std::string> requested = words;
  requested.insert(requested.end(), {"--columns", "x,c"});
  EXPECT_EQ(bench.lbw(requested).err.find("leading zeros"), std::string::npos);
}

TEST(CliRepairColumns, ThousandsSeparatorsAreRefused) {
  const Workbench bench;
  const auto thousands = [](const std::string& mark) {
    return [mark](int i) { return std::to_string(i + 1) + mark + std::to_string(100 + i); };
  };
  bench.write("commas.csv", table_with(thousands(","), ';'));
  bench.write("points.csv", table_with(thousands("."), ';'));
  expect_refused(
      bench,
      {{{"repair", "commas.csv", "--protected", "g"},
        1,
        "commas.csv: the numbers of column 'c' have decimal commas or thousands separators; add "
        "--decimal comma, remove thousands separators, or name the column in --except if it is "
        "text"},
       {{"repair", "points.csv", "--protected", "g", "--decimal", "comma"},
        1,
        "points.csv: the numbers of column 'c' have decimal points or thousands separators; omit "
        "--decimal comma, remove thousands separators, or name the column in --except if it is "
        "text"}});
}

TEST(CliRepairColumns, ThousandsSeparatorsWithDecimalsAreRefused) {
  const Workbench bench;
  const auto refused = [&](const std::function<std::string(int)>& cell,
                           const std::string& example) {
    bench.write("t.csv", table_with(cell, ';'));
    expect_refused(
        bench, {{{"repair", "t.csv", "--protected", "g"},
                 1,
                 "t.csv: the numbers of column 'c' have thousands separators, such as " + example +
                     "; remove them, or name the column in --except if it is text"}});
  };
  const auto with = [](const std::string& mark, const std::string& end) {
    return [=](int i) { return std::to_string(i + 11) + mark + std::to_string(100 + i) + end; };
  };
  refused(with(",", ".43"), "11,100.43");
  refused(with(".", ",43"), "11.100,43");
  refused(with("'", ""), "11'100");
  refused(with("\u2019", ".5"), "11\u2019100.5");
  refused(with("\u00A0", ""), "11\u00A0100");
  // missing values, and small numbers in the other notation
  refused([](int i) { return i == 0 ? "NA" : "-1.234," + std::to_string(i); }, "-1.234,1");
  refused([](int i) { return i == 0 ? "5,5" : "1.234," + std::to_string(i); }, "1.234,1");
}

TEST(CliRepairColumns, TextsThatHaveDigitsAreShown) {
  const Workbench bench;
  const auto warning_of = [&](const std::function<std::string(int)>& cell) {
    bench.write("t.csv", table_with(cell, ';'));
    return bench.lbw({"repair", "t.csv", "--protected", "g"}).err;
  };
  const auto expect_shown = [&](const std::string& cell, const std::string& shown) {
    const std::string err = warning_of([&](int) { return cell; });
    EXPECT_NE(err.find("left unchanged and may reveal the group: 'c' (text, for example '" + shown +
                       "'). Encode"),
              std::string::npos)
        << err;
  };
  expect_shown("12.3%", "12.3%");
  expect_shown("\u20AC12.3", "\u20AC12.3");
  expect_shown("0x1F", "0x1F");
  expect_shown("12.3\u00A0", "12.3<no-break space>");
  const std::string err = warning_of([](int i) { return i == 1 ? "1,234.5 or so" : "Ulm"; });
  EXPECT_NE(err.find("'c' (text, for example '1,234.5 or so')"), std::string::npos) << err;
  EXPECT_NE(warning_of([](int) { return "Ulm"; }).find("reveal the group: 'c'. Encode"),
            std::string::npos);
}

TEST(CliRepairColumns, ManyColumnsAreCountedInMessages) {
  const Workbench bench;
  std::string header = "x,g";
  std::string text;
  std::string listed;
  for (int c = 0; c < 40; ++c) {
    header += ",t" + std::to_string(c);
    text += ",Ulm";
    if (c < 30) listed += (c == 0 ? "'t" : ", 't") + std::to_string(c) + "'";
  }
  std::string rows = header + "\n";
  for (int i = 0; i < 80; ++i) {
    rows += std::to_string(i * 37 % 80) + (i % 2 == 0 ? ",a" : ",b") + text + "\n";
  }
  bench.write("wide.csv", rows);
  const std::string err = bench.lbw({"repair", "wide.csv", "--protected", "g"}).err;
  EXPECT_NE(err.find("may reveal the group: " + listed + " and 10 more. Encode"), std::string::npos)
      << err;
  const std::string first = listed.substr(0, listed.find(", 't28'"));
  expect_refused(bench, {{{"repair", "wide.csv", "--protected", "zz"},
                          2,
                          "--protected: wide.csv has no column 'zz'; its columns are 'x', 'g', " +
                              first + " and 12 more"}});
}

TEST(CliRepairColumns, GroupsThatAreNotUtf8AreRefused) {
  const Workbench bench;
  bench.write("latin.csv", table_with([](int i) { return i % 3 == 1 ? "M\xFCnchen" : "Ulm"; }));
  const std::string advice = "; convert the file, for example with iconv -f latin1 -t utf-8";
  expect_refused(
      bench, {{{"repair", "latin.csv", "--protected", "c", "--save-model", "m", "-o", "kept.csv"},
               1,
               "latin.csv:3: column 2 (c): the group \"M?nchen\" is not UTF-8" + advice},
              {{"repair", "latin.csv", "--protected", "g,c", "--save-model", "m", "-o", "kept.csv"},
               1,
               "latin.csv: the protected column 'c' is not UTF-8 in row 2" + advice}});
}

// Joint groups show the values of all protected columns.
TEST(CliRepairColumns, ControlCharactersOfGroupsAreRefused) {
  const Workbench bench;
  for (const std::string control : {"\x1b[2J", "\u009b2J", "\r"}) {
    bench.write("t.csv", table_with([&](int i) { return i % 3 == 1 ? "U" + control : "Ulm"; }));
    const std::string expected =
        "t.csv: the protected column 'c' contains a control character in row 2; remove it";
    expect_refused(bench,
                   {{{"repair", "t.csv", "--protected", "g,c"}, 1, expected},
                    {{"score", "t.csv", "--score", "x", "--protected", "g,c"}, 1, expected}});
  }
}

TEST(CliRepairColumns, LargeValuesAreNamedByTheirColumn) {
  const Workbench bench;
  bench.write("t.csv", table_with([](int i) { return std::to_string(i % 5); }));
  ASSERT_EQ(bench
                .lbw({"repair", "t.csv", "--protected", "g", "-o", "out.csv", "--save-model",
                      "m.safetensors"})
                .exit_code,
            0);
  bench.write("huge.csv", table_with([](int i) { return i == 3 ? "-2.4e200" : "1"; }));
  bench.write("plain.csv", "1.5,2\n3,1e101\n4,5\n");
  const std::string huge =
      "huge.csv: column 'c' contains -2.4e+200 in row 4, expected values up to 1e+100; rescale "
      "that column";
  expect_refused(bench,
                 {{{"repair", "huge.csv", "--protected", "g"}, 1, huge},
                  {{"repair", "huge.csv", "--model", "m.safetensors"}, 1, huge},
                  {{"fit", "huge.csv", "--group-column", "g", "-o", "kept.safetensors"}, 1, huge},
                  {{"fit", "a=plain.csv", "b=plain.csv", "-o", "kept.safetensors"},
                   1,
                   "plain.csv: column 2 contains 1e+101 in row 2, expected values up to 1e+100; "
                   "rescale that column"}});
  EXPECT_EQ(bench.lbw({"score", "huge.csv", "--score", "c", "--protected", "g"}).exit_code, 0);
}

TEST(CliRepairColumns, WeightsAreChecked) {
  const Workbench bench;
  bench.write("t.csv", table_with([](int i) { return std::to_string(i % 5); }));
  const auto refused = [&](const std::string& weights) {
    expect_refused(
        bench, {{{"repair", "t.csv", "--protected", "g", "-w", weights},
                 2,
                 "--weights is '" + weights + "', expected numbers >= 0, at least one above 0"}});
  };
  for (const char* weights : {"0,0", "a=-1,b=2", "nan,1", "inf,1"}) refused(weights);
}

TEST(CliRepairColumns, MessagesNameTheOptionsOfTheCommand) {
  const Workbench bench;
  bench.write("t.csv", table_with([](int i) { return std::to_string(i % 5); }));
  ASSERT_EQ(bench
                .lbw({"repair", "t.csv", "--protected", "g", "-o", "out.csv", "--save-model",
                      "m.safetensors"})
                .exit_code,
            0);
  bench.write("new.csv", "x,g\n1,a\n2,b\n");
  bench.write("word.csv", "x,c,g\n1,u,a\n2,v,b\n");
  expect_refused(
      bench, {{{"repair", "--model", "m.safetensors", "new.csv"},
               2,
               "--model: new.csv has no column 'c'; its columns are 'x', 'g'"},
              {{"repair", "--model", "m.safetensors", "word.csv"},
               1,
               "word.csv:2: column 2 (c): \"u\" is not a finite number; convert them to numbers"},
              {{"score", "word.csv", "--score", "c", "--protected", "g"},
               1,
               "word.csv:2: column 2 (c): \"u\" is not a finite number; choose another column with "
               "--score, or convert them to numbers"},
              {{"score", "word.csv", "--score", "x", "--target", "c", "--protected", "g"},
               1,
               "word.csv:2: column 2 (c): \"u\" is not a finite number; choose another column with "
               "--score or --target, or convert them to numbers"}});
  bench.write("other.csv", "x,c,g\n1,2,u\n2,3,v\n");
  const ProgramResult unknown =
      bench.lbw({"repair", "--model", "m.safetensors", "other.csv", "--handle-unknown", "ignore"});
  EXPECT_EQ(unknown.exit_code, 0) << unknown.err;
  EXPECT_NE(unknown.err.find("no row belongs to a repaired group of the model, so parity"),
            std::string::npos)
      << unknown.err;
}

// Notes about the table name the command, and --quiet silences them as it does for other commands.
TEST(CliRepairColumns, NotesAboutTheTableAreThoseOfTheCommand) {
  const Workbench bench;
  bench.write("spaces.csv", "x,g\n1, a\n2, a\n4, a\n3,b\n5,b\n8,b\n");
  const std::vector<std::string> repair = {"repair", "spaces.csv", "--protected", "g"};
  const std::vector<std::string> score = {"score",   "spaces.csv", "--protected",    "g",
                                          "--score", "x",          "--permutations", "0"};
  for (std::vector<std::string> words : {repair, score}) {
    EXPECT_TRUE(bench.lbw(words).err.starts_with(
        "lbw " + words[0] +
        ": spaces.csv: the group ' a' begins or ends with spaces, which belong to its name\n"))
        << bench.lbw(words).err;
    words.emplace_back("-q");
    EXPECT_EQ(bench.lbw(words).err, "");
  }
}

TEST(CliRepairColumns, OnlyRepairedRowsAreCounted) {
  const Workbench bench;
  bench.write("holes.csv", table_with([](int i) { return std::to_string(i % 5); }) + "NA,1,a\n");
  const ProgramResult result =
      bench.lbw({"repair", "holes.csv", "--protected", "g", "--missing", "skip", "-o", "out.csv"});
  EXPECT_NE(result.err.find("1 of 81 rows has missing values"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("80 rows of 2 groups, 2 columns repaired"), std::string::npos)
      << result.err;
}

TEST(CliScoreNotation, DecimalCommasAreConsistent) {
  const Workbench bench;
  bench.write("s.csv", table_with([](int i) { return "0," + std::to_string(i % 9); }, ';'));
  const std::vector<std::string> words = {"score",     "s.csv", "--score",     "c",
                                          "--decimal", "comma", "--protected", "g"};
  std::vector<std::string> written = words;
  written.insert(written.end(), {"-o", "-", "--threshold", "0.5"});
  const ProgramResult result = bench.lbw(written);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find('.'), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(";\"0,5\";"), std::string::npos) << result.out;
  std::vector<std::string> ambiguous = words;
  ambiguous.insert(ambiguous.end(), {"--threshold", "0,5"});
  expect_refused(bench,
                 {{ambiguous, 2,
                   "--threshold is '0,5', but --decimal comma does not apply to options; write "
                   "decimal points, such as 0.5 or 1.0,2.0"}});
}

TEST(CliRepairReport, AnAucBelowChanceIsBeyondNoise) {
  const Workbench bench;
  // 10 clusters of equal rows, half of them of each group: a half with more rows of a group leaves
  // fewer for the other half
  std::string rows = "x,g\n";
  for (int i = 0; i < 200; ++i) {
    rows += std::to_string(std::pow(3.0, i / 20)) + (i % 2 == 0 ? ",a\n" : ",b\n");
  }
  bench.write("t.csv", rows);
  const ProgramResult result = bench.lbw(
      {"repair", "t.csv", "--protected", "g", "--amount", "0", "--dither", "0", "-o", "out.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("0.387    0.598 *\n"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("the repaired groups can still be told apart"), std::string::npos);
  EXPECT_NE(result.err.find("Fit it to more rows, or try fewer steps of --refine"),
            std::string::npos)
      << result.err;
}

TEST(CliRepairReport, NewRowsAreNotAReasonForMoreSteps) {
  const Workbench bench;
  bench.write("t.csv", table_with([](int i) { return std::to_string(i * 7 % 11); }));
  ASSERT_EQ(bench
                .lbw({"repair", "t.csv", "--protected", "g", "-o", "out.csv", "--save-model",
                      "m.safetensors"})
                .exit_code,
            0);
  // the groups of new rows are far apart
  bench.write("new.csv",
              table_with([](int i) { return std::to_string(i * 7 % 11 + 99 * (i % 2)); }));
  const ProgramResult result =
      bench.lbw({"repair", "--model", "m.safetensors", "new.csv", "-o", "out.csv"});
  EXPECT_NE(result.err.find("fit the repair to more rows, or try fewer steps of --refine"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("Increase --refine"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace lbw
