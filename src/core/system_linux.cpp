// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/message.hpp"
#include "core/system.hpp"

namespace lbw::system {

namespace {

std::string path_of(int descriptor) { return message("/proc/self/fd/", descriptor); }

}  // namespace

bool is_open_file(const std::filesystem::path& path) {
  return path.native().starts_with("/proc/") || path.native().starts_with("/dev/fd/");
}

int create_empty() { return ::memfd_create("lbw-empty", MFD_CLOEXEC); }

std::int64_t modification_time(const struct stat& status) {
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return nanoseconds * status.st_mtim.tv_sec + status.st_mtim.tv_nsec;
}

Error flush_descriptor(int descriptor) { return ::fsync(descriptor) == 0 ? 0 : errno; }

int create_unnamed(const std::filesystem::path& folder, unsigned permissions) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, permissions);
  if (descriptor < 0) return -1;
  // Naming the file by its descriptor alone (AT_EMPTY_PATH) needs a privilege before Linux 6.10.
  char first = '\0';
  if (::readlink(path_of(descriptor).c_str(), &first, 1) == 1) return descriptor;
  ::close(descriptor);  // /proc is not mounted
  return -1;
}

Error name_file(int descriptor, const std::filesystem::path& path) {
  const std::string file = path_of(descriptor);
  const int result = ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
  return result == 0 ? 0 : errno;
}

int current_processor() noexcept { return ::sched_getcpu(); }

void leave_processor(int number) noexcept {
  if (number < 0 || ::sched_getcpu() != number) return;
  // the filters of many services kill a process that changes its processors
  if (::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0) return;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  cpu_set_t others = allowed;
  CPU_CLR(number, &others);
  if (::sched_setaffinity(0, sizeof(others), &others) != 0) return;
  // without a mask, the thread may also use processors that are added later
  static const auto n_processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  if (CPU_COUNT(&allowed) >= n_processors) std::memset(&allowed, 0xFF, sizeof(allowed));
  ::sched_setaffinity(0, sizeof(allowed), &allowed);  // the thread stays where it is now
}

}  // namespace lbw::system

#endif
