// SPDX-License-Identifier: MIT
// Reading and writing whole files. Writes are atomic.
#pragma once

#include <filesystem>
#include <lbw/io.hpp>
#include <string>
#include <string_view>

#include "core/system.hpp"

namespace lbw {

/// Bytes that a writer of tables collects before it calls FileWriter::write().
inline constexpr std::size_t flush_at = 1U << 16U;

/// Throws IoError if a file has changed since it was opened. `before` is the status at that time.
void check_unchanged(const system::File& file, const system::FileStatus& before,
                     const std::string& name);

/// Writes a whole file with a FileWriter.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Throws IoError with the reason why a file cannot be opened, and the name of a similar file.
[[noreturn]] void fail_to_open(const std::filesystem::path& path, int error_number);

/// The bytes of a file or a pipe. @throws IoError naming path and reason
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace lbw
