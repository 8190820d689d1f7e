// SPDX-License-Identifier: MIT
// Whole files in and out. What is written appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <lbw/types.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// A file in the making: written aside in the same folder, flushed and renamed by commit(). Until
/// then, and after any failure, the path holds what it held before. A link is followed and stays a
/// link. What is no regular file (a pipe, /dev/stdout) is written directly.
class FileWriter {
 public:
  /// @throws IoError when the path is a folder, its folder does not exist or it may not be written
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

  std::filesystem::path path_;       // as asked for: what messages name
  std::filesystem::path target_;     // behind the links
  std::filesystem::path temporary_;  // empty when written directly
  int descriptor_ = -1;
};

/// One FileWriter from start to end.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a file, a pipe or a device. @throws IoError naming path and reason
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace lbw
