// SPDX-License-Identifier: MIT
// Memory-mapped files.
#pragma once

#include <filesystem>
#include <lbw/samples.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/system.hpp"

namespace lbw {

/// A file mapped into memory. The system loads a page on first access; release() removes pages from
/// this process, and they are loaded again on the next access. Bytes that the file has lost are
/// zeros, so check() must be called before anything that was computed from them is used.
class MappedFile final : public SampleStorage {
 public:
  /// Returns null if the file cannot be mapped: not a regular file, empty, not readable, or not
  /// supported by the file system. Reading the file then reports the reason.
  [[nodiscard]] static std::unique_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile() override;

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  void release(const void* first_byte, std::size_t n_bytes) const noexcept override;
  /// @throws IoError  if the file has changed since it was opened, or could not be read
  void check() const override;

 private:
  MappedFile(std::string name, system::File file, const system::FileStatus& status, char* data);

  std::string name_;
  system::File file_;  // stays open, so that a file that is renamed can still be checked
  system::FileStatus status_;
  char* data_;
  std::size_t size_;
  std::optional<system::MemoryGuard> guard_;
};

}  // namespace lbw
