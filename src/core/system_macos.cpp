// SPDX-License-Identifier: MIT
#ifdef __APPLE__

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/system.hpp"

namespace lbw::system {

bool is_open_file(const std::filesystem::path& path) {
  return path.native().starts_with("/dev/fd/");
}

int create_empty() { return -1; }

std::int64_t modification_time(const struct stat& status) {
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return nanoseconds * status.st_mtimespec.tv_sec + status.st_mtimespec.tv_nsec;
}

// fsync of macOS leaves the bytes in the cache of the disk. Not every file system has the other
// call.
Error flush_descriptor(int descriptor) {
  if (::fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

int create_unnamed(const std::filesystem::path& /*folder*/, unsigned /*permissions*/) { return -1; }

Error name_file(int /*descriptor*/, const std::filesystem::path& /*path*/) { return ENOTSUP; }

int current_processor() noexcept { return -1; }

void leave_processor(int /*number*/) noexcept {}

}  // namespace lbw::system

#endif
