// SPDX-License-Identifier: MIT
// Reports and messages on narrow terminals: no line is wider than the terminal, and no number of
// the report is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/terminal.hpp"
#include "cli/workbench.hpp"

namespace lbw {
namespace {

using Words = std::vector<std::string>;

constexpr unsigned short narrow_width = 40;
constexpr const char* last_line = "the program has ended";

/// What a terminal of this width shows on both streams.
std::string shown_on(const Workbench& bench, const Words& words, unsigned short width) {
  Terminal terminal(width);
  std::string command = "NO_COLOR=1; export NO_COLOR; \"$0\" \"$@\"; echo '";
  ProgramCall call = bench.call({"-c", command + last_line + "'", bench.call({}).program.string()});
  call.arguments.insert(call.arguments.end(), words.begin(), words.end());
  call.program = "/bin/sh";
  call.out_path = terminal.path();
  call.err_path = terminal.path();
  RunningProgram program(call);
  std::string shown = terminal.read_until(last_line, std::chrono::seconds(60));
  (void)program.wait();
  return shown.substr(0, shown.find(last_line));
}

/// Complete lines; progress lines, which are overwritten, are left out.
Words lines_of(const std::string& shown) {
  Words lines;
  std::istringstream stream(shown);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t cleared = line.rfind("\x1b[K");
    lines.push_back(cleared == std::string::npos ? line : line.substr(cleared + 3));
  }
  return lines;
}

/// The words with a digit, each once; times of the fit differ between runs.
std::set<std::string> numbers_in(const std::string& shown) {
  std::set<std::string> numbers;
  for (const std::string& line : lines_of(shown)) {
    if (line.find("fitted in") != std::string::npos) continue;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) {
      if (std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; })) {
        numbers.insert(word.substr(0, word.find_first_of(",:")));
      }
    }
  }
  return numbers;
}

void expect_fits(const Workbench& bench, const Words& words) {
  SCOPED_TRACE(words.front());
  const std::string narrow = shown_on(bench, words, narrow_width);
  for (const std::string& line : lines_of(narrow)) {
    EXPECT_LE(line.size(), narrow_width) << line;
  }
  const std::set<std::string> kept = numbers_in(narrow);
  for (const std::string& number : numbers_in(shown_on(bench, words, 500))) {
    EXPECT_TRUE(kept.contains(number)) << number << " is missing in\n" << narrow;
  }
}

TEST(CliNarrow, ReportsFitTheTerminalAndKeepEveryNumber) {
  const Workbench bench;
  bench.fit_model();
  expect_fits(bench, {"inspect", "model.safetensors"});
  expect_fits(bench,
              {"inspect", "model.safetensors", "--data", "A.csv", "B.csv", "--permutations", "20"});
  expect_fits(bench,
              {"select", "table.csv", "--columns", "x,y", "-k", "1:3", "--criterion", "heldout"});
  expect_fits(bench, {"repair", "table.csv", "--protected", "site", "-o", "out.csv",
                      "--permutations", "20"});
  expect_fits(bench, {"score", "table.csv", "--score", "x", "--protected", "site", "--threshold",
                      "1,2", "--permutations", "20", "--bootstraps", "20"});
}

TEST(CliNarrow, MessagesFitTheTerminal) {
  const Workbench bench;
  for (const Words& words :
       {Words{"fit", "A.csv", "B.csv", "-k", "40", "-o", "m"}, Words{"fit", "A.csv", "-o", "m"},
        Words{"fit", "A.csv", "missing.csv", "-o", "m"}}) {
    for (const std::string& line : lines_of(shown_on(bench, words, narrow_width))) {
      EXPECT_LE(line.size(), narrow_width) << line;
    }
  }
}

// The rows of a table that is too wide: each part begins with the first column.
TEST(CliNarrow, TablesAreBrokenBetweenColumns) {
  const Workbench bench;
  const Words table = lines_of(
      shown_on(bench, {"select", "table.csv", "--columns", "x,y", "-k", "1,2"}, narrow_width));
  EXPECT_GE(
      std::ranges::count_if(table, [](const std::string& line) { return line.find("n_comp") < 3; }),
      2);
}

// A number without its heading and its group would mean nothing.
TEST(CliNarrow, MeasuresOfScoresAreSentences) {
  const Workbench bench;
  const Words words = {"score",       "table.csv", "--score",        "x",  "--protected",  "site",
                       "--threshold", "1",         "--permutations", "20", "--bootstraps", "20"};
  const Words lines = lines_of(shown_on(bench, words, narrow_width));
  const auto rows = std::ranges::find(lines, "rows of 'north': value 300");
  EXPECT_NE(rows, lines.end()) << shown_on(bench, words, narrow_width);
  const auto is_rate = [](const std::string& line) {
    return line.starts_with("rate of 'north' at 1: ");
  };
  EXPECT_EQ(std::ranges::count_if(lines, is_rate), 1);
}

// Files and pipes have the same lines whatever the terminal.
TEST(CliNarrow, OtherOutputIsNotBroken) {
  const Workbench bench;
  bench.fit_model();
  const Words words = {"inspect", "model.safetensors"};
  ProgramCall call = bench.call(
      {"-c", "COLUMNS=40 \"$0\" inspect model.safetensors", bench.call({}).program.string()});
  call.program = "/bin/sh";
  EXPECT_EQ(run_program(call).out, bench.lbw(words).out);
}

}  // namespace
}  // namespace lbw
