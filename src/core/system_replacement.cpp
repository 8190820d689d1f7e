// SPDX-License-Identifier: MIT
// Atomic replacement of files, on Linux and macOS.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>

#include "core/fnv.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/system.hpp"

namespace lbw::system {

namespace {

namespace fs = std::filesystem;

constexpr unsigned usual_permissions = 0666;    // less the umask
constexpr unsigned private_permissions = 0600;  // until the file has those of its target

constexpr std::string_view name_begin = ".lbw-";
constexpr std::string_view name_end = ".tmp";
// Looking for files of killed processes must not slow down a writer of many files.
constexpr int most_entries = 10'000;
constexpr std::time_t seconds_of_a_day = 86'400;

Error error_after(int result) { return result == 0 ? 0 : errno; }

// Distinguishes the machines that share a directory over a network.
std::string machine_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  Fnv hash;
  hash.add(std::string_view(name.data()));
  return message(static_cast<std::uint32_t>(hash.value() >> 32U));
}

std::string own_begin() { return message(name_begin, machine_name(), "-"); }

fs::path temporary_name(const fs::path& folder) {
  static std::atomic<unsigned> counter = 0;
  return folder / message(own_begin(), ::getpid(), "-", counter++, name_end);
}

bool is_temporary(std::string_view name) {
  return name.starts_with(name_begin) && name.ends_with(name_end);
}

// The lock of a living process of this machine is always seen. Locks of other machines are not on
// some network file systems, so their files are removed only if they have not changed for a day.
bool may_be_of_another_process(const struct stat& status, std::string_view name) {
  if (name.starts_with(own_begin())) return false;
  return std::time(nullptr) - status.st_mtime < seconds_of_a_day;
}

void remove_if_left(int folder, const char* name) {
  const int descriptor =
      ::openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return;  // not ours to remove, or removed just now
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      !may_be_of_another_process(status, name) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    ::unlinkat(folder, name, 0);
  }
  ::close(descriptor);
}

// Removes temporary files whose processes have ended. Failures are ignored: such files take space,
// but do no harm.
void remove_left_files(const fs::path& folder) {
  ::DIR* const entries = ::opendir(folder.c_str());
  if (entries == nullptr) return;
  for (int i = 0; i < most_entries; ++i) {
    const ::dirent* const entry = ::readdir(entries);
    if (entry == nullptr) break;
    if (is_temporary(entry->d_name)) remove_if_left(::dirfd(entries), entry->d_name);
  }
  ::closedir(entries);
}

// Locks a new file. Another process may have taken it for a file that was left before it was
// locked, and returns false then.
bool lock_new(int descriptor) {
  (void)::flock(descriptor, LOCK_EX);  // some file systems have no locks, for others to see either
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

// Makes a rename durable. Failures are ignored if the directory cannot be opened or the file system
// does not support the call, because the file is complete in any case.
Error flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const Error error = flush_descriptor(descriptor);
  ::close(descriptor);
  return error == EINVAL || error == ENOTSUP ? 0 : error;
}

Error copy_bytes(int from, File& to) {
  std::array<char, 1U << 16U> buffer{};
  if (::lseek(from, 0, SEEK_SET) < 0) return errno;
  for (;;) {
    const ::ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count == 0) return 0;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (const Error error = to.write({buffer.data(), to_size(count)})) return error;
  }
}

}  // namespace

Error Replacement::open(const fs::path& target) {
  target_ = target;
  remove_left_files(folder_of(target));
  const FileStatus status = status_of(target);
  replaces_ = status.kind != FileKind::missing;
  if (!replaces_) return create(usual_permissions);
  // a rename would replace even a file without write permission
  if (const Error error = check_writable(target)) return error;
  if (const Error error = create(private_permissions)) return error;
  return error_after(::fchmod(file_.descriptor_, static_cast<::mode_t>(status.permissions)));
}

Error Replacement::create(unsigned permissions) {
  const int descriptor = create_unnamed(folder_of(target_), permissions);
  if (descriptor < 0) return create_named(permissions);  // which also has the reason of a failure
  (void)::flock(descriptor, LOCK_EX);                    // before anyone else can open the file
  file_ = File(descriptor, 0);
  return 0;
}

Error Replacement::create_named(unsigned permissions) {
  for (;;) {
    const fs::path name = temporary_name(folder_of(target_));
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor < 0 && errno == EEXIST) continue;  // as in name_temporarily()
    file_ = File(descriptor, descriptor < 0 ? errno : 0);
    if (!file_.is_open()) return file_.error();
    if (!lock_new(descriptor)) continue;
    temporary_ = name;
    return 0;
  }
}

// The file is closed last, because its lock protects it until it is in place.
Error Replacement::commit() {
  if (const Error error = flush_descriptor(file_.descriptor_)) return error;
  if (const Error error = put_in_place()) return error;
  temporary_.clear();
  const Error error = file_.close();
  return error != 0 ? error : flush_folder(folder_of(target_));
}

Error Replacement::put_in_place() {
  if (temporary_.empty()) {
    if (!replaces_ && name_file(file_.descriptor_, target_) == 0) return 0;
    if (const Error error = name_temporarily()) return error;
  }
  // No system can name a file and replace another one at once. A process that is killed just before
  // this call leaves the complete file under its temporary name.
  return error_after(::rename(temporary_.c_str(), target_.c_str()));
}

Error Replacement::name_temporarily() {
  Error error = EEXIST;
  while (error == EEXIST) {  // a killed process of the same number may have left its file
    temporary_ = temporary_name(folder_of(target_));
    error = name_file(file_.descriptor_, temporary_);
  }
  if (error == 0) return 0;
  temporary_.clear();
  return copy_to_named();  // security modules and file systems may forbid to name a file later
}

Error Replacement::copy_to_named() {
  const File unnamed = std::move(file_);
  const auto permissions = static_cast<::mode_t>(unnamed.status().permissions);
  if (const Error error = create_named(private_permissions)) return error;
  if (const Error error = copy_bytes(unnamed.descriptor_, file_)) return error;
  if (::fchmod(file_.descriptor_, permissions) != 0) return errno;
  return flush_descriptor(file_.descriptor_);
}

void Replacement::discard() noexcept {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  file_ = File();
}

}  // namespace lbw::system
