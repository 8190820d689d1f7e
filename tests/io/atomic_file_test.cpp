// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "io/temporary_folder.hpp"
#include "support/expect_error.hpp"
#include "support/limited_memory.hpp"

namespace lbw {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  ::stat(path.c_str(), &status);
  return status.st_mode & 07777U;
}

/// The exception of a call in a child process that is not root, because root may access all files.
template <typename Call>
std::string error_without_privileges(const Call& call) {
  return text_of_child([&]() -> std::string {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) return "";
    try {
      call();
    } catch (const IoError& error) {
      return error.what();
    }
    return "nothing was thrown";
  });
}

TEST(WriteFile, RoundTripsBytesOfAnyLength) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0U, 1U, 65'535U, 65'536U, 1'000'001U}) {
    std::string bytes(size, 'x');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7);
    write_file(folder / "data", bytes);
    EXPECT_EQ(bytes_of(folder / "data"), bytes);
    EXPECT_EQ(read_file(folder / "data"), bytes);
  }
  EXPECT_EQ(folder.count(), 1U);  // no temporary file remains
}

TEST(WriteFile, KeepsTheOldFileUntilCommit) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("data", "old");
  {
    FileWriter writer(path);
    writer.write("new");
    EXPECT_EQ(bytes_of(path), "old");
  }  // never committed
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(WriteFile, FollowsTheUmaskForANewFileAndKeepsTheModeOfAnOldOne) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_file(folder / "new", "x");
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "new"), 0640U);
  const fs::path old = folder.file("old", "x");
  ::chmod(old.c_str(), 0604);
  write_file(old, "y");
  EXPECT_EQ(mode_of(old), 0604U);
}

TEST(WriteFile, LeavesALinkALink) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/target", folder / "inner");
  fs::create_symlink("inner", folder / "outer");
  for (const char* text : {"first, into a link that dangles", "second, over a file"}) {
    write_file(folder / "outer", text);
    EXPECT_TRUE(fs::is_symlink(folder / "outer"));
    EXPECT_TRUE(fs::is_symlink(folder / "inner"));
    EXPECT_EQ(bytes_of(folder / "deep" / "target"), text);
  }
}

TEST(WriteFile, RefusesLinksThatRunInACircle) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  const std::string path = (folder / "a").string();
  expect_error<IoError>([&] { write_file(path, "x"); },
                        "cannot write '" + path + "': Too many levels of symbolic links");
}

TEST(WriteFile, TakesTheLongestNameThatTheSystemTakes) {
  const TemporaryFolder folder;
  write_file(folder / std::string(255, 'n'), "x");
  EXPECT_EQ(bytes_of(folder / std::string(255, 'n')), "x");
}

TEST(WriteFile, NamesPathAndReasonWhenItCannot) {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  expect_error<IoError>([&] { write_file(path, "x"); },
                        "cannot write '" + path + "': it is a directory");
  const std::string orphan = path + "/missing/out.csv";
  expect_error<IoError>(
      [&] { write_file(orphan, "x"); },
      "cannot write '" + orphan + "': there is no directory '" + path + "/missing'");
  const std::string below_file = folder.file("file", "").string() + "/out.csv";
  expect_error<IoError>([&] { write_file(below_file, "x"); },
                        "cannot write '" + below_file + "': Not a directory");
  expect_error<IoError>([&] { write_file("", "x"); }, "cannot write '': the file name is empty");
}

TEST(WriteFile, RefusesAFileThatMayNotBeWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("data", "old").string();
  ::chmod(folder.path().c_str(), 0777);
  ::chmod(path.c_str(), 0444);
  EXPECT_EQ(error_without_privileges([&] { write_file(path, "x"); }),
            "cannot write '" + path + "': Permission denied");
  EXPECT_EQ(bytes_of(path), "old");
}

TEST(WriteFile, RefusesAFolderThatMayNotBeWritten) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("data", "old");
  ::chmod(path.c_str(), 0666);
  ::chmod(folder.path().c_str(), 0555);
  // a file that may be written is not replaced in place, because it could be left incomplete
  for (const std::string& name : {path.string(), (folder / "new").string()}) {
    EXPECT_EQ(error_without_privileges([&] { write_file(name, "x"); }),
              "cannot write '" + name + "': Permission denied");
  }
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(WriteFile, ReportsAFullDevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  expect_error<IoError>([] { write_file("/dev/full", "x"); },
                        "cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));  // not replaced by a file
}

// A limit on the size of files simulates a full disk: the write fails halfway.
TEST(WriteFile, RemovesTheHalfWrittenFileAndKeepsTheOldOne) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("data", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file(path, std::string(5000, 'x'));
    } catch (const IoError& error) {
      const std::string expected = "cannot write '" + path.string() + "': File too large";
      ::_exit(error.what() == expected ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(folder.count(), 1U);
}

TEST(WriteFile, WritesIntoAPipe) {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(pipe); });
  const std::string sent(200'000, 'p');  // more than a pipe holds
  write_file(pipe, sent);
  reader.join();
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

// `lbw ... --output /dev/stdout >> log` must neither replace the log nor start at its beginning.
TEST(WriteFile, AppendsToARedirectedOutput) {
  const TemporaryFolder folder;
  const fs::path log = folder.file("log", "before\n");
  const int descriptor = ::open(log.c_str(), O_WRONLY);
  ASSERT_GE(descriptor, 0);
  const fs::path open_file = fs::path("/proc/self/fd") / std::to_string(descriptor);
  if (!fs::exists(open_file)) GTEST_SKIP() << "this system has no /proc";
  fs::create_symlink(open_file, folder / "stdout");
  write_file(folder / "stdout", "after\n");
  ::close(descriptor);
  EXPECT_EQ(bytes_of(log), "before\nafter\n");
}

TEST(ReadFile, NamesPathAndReasonWhenItCannot) {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  expect_error<IoError>([&] { (void)read_file(missing); },
                        "cannot read '" + missing + "': No such file or directory");
  const std::string path = folder.path().string();
  expect_error<IoError>([&] { (void)read_file(path); },
                        "cannot read '" + path + "': it is a directory");
  expect_error<IoError>([&] { (void)read_file("/dev/zero"); },  // without end
                        "cannot read '/dev/zero': it is a device, expected a file or a pipe");
}

TEST(ReadFile, RefusesAFileThatMayNotBeRead) {
  const TemporaryFolder folder;
  const std::string path = folder.file("data", "x").string();
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(path.c_str(), 0);
  EXPECT_EQ(error_without_privileges([&] { (void)read_file(path); }),
            "cannot read '" + path + "': Permission denied");
}

}  // namespace
}  // namespace lbw
