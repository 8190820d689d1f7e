// SPDX-License-Identifier: MIT
// Rules about whole files.
#pragma once

#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {

/// Public headers that belong to no room, or that lbw.hpp does not include.
[[nodiscard]] std::vector<std::string> header_violations(const SourceTree& tree);

/// Sources of src/<room>/ and tests of tests/<room>/ that are missing from the CMakeLists.txt
/// beside them, so that they are never compiled.
[[nodiscard]] std::vector<std::string> unlisted_sources(const SourceTree& tree);

/// C++ files with more lines than allowed.
[[nodiscard]] std::vector<std::string> long_files(const SourceTree& tree, std::size_t max_lines);

}  // namespace lbw::architecture
