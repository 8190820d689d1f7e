// SPDX-License-Identifier: MIT
// Everything that the program asks of the operating system. Only cli/system_*.cpp include its
// headers. The library has src/core/system.hpp for files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace lbw::cli::system {

[[nodiscard]] bool is_terminal(std::FILE* stream);

/// The width of a terminal in columns; 0 if the stream is not one.
[[nodiscard]] std::size_t terminal_columns(std::FILE* stream);

/// What changes when another program writes to a file.
struct FileState {
  std::uintmax_t size = 0;
  std::int64_t modified = 0;  ///< in nanoseconds
  bool operator==(const FileState&) const = default;
};

/// The state of standard input if it is a file; nothing if it is a pipe or a terminal.
[[nodiscard]] std::optional<FileState> standard_input_state() noexcept;

/// Calls a handler on the first Ctrl-C (SIGINT) or SIGTERM. The second one has its default effect,
/// in case the work never reaches a step.
void on_interrupt(void (*handler)(int signal));

/// Prints a text to standard error and ends the program, without destructors; for handlers.
[[noreturn]] void end_at_once(std::string_view text, int exit_code) noexcept;

/// Turns a write to a closed pipe into an error with a message, instead of ending the program
/// silently.
void report_closed_pipes();

}  // namespace lbw::cli::system
