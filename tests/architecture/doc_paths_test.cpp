// SPDX-License-Identifier: MIT
#include "architecture/doc_paths.hpp"

#include <gtest/gtest.h>

#include <set>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {
namespace {

using Lines = std::vector<std::string>;

Lines missing_in(const std::string& text) {
  const std::set<std::string> there = {"docs/images/a.png", "src/core/random.cpp", "README.md"};
  return missing_paths("docs/guide.md", text,
                       [&](const std::string& path) { return there.count(path) > 0; });
}

TEST(DocPaths, FollowLinksFromTheFolderOfTheText) {
  EXPECT_EQ(missing_in("![a](images/a.png) and [up](../README.md#install)"), Lines{});
  EXPECT_EQ(missing_in("![b](images/b.png) and [up](../READ.md)"),
            (Lines{"docs/images/b.png", "READ.md"}));
}

TEST(DocPaths, FollowWordsInBackquotesFromTheRoot) {
  EXPECT_EQ(missing_in("see `src/core/random.cpp`"), Lines{});
  EXPECT_EQ(missing_in("see `src/core/gone.cpp`, `tests/x_test.cpp`"),
            (Lines{"src/core/gone.cpp", "tests/x_test.cpp"}));
}

TEST(DocPaths, IgnoreWordsThatAreNoPaths) {
  EXPECT_EQ(missing_in("[w](https://example.org/a) [here](#top) `make test` `a/b` `src/*/x.cpp` "
                       "`tests/<room>/`"),
            Lines{});
  EXPECT_EQ(missing_in("```sh\ncat `src/gone.cpp` [x](gone.md)\n```\n`src/lost.cpp`"),
            Lines{"src/lost.cpp"});
}

TEST(Repository, DocumentsNameExistingPaths) {
  const SourceTree documents = read_documents();
  EXPECT_GE(documents.size(), 5u);  // at least README, CHANGELOG, CONTRIBUTING and two pages
  for (const auto& [path, text] : documents) {
    EXPECT_EQ(missing_paths(path, text, in_repository), Lines{}) << "named in " << path;
  }
}

}  // namespace
}  // namespace lbw::architecture
