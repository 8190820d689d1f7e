// SPDX-License-Identifier: MIT
// Everything that the library asks of the operating system, most of it about files. Only
// system_*.cpp include the system's headers: system_posix.cpp has what Linux and macOS share,
// system_linux.cpp and system_macos.cpp what they do differently. The program has a cli/system.hpp
// of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct stat;

namespace lbw::system {

/// 0 on success, otherwise the number of the system's error.
using Error = int;

[[nodiscard]] std::string error_text(Error error);

enum class FileKind { missing, regular, directory, other };  // other: a pipe, a device, a socket

struct FileStatus {
  FileKind kind = FileKind::missing;
  std::uintmax_t size = 0;    ///< bytes of a regular file
  unsigned permissions = 0;   ///< of owner, group and others
  std::int64_t modified = 0;  ///< time of the last modification, in nanoseconds
  Error error = 0;            ///< why the status is unknown; 0 if there is no file
};

/// The status of the file at a path, with links followed.
[[nodiscard]] FileStatus status_of(const std::filesystem::path& path);

/// Whether this process may write to an existing file.
[[nodiscard]] Error check_writable(const std::filesystem::path& path);

/// Whether a path stands for a file that a process has open, such as /dev/fd/1. Replacing it would
/// disconnect the other end.
[[nodiscard]] bool is_open_file(const std::filesystem::path& path);

/// An open file, closed by the destructor.
class File {
 public:
  File() = default;
  [[nodiscard]] static File to_read(const std::filesystem::path& path);
  /// Existing files only. Bytes are appended, so that a redirected output is not overwritten.
  [[nodiscard]] static File to_append(const std::filesystem::path& path);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// Why the file is not open.
  [[nodiscard]] Error error() const { return error_; }
  [[nodiscard]] FileStatus status() const;

  /// Reads up to `size` bytes; `count` is 0 at the end of the file.
  [[nodiscard]] Error read(char* buffer, std::size_t size, std::size_t& count) const;
  [[nodiscard]] Error write(std::string_view bytes);
  [[nodiscard]] Error close();

 private:
  friend class Replacement;
  friend char* map(const File& file, std::size_t size);
  File(int descriptor, Error error) : descriptor_(descriptor), error_(error) {}

  int descriptor_ = -1;
  Error error_ = 0;
};

/// A new file that replaces the file at a path once it is complete. Until then, and after an error,
/// that file is unchanged.
///
/// Where the system has files without a name, the new file gets its name in commit(), so that a
/// process that is killed leaves nothing. Replacing an existing file then needs a temporary name
/// for the moment between two calls of the system, and elsewhere the file has that name from the
/// beginning. Its owner holds a lock on it, which ends with the process, so that the next
/// Replacement in the same directory finds and removes what killed processes have left.
class Replacement {
 public:
  Replacement() = default;
  ~Replacement() { discard(); }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// Opens the new file, in the directory of the target and with its permissions.
  [[nodiscard]] Error open(const std::filesystem::path& target);
  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] Error write(std::string_view bytes) { return file_.write(bytes); }
  /// Replaces the target, and returns when the disk has the new file.
  [[nodiscard]] Error commit();
  void discard() noexcept;

 private:
  [[nodiscard]] Error create(unsigned permissions);
  [[nodiscard]] Error create_named(unsigned permissions);
  [[nodiscard]] Error put_in_place();
  [[nodiscard]] Error name_temporarily();
  [[nodiscard]] Error copy_to_named();

  File file_;
  bool replaces_ = false;  // whether there was a file at the target
  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty if the file has no name
};

/// Creates a file without a name that is removed with its last descriptor. Returns the descriptor,
/// or -1 if the system or the file system has no such files, or this process cannot name them.
[[nodiscard]] int create_unnamed(const std::filesystem::path& folder, unsigned permissions);
/// Gives such a file a name, which must not exist.
[[nodiscard]] Error name_file(int descriptor, const std::filesystem::path& path);

/// Returns the descriptor of a new empty file that has no name, or -1.
[[nodiscard]] int create_empty();

/// Maps the first bytes of a file into memory, read-only. Returns null if that is not possible.
[[nodiscard]] char* map(const File& file, std::size_t size);
void unmap(char* data, std::size_t size) noexcept;

/// Mapped memory whose file may lose bytes. While the guard exists, an access to a page that the
/// file no longer has, or that the disk cannot read, finds zeros in this page and all later ones,
/// instead of ending the process by SIGBUS.
///
/// The alternative is to copy blocks of the file by read() before every use. It would need another
/// interface of all loops over samples, a copy of every byte in every pass, and buffers per thread,
/// for an event that almost never happens. A handler of SIGBUS costs nothing until then, but it is
/// shared by the whole process. So it is installed only while guards exist, recognizes its memory
/// by the address, gives all other signals to the handler before it, and only reads atomic
/// variables and calls mmap, which is a plain call of the system.
class MemoryGuard {
 public:
  MemoryGuard(const char* data, std::size_t size);
  ~MemoryGuard();
  MemoryGuard(const MemoryGuard&) = delete;
  MemoryGuard& operator=(const MemoryGuard&) = delete;

  [[nodiscard]] bool has_lost_pages() const noexcept;

  struct Range;  // of one guard, in the list that the handler reads

 private:
  Range* range_;
};
/// Removes pages from the memory of this process. They are loaded again on the next access.
void forget(char* data, std::size_t size) noexcept;

/// Calls a function in every process that this one forks, before anything else. Returns whether
/// the system will do so.
bool call_in_forked_processes(void (*function)());

/// The number of the processor that runs this thread, or -1 if the system does not say.
[[nodiscard]] int current_processor() noexcept;

/// Moves this thread to another processor if it is on this one and may use others. Linux often
/// wakes a thread on the processor of its waker, where both take turns until it moves one of them,
/// up to 30 ms later. Does nothing in a process whose calls of the system are filtered (seccomp).
void leave_processor(int number) noexcept;

/// The directory of a path, "." for a bare name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

/// The time of modification, in nanoseconds. Linux and macOS have different names for it.
[[nodiscard]] std::int64_t modification_time(const struct stat& status);

/// Flushes an open file to its disk. Linux and macOS need different calls.
[[nodiscard]] Error flush_descriptor(int descriptor);

}  // namespace lbw::system
