// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

constexpr const char* cleared_line = "\r\x1b[K";

/// A pseudo-terminal for the test.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) || ::unlockpt(master_)) return;
    path_ = ::ptsname(master_);
    slave_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    ::close(slave_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// The output until `part` appears or the time limit is reached.
  std::string read_until(const std::string& part, std::chrono::seconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (seen_.find(part) == std::string::npos && std::chrono::steady_clock::now() < end) {
      pollfd ready = {master_, POLLIN, 0};
      if (::poll(&ready, 1, 50) <= 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(master_, buffer, sizeof(buffer));
      if (count > 0) seen_.append(buffer, static_cast<std::size_t>(count));
    }
    return seen_;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  std::string path_;
  std::string seen_;
};

ProgramCall endless_fit(const Workbench& bench, const Terminal& terminal) {
  ProgramCall call = bench.call({"fit", "A.csv", "B.csv", "-k", "3", "--tolerance", "0",
                                 "--max-iterations", "2000000000", "-o", "m"});
  call.err_path = terminal.path();
  return call;
}

TEST(CliProgress, ShowsALineOnATerminalAndClearsIt) {
  const Workbench bench;
  Terminal terminal;
  ASSERT_FALSE(terminal.path().empty());
  RunningProgram program(endless_fit(bench, terminal));
  const std::string shown =
      terminal.read_until("fitting 'A': start 1, step ", std::chrono::seconds(60));
  EXPECT_NE(shown.find(std::string(cleared_line) + "fitting 'A': start 1, step "),
            std::string::npos);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  const std::string last = "lbw fit: interrupted, nothing was written";
  EXPECT_NE(terminal.read_until(last, std::chrono::seconds(10)).find(cleared_line + last),
            std::string::npos);
}

TEST(CliProgress, QuietShowsNone) {
  const Workbench bench;
  Terminal terminal;
  ProgramCall call = endless_fit(bench, terminal);
  call.arguments.emplace_back("--quiet");
  bench.make_pipe("pipe");
  call.arguments[2] = "pipe";
  RunningProgram program(call);
  bench.feed("pipe", bench.bytes("B.csv"));
  // longer than half a second, after which a line would appear
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_EQ(terminal.read_until("\n", std::chrono::seconds(10)),
            "lbw fit: interrupted, nothing was written\r\n");
}

}  // namespace
}  // namespace lbw
