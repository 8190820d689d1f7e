// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cli/terminal.hpp"
#include "cli/workbench.hpp"

namespace lbw {
namespace {

constexpr const char* cleared_line = "\r\x1b[K";

ProgramCall endless_fit(const Workbench& bench, const Terminal& terminal) {
  ProgramCall call = bench.call({"fit", "A.csv", "B.csv", "-k", "3", "--tolerance", "0",
                                 "--max-iterations", "200000000", "-o", "m", "--color", "never"});
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

/// The longest line of the output; escape sequences take no column.
std::size_t widest(const std::string& shown) {
  std::size_t most = 0;
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == '\x1b') {
      i = shown.find_first_of("ABCDHJKm", i);
      if (i == std::string::npos) break;
    } else if (shown[i] == '\r' || shown[i] == '\n') {
      width = 0;
    } else {
      most = std::max(most, ++width);
    }
  }
  return most;
}

TEST(CliProgress, LinesFitTheTerminalAlsoAfterAResize) {
  const Workbench bench;
  Terminal terminal(40);
  RunningProgram program(endless_fit(bench, terminal));
  // the line is cut before the log-likelihood
  const std::string narrow = terminal.read_until("...", std::chrono::seconds(60));
  EXPECT_NE(narrow.find("': start 1, step "), std::string::npos) << narrow;
  EXPECT_LT(widest(narrow), 40U) << narrow;
  terminal.forget();
  terminal.resize(200);
  const std::string wide = terminal.read_until(", change ", std::chrono::seconds(60));
  EXPECT_NE(wide.find(", log-likelihood "), std::string::npos) << wide;
  EXPECT_LT(widest(wide), 200U);
  terminal.resize(30);
  (void)terminal.read_until("\x1b[J", std::chrono::seconds(60));  // rows of the line that wrapped
  terminal.forget();
  EXPECT_LT(widest(terminal.read_until("...", std::chrono::seconds(60))), 30U);
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 143);
}

/// What a refinement of so many steps shows up to `text`. It is interrupted then.
std::string progress_of_refinement(const std::string& n_steps, const std::string& text) {
  const Workbench bench;
  Terminal terminal(120);
  ProgramCall call =
      bench.call({"fit", "A.csv", "B.csv", "-k", "1", "--refine", n_steps, "-o", "m"});
  call.err_path = terminal.path();
  RunningProgram program(call);
  const std::string shown = terminal.read_until(text, std::chrono::seconds(60));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  return shown;
}

TEST(CliProgress, ShowsPercentageOfRefinement) {
  const std::string shown = progress_of_refinement("20000000", " of 20000000");
  EXPECT_NE(shown.find("0 %: refining: step "), std::string::npos) << shown;
  EXPECT_NE(shown.find(" of 20000000"), std::string::npos) << shown;
}

TEST(CliProgress, ShowsTimeLeft) {
  const std::string shown = progress_of_refinement("400000", " left: refining: step ");
  const std::size_t left = shown.find(" left: refining: step ");
  ASSERT_NE(left, std::string::npos) << shown;
  const std::string before = shown.substr(0, left);
  EXPECT_NE(before.find(" %, "), std::string::npos) << shown;
  EXPECT_TRUE(before.ends_with(" s") || before.ends_with(" min") || before.ends_with(" h"))
      << shown;
}

TEST(CliColor, IsUsedOnTerminalsOnlyAndCanBeDisabled) {
  const Workbench bench;
  const auto error_of = [&](const std::string& settings, const std::string& option) {
    Terminal terminal;
    ProgramCall call = bench.call(
        {"-c", settings + " \"$0\" fit A.csv -o m " + option, bench.call({}).program.string()});
    call.program = "/bin/sh";
    call.err_path = terminal.path();
    RunningProgram program(call);
    (void)program.wait();
    return terminal.read_until("--help'", std::chrono::seconds(10));
  };
  const std::string red = "\x1b[1;31mlbw fit:\x1b[0m only one file";
  EXPECT_EQ(error_of("TERM=xterm NO_COLOR=", "").find(red), 0U);
  EXPECT_EQ(error_of("TERM=xterm NO_COLOR=1", "").find("lbw fit: only one file"), 0U);
  EXPECT_EQ(error_of("TERM=dumb NO_COLOR=", "").find("lbw fit: only one file"), 0U);
  EXPECT_EQ(error_of("TERM=xterm NO_COLOR=", "--color never").find("lbw fit: only one file"), 0U);
  EXPECT_EQ(error_of("TERM=dumb NO_COLOR=1", "--color=always").find(red), 0U);
  EXPECT_EQ(bench.lbw({"fit", "A.csv", "-o", "m"}).err.find("lbw fit: only one file"), 0U);
  EXPECT_EQ(bench.lbw({"fit", "A.csv", "-o", "m", "--color", "alway"}).err,
            "lbw fit: --color is 'alway', expected auto, always or never; did you mean 'always'?\n"
            "Try 'lbw fit --help'.\n");
}

}  // namespace
}  // namespace lbw
