// SPDX-License-Identifier: MIT
// Linux and macOS.
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "cli/system.hpp"

namespace lbw::cli::system {

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

std::size_t terminal_columns(std::FILE* stream) {
  winsize size = {};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::optional<FileState> standard_input_state() noexcept {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
#ifdef __APPLE__
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return FileState{static_cast<std::uintmax_t>(status.st_size),
                   nanoseconds * time.tv_sec + time.tv_nsec};
}

void on_interrupt(void (*handler)(int signal)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  // SA_RESETHAND restores the default effect after the first signal
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void end_at_once(std::string_view text, int exit_code) noexcept {
  // the program ends even if nobody reads the message
  [[maybe_unused]] const ::ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(exit_code);
}

void report_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace lbw::cli::system
