// SPDX-License-Identifier: MIT
#include "cli/bad_row.hpp"

#include <gtest/gtest.h>

#include <map>

namespace lbw {

namespace {

/// All files with their contents.
std::map<std::string, std::string> snapshot(const Workbench& bench) {
  std::map<std::string, std::string> files;
  for (const std::string& name : bench.names()) {
    const bool is_file = std::filesystem::is_regular_file(bench / name);
    files[name] = is_file ? bench.bytes(name) : "";
  }
  return files;
}

std::string expected_words(const BadRow& row) {
  const bool has_verb = !row.arguments.empty() && !row.arguments[0].starts_with('-') &&
                        !row.message.starts_with("unknown command");
  const std::string name = has_verb ? "lbw " + row.arguments[0] : "lbw";
  const std::string hint = row.exit_code == 2 ? "Try '" + name + " --help'.\n" : "";
  return name + ": " + row.message + "\n" + hint;
}

}  // namespace

void expect_refused(const Workbench& bench, const std::vector<BadRow>& rows) {
  for (const char* name : {"kept.safetensors", "kept.csv", "kept.npy", "kept.png"}) {
    bench.write(name, "as it was");
  }
  const std::map<std::string, std::string> before = snapshot(bench);
  for (const BadRow& row : rows) {
    std::string line = "lbw";
    for (const std::string& word : row.arguments) line += " " + word;
    SCOPED_TRACE(line);
    const ProgramResult result = bench.lbw(row.arguments, row.input);
    EXPECT_EQ(result.exit_code, row.exit_code);
    EXPECT_EQ(result.err, expected_words(row));
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(snapshot(bench), before);
  }
}

}  // namespace lbw
