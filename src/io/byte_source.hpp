// SPDX-License-Identifier: MIT
// Bytes of files and streams, read one part after another and decompressed on the way.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lbw {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Writes the next bytes to the beginning of `bytes` and returns their number, which is smaller
  /// than the size of `bytes` only at the end.
  /// @throws IoError  naming the file and the reason
  virtual std::size_t read(std::span<char> bytes) = 0;
};

/// A file, a pipe or a device.
[[nodiscard]] std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path);
/// A stream, which must outlive the result; `name` is used in messages.
[[nodiscard]] std::unique_ptr<ByteSource> open_stream(std::istream& input, std::string name);

/// The decompressed bytes if `source` begins like gzip or zstd, otherwise its bytes. Several
/// compressed parts in a row are read as one.
/// @throws IoError  while reading, if the compressed bytes are truncated or damaged
[[nodiscard]] std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                                       const std::string& name);

inline constexpr std::string_view gzip_magic = "\x1f\x8b";
inline constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

}  // namespace lbw
