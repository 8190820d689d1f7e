// SPDX-License-Identifier: MIT
// Linux and macOS.
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>

#include "cli/system.hpp"

namespace lbw::cli::system {

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

std::size_t terminal_columns(std::FILE* stream) {
  winsize size = {};
  return ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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

void report_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace lbw::cli::system
