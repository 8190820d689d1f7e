// SPDX-License-Identifier: MIT
// Memory-mapped files. All system calls for them are in mapped_file.cpp.
#pragma once

#include <filesystem>
#include <lbw/samples.hpp>
#include <memory>
#include <string_view>

namespace lbw {

/// A file mapped into memory. The system loads a page on first access; release() removes pages from
/// this process, and they are loaded again on the next access.
class MappedFile final : public SampleStorage {
 public:
  /// Returns null if the file cannot be mapped: not a regular file, empty, not readable, or not
  /// supported by the file system. Reading the file then reports the reason.
  [[nodiscard]] static std::unique_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile() override;

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  void release(const void* first_byte, std::size_t n_bytes) const noexcept override;

 private:
  MappedFile(char* data, std::size_t size) : data_(data), size_(size) {}

  char* data_;
  std::size_t size_;
};

}  // namespace lbw
