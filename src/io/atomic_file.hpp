// SPDX-License-Identifier: MIT
// Reading and writing whole files. Writes are atomic.
#pragma once

#include <filesystem>
#include <lbw/types.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// Writes a file atomically: to a temporary file in the same directory, which commit() flushes and
/// renames. Until then, and after a failure, the file at the path is unchanged. Links are followed
/// and preserved. Anything but a regular file (a pipe, /dev/stdout) is written directly.
class FileWriter {
 public:
  /// Bytes that a writer of tables collects before it calls write().
  static constexpr std::size_t flush_at = 1U << 16U;

  /// @throws IoError  if the path is a directory, its directory does not exist or is not writable
  explicit FileWriter(std::filesystem::path path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void open_directly();
  void open_aside();
  void open_temporary(unsigned mode);
  void close_checked();
  void discard() noexcept;
  [[noreturn]] void fail(int error_number);

  std::filesystem::path path_;       // as given, for messages
  std::filesystem::path target_;     // with links resolved
  std::filesystem::path temporary_;  // empty if written directly
  int descriptor_ = -1;
};

/// Writes a whole file with a FileWriter.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a file, a pipe or a device. @throws IoError naming path and reason
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace lbw
