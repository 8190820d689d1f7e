// SPDX-License-Identifier: MIT
// The repository as text. The checks of this folder run on a map from paths to texts, so that tests
// can use small generated trees.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lbw::architecture {

/// Path relative to the root -> text of the file.
using SourceTree = std::map<std::string, std::string>;

/// The files of this repository in the given folders, at any depth.
[[nodiscard]] SourceTree read_repository(std::initializer_list<std::string_view> folders);

/// The Markdown texts of this repository: those at its root and below docs/.
[[nodiscard]] SourceTree read_documents();

/// Whether this repository has a file or folder at a path from its root.
[[nodiscard]] bool in_repository(const std::string& path);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// The words after SOURCES or USES in the `lbw_add_...(room SOURCES a b USES c)` call of a
/// CMakeLists.txt.
[[nodiscard]] std::vector<std::string> words_after(const std::string& keyword,
                                                   const std::string& cmake_text);

/// The folder of a path below `area`, such as the room of src/<room>/file.cpp; may be empty.
[[nodiscard]] std::string room_below(std::string_view area, const std::string& path);

}  // namespace lbw::architecture
