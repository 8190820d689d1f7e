// SPDX-License-Identifier: MIT
// The rules for includes.
#pragma once

#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {

/// Every forbidden include under include/, src/, cli/, demo/ and research/bench/,
/// as `src/core/a.cpp:3: linalg/cholesky.hpp: core does not use linalg`. The rules:
///   - a room includes "room/file.hpp" and <lbw/...> of itself and of the rooms in its reach;
///   - of the rooms after PUBLIC, it includes only <lbw/...>;
///   - a public header follows the same rules, but includes no private file;
///   - the library never includes lbw.hpp, which is for users;
///   - cli, demo and research/bench include <lbw/...> and their own files;
///   - headers of other libraries belong to one room: decompositions to linalg, JSON to io, PNG
///     to picture, the command line to cli, timing to research/bench;
///   - only src/core/system_*.cpp and cli/system_*.cpp include headers of the operating system.
[[nodiscard]] std::vector<std::string> include_violations(const SourceTree& tree);

}  // namespace lbw::architecture
