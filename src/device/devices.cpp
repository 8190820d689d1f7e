// SPDX-License-Identifier: MIT
// The devices of this build.
#include <map>
#include <mutex>

#include "core/message.hpp"
#include "device/cpu_device.hpp"

namespace lbw {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, const Device*, std::less<>> devices = {{"cpu", &cpu_device()}};
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

void register_device(const std::string& name, const Device& device) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  require(all.devices.emplace(name, &device).second, "register_device: '", name,
          "' is already the name of a device");
}

const Device& device_of(const Execution& execution) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.devices.find(execution.device);
  if (found != all.devices.end()) return *found->second;
  std::string names;
  for (const auto& [name, device] : all.devices) {
    names += message(names.empty() ? "" : ", ", "'", name, "'");
  }
  throw UnsupportedDevice(
      message("device '", execution.device, "' is not part of this build, which has ", names));
}

}  // namespace lbw
