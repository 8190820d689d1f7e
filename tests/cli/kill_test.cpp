// SPDX-License-Identifier: MIT
// Kills the program at random moments. What it leaves is checked at every call of the system by
// tests/core/replacement_test.cpp.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <lbw/types.hpp>
#include <thread>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

constexpr int kills_a_command = 250;
constexpr const char* old_bytes = "as it was";

class KilledCommand {
 public:
  KilledCommand(const Workbench& bench, std::vector<std::string> arguments,
                const std::string& output)
      : bench_(bench), arguments_(std::move(arguments)), output_(output) {
    arguments_.insert(arguments_.end(), {"-o", output, "--threads", "1"});
    const auto begin = std::chrono::steady_clock::now();
    run_to_the_end();
    duration_ = std::chrono::steady_clock::now() - begin;
    complete_ = bench_.bytes(output_);
    names_ = bench_.names();
  }

  void run_to_the_end() const {
    const ProgramResult result = bench_.lbw(arguments_);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  /// Runs the program and kills it at a moment that is uniform over the duration of a run.
  void kill_at(double moment, bool has_old_file) {
    std::filesystem::remove(bench_ / output_);
    if (has_old_file) bench_.write(output_, old_bytes);
    const std::set<std::string> before = bench_.names();
    RunningProgram program(bench_.call(arguments_));
    std::this_thread::sleep_for(duration_ * moment);
    program.send(SIGKILL);
    n_killed_ += program.wait().exit_code == 128 + SIGKILL ? 1 : 0;
    expect_old_or_complete(before, has_old_file);
  }

  void expect_old_or_complete(const std::set<std::string>& before, bool has_old_file) const {
    std::set<std::string> names = bench_.names();
    if (names.erase(output_) > 0) {
      const std::string bytes = bench_.bytes(output_);
      EXPECT_TRUE((has_old_file && bytes == old_bytes) || bytes == complete_);
    } else {
      EXPECT_FALSE(has_old_file);
    }
    for (const std::string& name : before) names.erase(name);
    // Only replacing a file takes a temporary name, for the moment between two calls of the system.
    // The next writer removes it, unless it is killed earlier.
    if (!has_old_file) {
      EXPECT_EQ(names, std::set<std::string>());
    }
    for (const std::string& name : names) EXPECT_EQ(bench_.bytes(name), complete_) << name;
  }

  void expect_leaves_nothing() const {
    EXPECT_GT(n_killed_, 0);
    run_to_the_end();
    EXPECT_EQ(bench_.names(), names_);
    EXPECT_EQ(bench_.bytes(output_), complete_);
  }

 private:
  const Workbench& bench_;
  std::vector<std::string> arguments_;
  std::string output_;
  std::chrono::duration<double> duration_{};
  std::string complete_;
  std::set<std::string> names_;
  int n_killed_ = 0;
};

void expect_survives_kills(const Workbench& bench, const std::vector<std::string>& arguments,
                           const std::string& output) {
  KilledCommand command(bench, arguments, output);
  Random random(7);
  for (int i = 0; i < kills_a_command && !::testing::Test::HasFailure(); ++i) {
    command.kill_at(random.uniform(), i % 2 == 1);
  }
  command.expect_leaves_nothing();
}

TEST(CliKill, OfFitLeavesTheOldOutputOrTheNewOneAndNothingElse) {
  const Workbench bench;
  expect_survives_kills(bench, {"fit", "A.csv", "B.csv", "-k", "3"}, "out.safetensors");
}

TEST(CliKill, OfTransportLeavesTheOldOutputOrTheNewOneAndNothingElse) {
  const Workbench bench;
  bench.fit_model();
  expect_survives_kills(
      bench, {"transport", "model.safetensors", "A.csv", "--from", "A", "--to", "B"}, "out.csv");
}

TEST(CliKill, OfBarycenterLeavesTheOldOutputOrTheNewOneAndNothingElse) {
  const Workbench bench;
  bench.fit_model();
  expect_survives_kills(bench, {"barycenter", "model.safetensors"}, "out.csv");
}

TEST(CliKill, OfMorphLeavesTheOldOutputOrTheNewOneAndNothingElse) {
  const Workbench bench;
  bench.draw_shapes();
  expect_survives_kills(bench, {"morph", "disc.png", "ring.png", "-k", "2"}, "out.png");
}

}  // namespace
}  // namespace lbw
