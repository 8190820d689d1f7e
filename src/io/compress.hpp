// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace lbw {

/// Compresses a text that comes in parts.
class Compressor {
 public:
  Compressor() = default;
  virtual ~Compressor() = default;
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// The next compressed bytes, which may be none.
  /// @param is_last  whether the text is complete
  [[nodiscard]] virtual std::string add(std::string_view text, bool is_last) = 0;
};

/// The compressor for a path that ends in .gz or .zst, in either case; null for other paths. Its
/// bytes depend only on the text.
[[nodiscard]] std::unique_ptr<Compressor> compressor_for(const std::filesystem::path& path);

}  // namespace lbw
