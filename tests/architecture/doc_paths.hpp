// SPDX-License-Identifier: MIT
// Paths of this repository in its documents.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lbw::architecture {

/// Paths in a Markdown text that do not exist, relative to the root. They are the targets of links
/// and pictures, relative to the folder of the text, and words in backquotes that begin with a
/// folder of the repository, relative to the root. Code blocks, web addresses, and words that
/// contain *, < or { are ignored.
///
/// @param document  path of the text from the root
[[nodiscard]] std::vector<std::string> missing_paths(
    const std::string& document, const std::string& text,
    const std::function<bool(const std::string&)>& exists);

}  // namespace lbw::architecture
