// SPDX-License-Identifier: MIT
#include "support/run_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

namespace lbw {

namespace {

void check(int error, const char* what) {
  if (error) throw std::system_error(error, std::generic_category(), what);
}

/// The setup of the child process. Streams are files, because pipes can fill up.
class FileActions {
 public:
  FileActions() {
    check(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int descriptor, const std::filesystem::path& path, int flags) {
    check(posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0600),
          "posix_spawn_file_actions_addopen");
  }
  void enter(const std::filesystem::path& folder) {
    check(posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()),
          "posix_spawn_file_actions_addchdir_np");
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

RunningProgram::RunningProgram(const ProgramCall& call) {
  FileActions actions;
  actions.open(STDIN_FILENO, streams_.file("in", call.input), O_RDONLY);
  const auto stream = [this](const std::filesystem::path& given, const char* own) {
    return given.empty() ? streams_ / own : given;
  };
  actions.open(STDOUT_FILENO, stream(call.out_path, "out"), O_WRONLY | O_CREAT);
  actions.open(STDERR_FILENO, stream(call.err_path, "err"), O_WRONLY | O_CREAT | O_NOCTTY);
  actions.enter(call.folder);
  std::vector<std::string> words = call.arguments;
  words.insert(words.begin(), call.program.string());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  check(posix_spawn(&process_, call.program.c_str(), actions.get(), nullptr, pointers.data(),
                    environ),
        "posix_spawn");
}

RunningProgram::~RunningProgram() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void RunningProgram::send(int signal) const { ::kill(process_, signal); }

ProgramResult RunningProgram::wait() {
  int status = 0;
  struct rusage usage {};
  if (::wait4(process_, &status, 0, &usage) < 0) throw std::runtime_error("wait4 failed");
  process_ = -1;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, bytes_of(streams_ / "out"), bytes_of(streams_ / "err"), usage.ru_maxrss};
}

ProgramResult run_program(const ProgramCall& call) { return RunningProgram(call).wait(); }

}  // namespace lbw
