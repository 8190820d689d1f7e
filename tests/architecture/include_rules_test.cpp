// SPDX-License-Identifier: MIT
#include "architecture/include_rules.hpp"

#include <gtest/gtest.h>

#include "architecture/rooms.hpp"

namespace lbw::architecture {
namespace {

using Lines = std::vector<std::string>;

/// Five rooms in a row with one private header each, without violations.
SourceTree small_tree() {
  return {
      {"src/core/CMakeLists.txt", "lbw_add_room(core SOURCES words.cpp)"},
      {"src/core/words.hpp", "#include <string>\n#include <lbw/types.hpp>\n"},
      {"src/linalg/CMakeLists.txt", "lbw_add_room(linalg\n  SOURCES roots.cpp\n  USES core)"},
      {"src/linalg/roots.hpp", "#include <Eigen/Cholesky>\n#include \"core/words.hpp\"\n"},
      {"src/gaussian/CMakeLists.txt", "lbw_add_room(gaussian SOURCES map.cpp USES linalg)"},
      {"src/gaussian/map.hpp", "#include <lbw/types.hpp>\n#include \"core/words.hpp\"\n"},
      {"src/matching/CMakeLists.txt", "lbw_add_room(matching SOURCES match.cpp USES core)"},
      {"src/matching/match.hpp", "#include <lbw/assignment.hpp>\n"},
      {"src/io/CMakeLists.txt", "lbw_add_room(io SOURCES file.cpp USES core PUBLIC gaussian)"},
      {"src/io/file.hpp", "#include <lbw/gaussian.hpp>\n#include \"core/words.hpp\"\n"},
      {"include/lbw/gaussian.hpp", "#include <Eigen/Core>\n#include <lbw/types.hpp>\n"},
      {"include/lbw/lbw.hpp", "#include <lbw/gaussian.hpp>\n"},
      {"cli/main.cpp", "#include <CLI/CLI.hpp>\n#include <lbw/lbw.hpp>\n#include \"text.hpp\"\n"},
      {"cli/text.hpp", "#include <cerrno>\n"},
      {"cli/system_posix.cpp", "#include <unistd.h>\n#include <csignal>\n"},
      {"src/core/system_posix.cpp", "#include <sys/mman.h>\n#include \"core/words.hpp\"\n"},
  };
}

Lines violations_with(const std::string& path, const std::string& include) {
  SourceTree tree = small_tree();
  tree[path] = "#pragma once\n#include " + include + "\n";
  return include_violations(tree);
}

TEST(IncludeRules, AllowIncludesOfUsedRooms) {
  EXPECT_EQ(include_violations(small_tree()), Lines{});
}

TEST(IncludeRules, ReportEveryForbiddenInclude) {
  struct Case {
    const char* path;
    const char* include;
    const char* reported;
  };
  const Case cases[] = {
      {"src/core/a.cpp", "\"linalg/roots.hpp\"",
       "src/core/a.cpp:2: linalg/roots.hpp: core does not use linalg"},
      {"src/matching/a.cpp", "\"gaussian/map.hpp\"",
       "src/matching/a.cpp:2: gaussian/map.hpp: matching does not use gaussian"},
      {"src/matching/a.cpp", "\"linalg/roots.hpp\"",
       "src/matching/a.cpp:2: linalg/roots.hpp: matching does not use linalg"},
      {"src/linalg/a.cpp", "<lbw/gaussian.hpp>",
       "src/linalg/a.cpp:2: lbw/gaussian.hpp: linalg does not use gaussian"},
      {"src/gaussian/a.cpp", "<lbw/lbw.hpp>",
       "src/gaussian/a.cpp:2: lbw/lbw.hpp: lbw.hpp is for users of the library"},
      {"src/gaussian/a.cpp", "\"lbw/types.hpp\"",
       "src/gaussian/a.cpp:2: lbw/types.hpp: a public header is included as <lbw/types.hpp>"},
      {"src/gaussian/a.cpp", "<lbw/unheard.hpp>",
       "src/gaussian/a.cpp:2: lbw/unheard.hpp: no room owns it"},
      {"src/gaussian/a.cpp", "\"map.hpp\"",
       "src/gaussian/a.cpp:2: map.hpp: there is no src/map.hpp"},
      {"src/gaussian/a.cpp", "<core/words.hpp>",
       "src/gaussian/a.cpp:2: core/words.hpp: not a header for gaussian"},
      {"src/gaussian/a.cpp", "<Eigen/SVD>",
       "src/gaussian/a.cpp:2: Eigen/SVD: not a header for gaussian"},
      {"src/core/a.cpp", "<hwy/highway.h>",
       "src/core/a.cpp:2: hwy/highway.h: not a header for core"},
      {"src/matching/a.cpp", "  <nlohmann/json.hpp>  // for a dump",
       "src/matching/a.cpp:2: nlohmann/json.hpp: not a header for matching"},
      {"src/io/a.cpp", "\"gaussian/map.hpp\"",
       "src/io/a.cpp:2: gaussian/map.hpp: io does not use private headers of gaussian"},
      {"src/io/a.cpp", "<lbw/assignment.hpp>",
       "src/io/a.cpp:2: lbw/assignment.hpp: io does not use matching"},
      {"src/io/a.cpp", "<spng.h>", "src/io/a.cpp:2: spng.h: not a header for io"},
      {"src/unlisted/a.cpp", "\"core/words.hpp\"",
       "src/unlisted/a.cpp:2: core/words.hpp: unlisted does not use core"},
      {"include/lbw/gaussian.hpp", "\"core/words.hpp\"",
       "include/lbw/gaussian.hpp:2: core/words.hpp: a public header includes no private file"},
      {"include/lbw/gaussian.hpp", "<lbw/assignment.hpp>",
       "include/lbw/gaussian.hpp:2: lbw/assignment.hpp: gaussian does not use matching"},
      {"include/lbw/gaussian.hpp", "<spng.h>",
       "include/lbw/gaussian.hpp:2: spng.h: not a header for public use"},
      {"include/lbw/gaussian.hpp", "<unistd.h>",
       "include/lbw/gaussian.hpp:2: unistd.h: not a header for public use"},
      {"src/core/a.cpp", "<sys/mman.h>", "src/core/a.cpp:2: sys/mman.h: not a header for core"},
      {"src/io/system_posix.cpp", "<fcntl.h>",
       "src/io/system_posix.cpp:2: fcntl.h: not a header for io"},
      {"src/core/system_posix.hpp", "<unistd.h>",
       "src/core/system_posix.hpp:2: unistd.h: not a header for core"},
      {"src/core/system_posix.cpp", "<spng.h>",
       "src/core/system_posix.cpp:2: spng.h: not a header for core"},
      {"cli/a.cpp", "<unistd.h>", "cli/a.cpp:2: unistd.h: not a header for cli"},
      {"cli/a.cpp", "<csignal>", "cli/a.cpp:2: csignal: not a header for cli"},
      {"cli/a.cpp", "\"core/words.hpp\"", "cli/a.cpp:2: core/words.hpp: cli has no such file"},
      {"cli/a.cpp", "\"src/core/words.hpp\"",
       "cli/a.cpp:2: src/core/words.hpp: cli has no such file"},
      {"research/bench/a.cpp", "\"core/words.hpp\"",
       "research/bench/a.cpp:2: core/words.hpp: research/bench has no such file"},
      {"demo/a.cpp", "\"core/words.hpp\"", "demo/a.cpp:2: core/words.hpp: demo has no such file"},
      {"research/bench/a.cpp", "<CLI/CLI.hpp>",
       "research/bench/a.cpp:2: CLI/CLI.hpp: not a header for research/bench"},
  };
  for (const Case& wrong : cases) {
    EXPECT_EQ(violations_with(wrong.path, wrong.include), Lines{wrong.reported});
  }
}

TEST(IncludeRules, UsesPointToEarlierRoomsOnly) {
  SourceTree tree = small_tree();
  EXPECT_EQ(uses_violations(tree), Lines{});
  tree["src/core/CMakeLists.txt"] = "lbw_add_room(core SOURCES words.cpp USES linalg)";
  tree["src/matching/CMakeLists.txt"] = "lbw_add_room(matching SOURCES match.cpp USES maching)";
  tree["src/gaussian/CMakeLists.txt"] = "lbw_add_room(gaussian SOURCES map.cpp PUBLIC io)";
  tree["src/extra/CMakeLists.txt"] = "lbw_add_room(extra SOURCES a.cpp)";
  EXPECT_EQ(uses_violations(tree),
            (Lines{"src/core/CMakeLists.txt: USES linalg, which does not come before core",
                   "src/extra/CMakeLists.txt: room extra has no place in order",
                   "src/matching/CMakeLists.txt: USES maching, which is no room",
                   "src/gaussian/CMakeLists.txt: PUBLIC io, which does not come before gaussian"}));
}

TEST(Repository, IncludesFollowTheRules) {
  const SourceTree tree = read_repository({"include", "src", "cli", "research/bench", "demo"});
  EXPECT_EQ(uses_violations(tree), Lines{});
  EXPECT_EQ(include_violations(tree), Lines{});
}

}  // namespace
}  // namespace lbw::architecture
