// SPDX-License-Identifier: MIT
// The repository as text. The checks of this folder run on a map from paths to texts, so that a
// made-up tree of a few lines can show that each of them fails when it must.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lbw::architecture {

/// Path from the root, with '/' -> the file's text.
using SourceTree = std::map<std::string, std::string>;

/// The files of this repository that lie in the folders named, at any depth.
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

/// The folder below `area` that a path lies in: the room of src/<room>/file.cpp; empty for none.
[[nodiscard]] std::string room_below(std::string_view area, const std::string& path);

}  // namespace lbw::architecture
