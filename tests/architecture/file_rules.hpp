// SPDX-License-Identifier: MIT
// Rules about files as a whole.
#pragma once

#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {

/// Public headers that no room owns, or that lbw.hpp leaves out.
[[nodiscard]] std::vector<std::string> header_violations(const SourceTree& tree);

/// Sources of src/<room>/ and tests of tests/<room>/ that the CMakeLists.txt beside them leaves
/// out: they would never be compiled.
[[nodiscard]] std::vector<std::string> unlisted_sources(const SourceTree& tree);

/// C++ files of more lines than allowed.
[[nodiscard]] std::vector<std::string> long_files(const SourceTree& tree, std::size_t max_lines);

}  // namespace lbw::architecture
