// SPDX-License-Identifier: MIT
// Memory of files that are truncated. What must end a process runs in a child process.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "core/system.hpp"
#include "io/temporary_folder.hpp"
#include "support/forked.hpp"

namespace lbw::system {
namespace {

constexpr std::size_t mapped_size = std::size_t{1} << 20U;

/// A mapped file of a MiB.
class TruncatedFile {
 public:
  TruncatedFile()
      : path_(folder_.file("file", std::string(mapped_size, 'x'))),
        data_(map(File::to_read(path_), mapped_size)) {}
  ~TruncatedFile() { unmap(data_, mapped_size); }
  TruncatedFile(const TruncatedFile&) = delete;
  TruncatedFile& operator=(const TruncatedFile&) = delete;

  void truncate(std::size_t size) const { std::filesystem::resize_file(path_, size); }
  [[nodiscard]] const char* data() const { return data_; }
  /// Reads the memory, although the compiler thinks that nothing changes it. The thread sanitizer
  /// must not watch: it takes the zeros of the handler for a write by one thread.
  [[nodiscard, gnu::no_sanitize_thread]] char read(std::size_t place) const {
    return static_cast<const volatile char*>(data_)[place];
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
  char* data_;
};

void (*current_handler())(int, siginfo_t*, void*) {
  struct sigaction action {};
  ::sigaction(SIGBUS, nullptr, &action);
  return action.sa_sigaction;
}

/// The exit code of a child process, or 128 + the signal that ended it.
int code_of_child(const std::function<int()>& function) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGBUS, SIG_DFL);  // sanitizers have handlers
    ::_exit(function());
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(MemoryGuard, PutsZerosInPlaceOfWhatTheFileHasLost) {
  const TruncatedFile file;
  const MemoryGuard guard(file.data(), mapped_size);
  EXPECT_EQ(file.read(mapped_size - 1), 'x');
  file.truncate(mapped_size / 2);
  EXPECT_FALSE(guard.has_lost_pages());  // not yet noticed
  EXPECT_EQ(file.read(mapped_size / 2 + 5), '\0');
  EXPECT_TRUE(guard.has_lost_pages());
  EXPECT_EQ(file.read(mapped_size - 1), '\0');
  EXPECT_EQ(file.read(0), 'x');
  EXPECT_EQ(file.read(mapped_size / 2 - 1), 'x');
}

TEST(MemoryGuard, DistinguishesFiles) {
  const TruncatedFile first;
  const TruncatedFile second;
  auto first_guard = std::make_unique<MemoryGuard>(first.data(), mapped_size);
  const MemoryGuard second_guard(second.data(), mapped_size);
  second.truncate(0);
  EXPECT_EQ(second.read(0), '\0');
  EXPECT_FALSE(first_guard->has_lost_pages());
  EXPECT_TRUE(second_guard.has_lost_pages());
  // a guard that takes the place of another one begins anew
  first_guard.reset();
  const TruncatedFile third;
  const MemoryGuard third_guard(third.data(), mapped_size);
  EXPECT_FALSE(third_guard.has_lost_pages());
  third.truncate(0);
  EXPECT_EQ(third.read(7), '\0');
  EXPECT_TRUE(third_guard.has_lost_pages());
}

TEST(MemoryGuard, TellsAllGuardsOfTheSameFile) {
  const TruncatedFile file;
  const MemoryGuard whole(file.data(), mapped_size);
  const MemoryGuard first(file.data(), 1000);
  const MemoryGuard last(file.data() + mapped_size - 1000, 1000);
  file.truncate(4096 * 16);
  EXPECT_EQ(file.read(mapped_size / 2), '\0');
  EXPECT_TRUE(whole.has_lost_pages());
  EXPECT_FALSE(first.has_lost_pages());
  EXPECT_TRUE(last.has_lost_pages());  // its memory is zeros by now
}

// The memory may be used by others, who must not read zeros.
TEST(MemoryGuard, LeavesNoZerosBehind) {
  const TruncatedFile file;
  EXPECT_EQ(code_of_child([&] {
              file.truncate(0);
              for (int i = 0; i < 2; ++i) {
                const MemoryGuard guard(file.data(), mapped_size);
                if (file.read(mapped_size - 1) != '\0' || !guard.has_lost_pages()) return 1;
              }
              return static_cast<int>(file.read(mapped_size - 1));
            }),
            128 + SIGBUS);
}

TEST(MemoryGuard, WorksWithSeveralThreads) {
  const TruncatedFile file;
  const MemoryGuard guard(file.data(), mapped_size);
  file.truncate(4096);
  std::atomic<int> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        for (std::size_t place = mapped_size - 1 - i; place > mapped_size / 2; place -= 1000) {
          sum += file.read(place);
        }
      });
    }
  }
  EXPECT_EQ(sum, 0);
  EXPECT_TRUE(guard.has_lost_pages());
}

