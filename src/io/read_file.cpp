// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/descriptor.hpp"

namespace lbw {

namespace {

constexpr std::size_t smallest_buffer = 1U << 16U;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw IoError(message("cannot read '", path.string(), "': ", reason));
}

[[noreturn]] void fail(const std::filesystem::path& path, int error_number) {
  fail(path, std::generic_category().message(error_number));
}

// Only an initial guess: a pipe has no size, and a file may be growing.
std::size_t first_guess(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return smallest_buffer;
  return std::max(smallest_buffer, to_size(status.st_size) + 1);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status {};
  if (file.value() < 0 || ::fstat(file.value(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, "it is a directory");
  std::string bytes(first_guess(status), '\0');
  std::size_t filled = 0;
  while (true) {
    const ::ssize_t count = ::read(file.value(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno != EINTR) fail(path, errno);
    if (count == 0) break;
    if (count > 0) filled += to_size(count);
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace lbw
