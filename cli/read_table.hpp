// SPDX-License-Identifier: MIT
// CSV tables from files, pipes and standard input.
#pragma once

#include <lbw/io.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lbw::cli {

/// The path in messages: `-` is standard input.
[[nodiscard]] std::string spoken_path(const std::string& path);

/// Whether a path can be read twice: it is neither standard input nor a pipe such as those of
/// `mkfifo` and `<(command)`.
[[nodiscard]] bool is_repeatable(const std::string& path);

/// @throws UsageError  if a path that can be read only once is given twice
void check_read_once(const std::vector<std::string>& paths);

/// Reads CSV, which may be compressed; `-` is standard input. Errors name options as they are
/// typed.
[[nodiscard]] Table read_table(const std::string& path, const CsvOptions& options);

/// A table that is read more than once. The bytes of pipes and of standard input, which can be read
/// only once, are kept in memory.
class RepeatedInput {
 public:
  explicit RepeatedInput(const std::string& path);
  [[nodiscard]] Table read(const CsvOptions& options) const;

 private:
  std::string path_;
  std::optional<std::string> bytes_;  // of a path that is not repeatable
};

}  // namespace lbw::cli
