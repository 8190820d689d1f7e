// SPDX-License-Identifier: MIT
#include "worker/memory.hpp"

#include <fstream>
#include <stdexcept>
#include <string>

namespace lbw::bench {
namespace {

double status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0.0;
    if (word == field && status >> kibibytes) return 1024.0 * kibibytes;
  }
  throw std::runtime_error("/proc/self/status has no " + field);
}

}  // namespace

double resident_bytes() { return status_bytes("VmRSS:"); }

double peak_resident_bytes() { return status_bytes("VmHWM:"); }

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace lbw::bench
