// SPDX-License-Identifier: MIT
// The devices of this build.
#include "core/message.hpp"
#include "device/cpu_device.hpp"

namespace lbw {

namespace {

struct NamedDevice {
  std::string_view name;
  const Device& (*device)();
};

constexpr NamedDevice devices[] = {{"cpu", cpu_device}};

}  // namespace

const Device& device_of(const Execution& execution) {
  std::string names;
  for (const NamedDevice& known : devices) {
    if (known.name == execution.device) return known.device();
    names += message(names.empty() ? "" : ", ", "'", known.name, "'");
  }
  throw UnsupportedDevice(
      message("device '", execution.device, "' is not part of this build, which has ", names));
}

}  // namespace lbw
