// SPDX-License-Identifier: MIT
// Runs a program and returns its output.
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
  std::filesystem::path folder;         ///< working directory
  std::string input = {};               ///< standard input
  std::filesystem::path out_path = {};  ///< a device for standard output instead of a file
  std::filesystem::path err_path = {};  ///< the same for standard error
};

struct ProgramResult {
  int exit_code = 0;  ///< 128 + the signal if the program was killed, as in shells
  std::string out;    ///< empty if out_path was given
  std::string err;
  /// Peak memory, in the unit of ru_maxrss (KiB on Linux). It includes the memory of the test at
  /// the start of the program.
  long peak_memory = 0;
};

/// A program that runs in parallel with the test.
class RunningProgram {
 public:
  explicit RunningProgram(const ProgramCall& call);
  /// Kills the program if it is still running.
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
