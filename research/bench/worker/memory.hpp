// SPDX-License-Identifier: MIT
#pragma once

namespace lbw::bench {

/// The current resident memory of this process in bytes.
double resident_bytes();

/// The peak of the resident memory since the start or since `reset_peak`.
double peak_resident_bytes();

/// Resets the peak to the current resident memory. If the system forbids it, nothing changes.
void reset_peak();

}  // namespace lbw::bench
