// SPDX-License-Identifier: MIT
// The commands of the program, one file each.
#pragma once

#include "cli/command_line.hpp"

namespace lbw::cli {

void add_fit(Program& program);
void add_transport(Program& program);
void add_barycenter(Program& program);
void add_select(Program& program);
void add_inspect(Program& program);
void add_morph(Program& program);
void add_repair(Program& program);
void add_score(Program& program);
void add_options(Program& program);
void add_completion(Program& program);
void add_man(Program& program);

}  // namespace lbw::cli
