// SPDX-License-Identifier: MIT
// What a file may include.
#pragma once

#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {

/// Every include under include/, src/, cli/, demo/ and research/bench/ that points the wrong way,
/// as `src/core/a.cpp:3: linalg/cholesky.hpp: core does not use linalg`. The rules:
///   - a room includes "room/file.hpp" and <lbw/...> of itself and of the rooms in its reach;
///   - of the rooms that it names after PUBLIC, it includes only <lbw/...>;
///   - a public header the same, but no private file;
///   - lbw.hpp is for users: the library never includes it;
///   - cli, demo and research/bench include <lbw/...> and their own files;
///   - headers of other libraries stay with those who own them: decompositions in linalg, JSON
///     in io, PNG in picture, the command line in cli, timing in research/bench.
[[nodiscard]] std::vector<std::string> include_violations(const SourceTree& tree);

}  // namespace lbw::architecture
