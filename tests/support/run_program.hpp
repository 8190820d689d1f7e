// SPDX-License-Identifier: MIT
// Runs a program as a person would and hands back what it said.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/temporary_folder.hpp"

namespace lbw {

struct ProgramCall {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;         ///< where it runs
  std::string input = {};               ///< its standard input
  std::filesystem::path out_path = {};  ///< a device for standard output instead of a file
  std::filesystem::path err_path = {};  ///< the same for standard error
};

struct ProgramResult {
  int exit_code = 0;  ///< 128 + the signal for a program that was killed, as shells say
  std::string out;    ///< empty when out_path was given
  std::string err;
  /// Most memory it held at once, in KiB where ru_maxrss is (Linux). What the test itself held when
  /// it started the program counts too.
  long peak_memory = 0;
};

/// A program that runs beside the test.
class RunningProgram {
 public:
  explicit RunningProgram(const ProgramCall& call);
  /// Kills it unless it was waited for.
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send(int signal) const;
  [[nodiscard]] ProgramResult wait();

 private:
  TemporaryFolder streams_;
  pid_t process_ = -1;
};

[[nodiscard]] ProgramResult run_program(const ProgramCall& call);

}  // namespace lbw
