// SPDX-License-Identifier: MIT
// Files that are read where they lie. All that asks the system for it is in mapped_file.cpp.
#pragma once

#include <filesystem>
#include <lbw/samples.hpp>
#include <memory>
#include <string_view>

namespace lbw {

/// The bytes of a file as memory. The system reads a page when it is first looked at; release()
/// takes pages out of this process, and they come back when they are looked at again.
class MappedFile final : public SampleStorage {
 public:
  /// Null for what cannot be mapped: no regular file, an empty one, one that may not be read, a
  /// file system without it. Who then reads the file finds the reason.
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
