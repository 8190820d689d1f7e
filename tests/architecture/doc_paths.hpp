// SPDX-License-Identifier: MIT
// Paths of this repository that its texts name.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lbw::architecture {

/// Paths that a Markdown text names and that do not exist, each from the root. Looked at are the
/// targets of links and pictures, relative to the text's own folder, and words in backquotes that
/// begin with a folder of the repository, from the root. Code blocks, web addresses, and words with
/// * < or { in them are passed over.
///
/// @param document  path of the text from the root
[[nodiscard]] std::vector<std::string> missing_paths(
    const std::string& document, const std::string& text,
    const std::function<bool(const std::string&)>& exists);

}  // namespace lbw::architecture
