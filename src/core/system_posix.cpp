// SPDX-License-Identifier: MIT
// What Linux and macOS have in common.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/indexing.hpp"
#include "core/system.hpp"

namespace lbw::system {

namespace {

namespace fs = std::filesystem;

// Not the bits that run a program as its owner or group: a new file may have another owner.
constexpr unsigned permission_bits = 0777;

Error result_of(int result) { return result == 0 ? 0 : errno; }

FileStatus status_from(int result, const struct stat& status) {
  if (result != 0) return {.error = errno == ENOENT ? 0 : errno};
  FileKind kind = FileKind::other;
  if (S_ISREG(status.st_mode)) kind = FileKind::regular;
  if (S_ISDIR(status.st_mode)) kind = FileKind::directory;
  return {.kind = kind,
          .size = static_cast<std::uintmax_t>(status.st_size),
          .permissions = status.st_mode & permission_bits,
          .modified = modification_time(status)};
}

}  // namespace

std::string error_text(Error error) { return std::generic_category().message(error); }

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

FileStatus status_of(const fs::path& path) {
  struct stat status {};
  const int result = ::stat(path.c_str(), &status);
  return status_from(result, status);
}

Error check_writable(const fs::path& path) { return result_of(::access(path.c_str(), W_OK)); }

File File::to_read(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return {descriptor, descriptor < 0 ? errno : 0};
}

File File::to_append(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  return {descriptor, descriptor < 0 ? errno : 0};
}

File::~File() {
  if (is_open()) ::close(descriptor_);
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(error_, other.error_);
  return *this;
}

FileStatus File::status() const {
  struct stat status {};
  const int result = ::fstat(descriptor_, &status);
  return status_from(result, status);
}

Error File::read(char* buffer, std::size_t size, std::size_t& count) const {
  ::ssize_t result = 0;
  do {
    result = ::read(descriptor_, buffer, size);
  } while (result < 0 && errno == EINTR);
  count = result < 0 ? 0 : to_size(result);
  return result < 0 ? errno : 0;
}

Error File::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(to_size(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Error File::close() {
  // the descriptor is closed even after EINTR
  const Error error = result_of(::close(std::exchange(descriptor_, -1)));
  return error == EINTR ? 0 : error;
}

char* map(const File& file, std::size_t size) {
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor_, 0);
  if (data == MAP_FAILED) return nullptr;
  ::madvise(data, size, MADV_SEQUENTIAL);  // only a hint
  return static_cast<char*>(data);
}

void unmap(char* data, std::size_t size) noexcept { ::munmap(data, size); }

void forget(char* data, std::size_t size) noexcept { ::madvise(data, size, MADV_DONTNEED); }

bool call_in_forked_processes(void (*function)()) {
  return ::pthread_atfork(nullptr, nullptr, function) == 0;
}

}  // namespace lbw::system
