// SPDX-License-Identifier: MIT
// WebAssembly modules have neither processes nor files of their own, so this is all that the
// library needs there without src/io (docs/browser.md).
#ifdef __EMSCRIPTEN__

#include "core/system.hpp"

namespace lbw::system {

bool call_in_forked_processes(void (* /*function*/)()) { return false; }

int current_processor() noexcept { return -1; }

void leave_processor(int /*number*/) noexcept {}

}  // namespace lbw::system

#endif
