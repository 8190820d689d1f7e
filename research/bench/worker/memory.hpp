// SPDX-License-Identifier: MIT
#pragma once

namespace lbw::bench {

/// Resident memory of this process now, in bytes.
double resident_bytes();

/// The most it has been since the start or since `reset_peak`.
double peak_resident_bytes();

/// Lets the peak start anew from what is resident now; where the system forbids it, nothing
/// changes.
void reset_peak();

}  // namespace lbw::bench