TEST(MemoryGuard, HandlesTheSignalOnlyWhileItExists) {
  const TruncatedFile file;
  const auto before = current_handler();
  {
    const MemoryGuard guard(file.data(), mapped_size);
    EXPECT_NE(current_handler(), before);
    const MemoryGuard another(file.data(), mapped_size);
  }
  EXPECT_EQ(current_handler(), before);
}

TEST(MemoryGuard, LeavesOtherMemoryToTheSystem) {
  const TruncatedFile file;  // here, because the child does not remove its files when it is killed
  const TruncatedFile other;
  const auto read_other = [&] {
    const MemoryGuard guard(file.data(), mapped_size);
    other.truncate(0);
    return static_cast<int>(other.read(0));
  };
  EXPECT_EQ(code_of_child(read_other), 128 + SIGBUS);
  EXPECT_EQ(code_of_child([&] {
              ::signal(SIGBUS, SIG_IGN);
              return read_other();
            }),
            128 + SIGBUS);
}

TEST(MemoryGuard, LeavesSignalsOfProcessesToTheSystem) {
  const TruncatedFile file;
  EXPECT_EQ(code_of_child([&] {
              const MemoryGuard guard(file.data(), mapped_size);
              ::raise(SIGBUS);
              return 0;
            }),
            128 + SIGBUS);
  EXPECT_EQ(code_of_child([&] {
              ::signal(SIGBUS, SIG_IGN);
              const MemoryGuard guard(file.data(), mapped_size);
              ::raise(SIGBUS);
              return 3;
            }),
            3);
}

sigjmp_buf jump_target;

TEST(MemoryGuard, CallsTheHandlerThatWasThereBefore) {
  EXPECT_EQ(code_of_child([] {
              ::signal(SIGBUS, [](int) { ::siglongjmp(jump_target, 1); });
              const TruncatedFile file;
              const TruncatedFile other;
              const MemoryGuard guard(file.data(), mapped_size);
              other.truncate(0);
              if (::sigsetjmp(jump_target, 1) == 0) return static_cast<int>(other.read(0));
              file.truncate(0);  // and ours still works
              return file.read(0) == '\0' && guard.has_lost_pages() ? 5 : 6;
            }),
            5);
}

TEST(MemoryGuard, StaysBelowAHandlerThatWasInstalledLater) {
  static struct sigaction below {};
  EXPECT_EQ(code_of_child([] {
              const TruncatedFile file;
              {
                const MemoryGuard guard(file.data(), mapped_size);
                struct sigaction own {};
                own.sa_flags = SA_SIGINFO;
                own.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
                  below.sa_sigaction(signal, info, context);
                };
                ::sigaction(SIGBUS, &own, &below);
              }
              const MemoryGuard guard(file.data(), mapped_size);
              file.truncate(0);
              return file.read(0) == '\0' && guard.has_lost_pages() ? 5 : 6;
            }),
            5);
}

TEST(MemoryGuard, WorksInAProcessForkedWhileOtherThreadsUseIt) {
  if (!may_fork_beside_threads) GTEST_SKIP();
  const TruncatedFile file;
  EXPECT_TRUE(ends_in_children_of_busy_threads(
      300, [&] { const MemoryGuard guard(file.data(), mapped_size); }));
}

}  // namespace
}  // namespace lbw::system
