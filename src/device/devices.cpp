// SPDX-License-Identifier: MIT
// The devices of this build.
#include <atomic>
#include <map>
#include <memory>

#include "core/message.hpp"
#include "device/cpu_device.hpp"

namespace lbw {

namespace {

/// Tables are replaced as a whole and never freed, so that readers need no lock. Another thread
/// could hold one when the process forks, and the child would wait for it for ever.
struct Registry {
  std::map<std::string, const Device*, std::less<>> devices;
  const Registry* before = nullptr;
};

std::atomic<const Registry*> registry = new Registry{{{"cpu", &cpu_device()}}, nullptr};

}  // namespace

void register_device(const std::string& name, const Device& device) {
  const Registry* now = registry;
  auto next = std::make_unique<Registry>();
  do {
    *next = {now->devices, now};
    require(next->devices.emplace(name, &device).second, "register_device: '", name,
            "' is already the name of a device");
  } while (!registry.compare_exchange_weak(now, next.get()));
  (void)next.release();
}

const Device& device_of(const Execution& execution) {
  const auto& devices = registry.load()->devices;
  const auto found = devices.find(execution.device);
  if (found != devices.end()) return *found->second;
  std::string names;
  for (const auto& [name, device] : devices) {
    names += message(names.empty() ? "" : ", ", "'", name, "'");
  }
  throw UnsupportedDevice(
      message("device '", execution.device, "' is not part of this build, which has ", names));
}

}  // namespace lbw
