// SPDX-License-Identifier: MIT
#include "core/system.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

#include <cerrno>

#include "io/temporary_folder.hpp"

namespace lbw::system {
namespace {

namespace fs = std::filesystem;

TEST(SystemStatus, TellsKindsOfFilesApart) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "12345");
  EXPECT_EQ(status_of(path).kind, FileKind::regular);
  EXPECT_EQ(status_of(path).size, 5U);
  EXPECT_EQ(status_of(folder.path()).kind, FileKind::directory);
  EXPECT_EQ(status_of("/dev/null").kind, FileKind::other);
  EXPECT_EQ(status_of(folder / "none").kind, FileKind::missing);
  EXPECT_EQ(status_of(folder / "none").error, 0);
  EXPECT_EQ(status_of(path / "below").error, ENOTDIR);
}

#ifdef __linux__
TEST(SystemProcessor, IsLeftWithoutAChangeOfTheAllowedOnes) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "there is one processor";
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0) GTEST_SKIP() << "system calls are filtered";
  int n_left = 0;
  for (int i = 0; i < 20; ++i) {  // the system may move the thread at any time
    const int before = current_processor();
    ASSERT_GE(before, 0);
    leave_processor(before);
    n_left += current_processor() != before ? 1 : 0;
  }
  EXPECT_GT(n_left, 0);
  cpu_set_t allowed_now;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed_now), &allowed_now), 0);
  EXPECT_TRUE(CPU_EQUAL(&allowed, &allowed_now));
}
#endif

TEST(SystemForks, CallAFunctionInForkedProcessesOnly) {
  static bool is_called = false;
  EXPECT_TRUE(call_in_forked_processes([] { is_called = true; }));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(is_called ? 5 : 6);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_FALSE(is_called);
}

TEST(SystemFile, ReadsAndAppends) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "abc");
  File appended = File::to_append(path);
  ASSERT_TRUE(appended.is_open());
  EXPECT_EQ(appended.write("def"), 0);
  EXPECT_EQ(appended.close(), 0);
  const File file = File::to_read(path);
  char buffer[16] = {};
  std::size_t count = 0;
  EXPECT_EQ(file.read(buffer, sizeof buffer, count), 0);
  EXPECT_EQ(std::string(buffer, count), "abcdef");
  EXPECT_EQ(file.read(buffer, sizeof buffer, count), 0);
  EXPECT_EQ(count, 0U);
}

TEST(SystemFile, SaysWhyItIsNotOpen) {
  const TemporaryFolder folder;
  const File none = File::to_read(folder / "none");
  EXPECT_FALSE(none.is_open());
  EXPECT_EQ(none.error(), ENOENT);
  EXPECT_EQ(error_text(none.error()), "No such file or directory");
  EXPECT_EQ(File::to_append(folder / "none").error(), ENOENT);
}

TEST(SystemFile, MovesItsDescriptor) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "abc");
  File first = File::to_read(path);
  const File second = std::move(first);
  EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(second.status().size, 3U);
}

TEST(SystemReplacement, ChangesNothingBeforeItsCommit) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "old");
  {
    Replacement abandoned;
    EXPECT_EQ(abandoned.open(path), 0);
    EXPECT_EQ(abandoned.write("half"), 0);
    EXPECT_EQ(bytes_of(path), "old");
  }
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
  Replacement complete;
  EXPECT_EQ(complete.open(path), 0);
  EXPECT_EQ(complete.write("new"), 0);
  EXPECT_EQ(complete.commit(), 0);
  EXPECT_FALSE(complete.is_open());
  EXPECT_EQ(bytes_of(path), "new");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(SystemReplacement, KeepsThePermissionsOfItsTarget) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("file", "old");
  fs::permissions(path, fs::perms{0640});
  Replacement replacement;
  EXPECT_EQ(replacement.open(path), 0);
  EXPECT_EQ(replacement.commit(), 0);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms{0640});
}

TEST(SystemReplacement, ReportsAMissingDirectory) {
  const TemporaryFolder folder;
  Replacement replacement;
  EXPECT_EQ(replacement.open(folder / "none" / "file"), ENOENT);
  EXPECT_FALSE(replacement.is_open());
}

TEST(SystemMap, ShowsTheBytesAgainAfterForget) {
  const TemporaryFolder folder;
  const std::string text(100'000, 'x');
  const fs::path path = folder.file("file", text + "end");
  const std::size_t size = text.size() + 3;
  char* const data = map(File::to_read(path), size);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(std::string_view(data, size), text + "end");
  forget(data, size);
  EXPECT_EQ(std::string_view(data, size), text + "end");
  unmap(data, size);
  EXPECT_EQ(map(File(), 1), nullptr);
}

TEST(SystemOpenFiles, AreKnownByTheirPaths) {
  EXPECT_TRUE(is_open_file("/dev/fd/1"));
  EXPECT_FALSE(is_open_file("/dev/null"));
  EXPECT_FALSE(is_open_file("fd/1"));
  EXPECT_EQ(folder_of("name"), ".");
  EXPECT_EQ(folder_of("a/name"), "a");
}

}  // namespace
}  // namespace lbw::system
