// SPDX-License-Identifier: MIT
#pragma once

namespace lbw {

/// Throws InvalidArgument unless numbers can be told apart with this delimiter and decimal mark.
/// @param function   the name of the function in messages
/// @param delimiter  '\0' if it is to be detected
void check_notation(const char* function, char delimiter, char decimal);

}  // namespace lbw
