// SPDX-License-Identifier: MIT
// Replacement of files by processes that are killed, and on systems without unnamed files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <functional>
#include <set>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <cstddef>
#endif

#include "core/system.hpp"
#include "io/temporary_folder.hpp"

namespace lbw::system {
namespace {

namespace fs = std::filesystem;

Error replace_file(const fs::path& path, std::string_view bytes) {
  Replacement replacement;
  if (const Error error = replacement.open(path)) return error;
  if (const Error error = replacement.write(bytes)) return error;
  return replacement.commit();
}

/// The exit status of a child process that runs a function.
int status_of_child(const std::function<int()>& function) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(function());
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

/// The names of temporary files in a folder.
std::set<std::string> temporary_names(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".tmp")) names.insert(name);
  }
  return names;
}

/// A name that another process of this machine would use.
std::string name_of_another_process(const TemporaryFolder& folder) {
  const fs::path other = folder / "other";
  (void)folder.file("other", "");
  std::string name;
#ifdef __linux__
  // The name exists only between two calls of the system, so it is derived here.
  std::array<char, 256> host{};
  EXPECT_EQ(::gethostname(host.data(), host.size() - 1), 0);
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char* c = host.data(); *c != '\0'; ++c) {
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3ULL;
  }
  name = ".lbw-" + std::to_string(hash >> 32U) + "-999999999-0.tmp";
#else
  Replacement replacement;
  EXPECT_EQ(replacement.open(other), 0);
  name = *temporary_names(folder.path()).begin();
  name.insert(name.rfind('-'), "0");
#endif
  fs::remove(other);
  return name;
}

// A new file may have another owner, for whom a program must not run.
TEST(SystemReplacement, DropsTheBitsThatRunAProgramAsItsOwner) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "old");
  for (const unsigned special : {04000U, 02000U, 06000U}) {
    fs::permissions(path, fs::perms{special | 0755U});
    EXPECT_EQ(replace_file(path, "new"), 0);
    EXPECT_EQ(fs::status(path).permissions(), fs::perms{0755}) << special;
  }
}

TEST(SystemReplacement, RemovesTheFilesOfKilledProcesses) {
  const TemporaryFolder folder;
  const std::string name = name_of_another_process(folder);
  (void)folder.file(name, "left by a killed process");
  EXPECT_EQ(replace_file(folder / "file", "new"), 0);
  EXPECT_FALSE(fs::exists(folder / name));
  EXPECT_EQ(folder.count(), 1U);
}

TEST(SystemReplacement, KeepsTheFilesOfLivingProcesses) {
  const TemporaryFolder folder;
  const std::string name = name_of_another_process(folder);
  const int descriptor = ::open(folder.file(name, "in use").c_str(), O_RDWR);
  ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
  EXPECT_EQ(replace_file(folder / "file", "new"), 0);
  EXPECT_EQ(bytes_of(folder / name), "in use");
  ::close(descriptor);
  EXPECT_EQ(replace_file(folder / "file", "newer"), 0);
  EXPECT_FALSE(fs::exists(folder / name));
}

TEST(SystemReplacement, RemovesFilesOfOtherMachinesAfterADay) {
  const TemporaryFolder folder;
  const fs::path fresh = folder.file(".lbw-1-1-0.tmp", "in use on another machine");
  const fs::path old = folder.file(".lbw-1-2-0.tmp", "left on another machine");
  fs::last_write_time(old, fs::last_write_time(fresh) - std::chrono::hours(25));
  EXPECT_EQ(replace_file(folder / "file", "new"), 0);
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_FALSE(fs::exists(old));
}

TEST(SystemReplacement, KeepsFilesThatOnlyLookSimilar) {
  const TemporaryFolder folder;
  const std::string name = name_of_another_process(folder);
  (void)folder.file(name + ".csv", "");
  (void)folder.file("lbw" + name, "");
  fs::create_directory(folder / name);
  fs::create_symlink("lbw" + name, folder / (".lbw-link" + name));
  const std::size_t before = folder.count();
  EXPECT_EQ(replace_file(folder / "file", "new"), 0);
  EXPECT_EQ(folder.count(), before + 1);
}

#ifdef __linux__

