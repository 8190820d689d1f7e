// SPDX-License-Identifier: MIT
#include "architecture/file_rules.hpp"

#include <gtest/gtest.h>

namespace lbw::architecture {
namespace {

using Lines = std::vector<std::string>;

TEST(FileRules, EveryPublicHeaderHasARoomAndAPlaceInTheUmbrella) {
  const SourceTree tree = {
      {"include/lbw/lbw.hpp", "#include <lbw/types.hpp>\n#include <lbw/secret.hpp>\n"},
      {"include/lbw/types.hpp", ""},
      {"include/lbw/secret.hpp", ""},
      {"include/lbw/matrix.hpp", ""},
  };
  EXPECT_EQ(header_violations(tree), (Lines{"include/lbw/matrix.hpp: lbw.hpp does not include it",
                                            "include/lbw/secret.hpp: no room owns it"}));
}

TEST(FileRules, ReportSourcesThatAreNeverCompiled) {
  const SourceTree tree = {
      {"src/core/CMakeLists.txt", "lbw_add_room(core SOURCES listed.cpp USES forgotten.cpp)"},
      {"src/core/listed.cpp", ""},
      {"src/core/forgotten.cpp", ""},
      {"src/core/header.hpp", ""},
      {"tests/core/CMakeLists.txt", "lbw_add_tests(core SOURCES listed_test.cpp)"},
      {"tests/core/listed_test.cpp", ""},
      {"tests/core/forgotten_test.cpp", ""},
      {"tests/core/helper.cpp", ""},
  };
  EXPECT_EQ(unlisted_sources(tree),
            (Lines{"src/core/forgotten.cpp", "tests/core/forgotten_test.cpp"}));
}

TEST(FileRules, ReportLongFiles) {
  const SourceTree tree = {{"src/core/a.cpp", "1\n2\n3\n"},
                           {"src/core/b.cpp", "1\n2\n3\n4\n"},
                           {"docs/long.md", "1\n2\n3\n4\n5\n"}};
  EXPECT_EQ(long_files(tree, 3), Lines{"src/core/b.cpp: 4 lines"});
}

TEST(Repository, FilesKeepTheRules) {
  const SourceTree tree =
      read_repository({"include", "src", "cli", "demo", "research/bench", "tests"});
  EXPECT_EQ(header_violations(tree), Lines{});
  EXPECT_EQ(unlisted_sources(tree), Lines{});
  EXPECT_EQ(long_files(tree, 400), Lines{});
}

}  // namespace
}  // namespace lbw::architecture
