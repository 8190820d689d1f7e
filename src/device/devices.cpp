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

/// Null until the first use, which may be before main.
constinit std::atomic<const Registry*> registry = nullptr;

const Registry* current() {
  const Registry* now = registry;
  if (now != nullptr) return now;
  auto first = std::make_unique<Registry>(Registry{{{"cpu", &cpu_device()}}, nullptr});
  return registry.compare_exchange_strong(now, first.get()) ? first.release() : now;
}

}  // namespace

void register_device(const std::string& name, const Device& device) {
  const Registry* now = current();
  auto next = std::make_unique<Registry>();
  do {
    *next = {now->devices, now};
    require(next->devices.emplace(name, &device).second, "register_device: '", name,
            "' is already the name of a device");
  } while (!registry.compare_exchange_weak(now, next.get()));
  (void)next.release();
}

const Device& device_of(const Execution& execution) {
  const auto& devices = current()->devices;
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