/// Makes a call of the system fail in this process, and returns whether that is possible. With a
/// flag, only calls whose third argument has it.
bool forbid(unsigned call, unsigned error, unsigned flag = 0) {
  constexpr unsigned third_argument = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, third_argument),  // little endian: the low half is first
      flag == 0 ? sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0, 0, 1)
                : sock_filter BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flag, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{std::size(program), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

constexpr int cannot_forbid = 77;

/// Replaces an old file and writes a new one in a child process that has called `prepare`.
void expect_replaces_after(const std::function<bool()>& prepare) {
  const TemporaryFolder folder;
  const fs::path old = folder.file("old", "old");
  fs::permissions(old, fs::perms{0640});
  const mode_t mask = ::umask(027);
  const int status = status_of_child([&] {
    if (!prepare()) return cannot_forbid;
    if (replace_file(old, "replaced") != 0) return 1;
    if (replace_file(folder / "new", std::string(200'000, 'n')) != 0) return 2;
    return temporary_names(folder.path()).empty() ? 0 : 3;
  });
  ::umask(mask);
  if (WEXITSTATUS(status) == cannot_forbid) GTEST_SKIP() << "this system has no seccomp";
  ASSERT_EQ(status, 0);
  EXPECT_EQ(bytes_of(old), "replaced");
  EXPECT_EQ(bytes_of(folder / "new"), std::string(200'000, 'n'));
  EXPECT_EQ(fs::status(old).permissions(), fs::perms{0640});
  EXPECT_EQ(fs::status(folder / "new").permissions(), fs::perms{0640});
}

TEST(SystemReplacement, WorksWithoutUnnamedFiles) {
  expect_replaces_after([] { return forbid(SYS_openat, EOPNOTSUPP, O_TMPFILE & ~O_DIRECTORY); });
}

TEST(SystemReplacement, WorksWhereFilesCannotBeNamedLater) {
  expect_replaces_after([] { return forbid(SYS_linkat, EPERM); });
}

TEST(SystemReplacement, WorksWithoutProc) {
#ifdef SYS_readlink
  constexpr unsigned read_link = SYS_readlink;
#else
  constexpr unsigned read_link = SYS_readlinkat;
#endif
  expect_replaces_after([] { return forbid(read_link, ENOENT) && forbid(SYS_linkat, ENOENT); });
}

/// A child process that stops before its work, so that its calls of the system can be traced.
pid_t traced_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    work();
    ::_exit(0);
  }
  return child;
}

/// Kills a process when it has stopped `n_stops` times, at the beginning or the end of a call of
/// the system. Returns whether this was before its end.
bool kill_after(int n_stops, const std::function<void()>& work) {
  const pid_t child = traced_child(work);
  int status = 0;
  ::waitpid(child, &status, 0);
  for (int i = 0; i < n_stops && WIFSTOPPED(status); ++i) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
  }
  if (!WIFSTOPPED(status)) return false;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return true;
}

/// Kills a process at every call of the system while it writes "new" to a file. The file must be
/// as before or complete. Returns the number of moments at which another file was left.
int expect_survives_kills(bool exists, const std::function<void()>& prepare) {
  int n_left = 0;
  for (int n_stops = 0;; ++n_stops) {
    const TemporaryFolder folder;
    const fs::path path = folder / "file";
    if (exists) (void)folder.file("file", "old");
    const bool was_killed = kill_after(n_stops, [&] {
      prepare();
      (void)replace_file(path, "new");
    });
    if (!was_killed) {
      EXPECT_EQ(bytes_of(path), "new") << n_stops;
      EXPECT_GT(n_stops, 10);  // calls were seen
      return n_left;
    }
    EXPECT_TRUE(exists || !fs::exists(path) || bytes_of(path) == "new") << n_stops;
    EXPECT_TRUE(!exists || bytes_of(path) == "old" || bytes_of(path) == "new") << n_stops;
    n_left += temporary_names(folder.path()).empty() ? 0 : 1;
    EXPECT_EQ(replace_file(folder / "another", "x"), 0);  // the next writer removes it
    EXPECT_EQ(temporary_names(folder.path()), std::set<std::string>()) << n_stops;
  }
}

bool can_trace() {
  return status_of_child(
             [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1; }) == 0;
}

/// Whether work in a child process flushes a folder to the disk at a moment when `holds`.
bool flushes_folder(const fs::path& folder, const std::function<void()>& work,
                    const std::function<bool()>& holds) {
  const pid_t child = traced_child(work);
  bool found = false;
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD);  // tells calls from signals
  while (WIFSTOPPED(status)) {
    __ptrace_syscall_info call{};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof call, &call);
    if (call.op == PTRACE_SYSCALL_INFO_ENTRY && call.entry.nr == SYS_fsync) {
      const fs::path files = "/proc/" + std::to_string(child) + "/fd";
      std::error_code ignored;
      const fs::path flushed =
          fs::read_symlink(files / std::to_string(call.entry.args[0]), ignored);
      found = found || (flushed == folder && holds());
    }
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
  }
  return found;
}

// Without it, a file that was reported as written could be missing after a loss of power.
TEST(SystemReplacement, FlushesTheFolderWhenTheFileIsInPlace) {
  if (!can_trace()) GTEST_SKIP() << "processes cannot be traced here";
  const TemporaryFolder folder;
  const fs::path path = fs::canonical(folder.path()) / "file";
  for (const char* const bytes : {"new", "newer"}) {
    EXPECT_TRUE(flushes_folder(
        path.parent_path(), [&] { (void)replace_file(path, bytes); },
        [&] { return fs::exists(path) && bytes_of(path) == bytes; }));
  }
}

TEST(SystemReplacement, LeavesNothingWhenKilledAtAnyCallBeforeANewFileExists) {
  if (!can_trace()) GTEST_SKIP() << "processes cannot be traced here";
  EXPECT_EQ(expect_survives_kills(false, [] {}), 0);
}

TEST(SystemReplacement, LeavesACompleteFileOnlyBetweenTwoCallsWhenKilledWhileReplacing) {
  if (!can_trace()) GTEST_SKIP() << "processes cannot be traced here";
  // the return of linkat and the call of rename
  EXPECT_EQ(expect_survives_kills(true, [] {}), 2);
}

TEST(SystemReplacement, WithNamedFilesLeavesNothingForTheNextWriterWhenKilled) {
  if (!can_trace()) GTEST_SKIP() << "processes cannot be traced here";
  const auto forbid_unnamed = [] {
    (void)forbid(SYS_openat, EOPNOTSUPP, O_TMPFILE & ~O_DIRECTORY);
  };
  EXPECT_GT(expect_survives_kills(true, forbid_unnamed), 2);
}

#endif

}  // namespace
}  // namespace lbw::system
