// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <lbw/suggestion.hpp>
#include <system_error>
#include <vector>

#include "core/message.hpp"
#include "core/system.hpp"
#include "io/atomic_file.hpp"

namespace lbw {

namespace {

constexpr std::size_t smallest_buffer = 1U << 16U;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw IoError(message("cannot read '", path.string(), "': ", reason));
}

/// "; did you mean 'a.csv'?" if a file of the same folder has a similar name.
std::string similar_name(const std::filesystem::path& path) {
  constexpr int most_files = 10'000;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code ignored;
  std::filesystem::directory_iterator file(folder, ignored);
  for (int i = 0; file != std::filesystem::directory_iterator() && i < most_files; ++i) {
    names.push_back(file->path().filename().string());
    file.increment(ignored);
  }
  std::ranges::sort(names);  // the order of a folder is arbitrary
  return suggestion(path.filename().string(), names);
}

// Devices such as /dev/zero have no end.
void refuse_device(const std::filesystem::path& path, const system::FileStatus& status) {
  std::error_code ignored;
  const bool is_device =
      status.kind == system::FileKind::other && std::filesystem::is_character_file(path, ignored);
  if (is_device) fail(path, "it is a device, expected a file or a pipe");
}

// Only an initial guess: a pipe has no size, and a file may be growing.
std::size_t first_guess(const system::FileStatus& status) {
  if (status.kind != system::FileKind::regular) return smallest_buffer;
  return std::max(smallest_buffer, static_cast<std::size_t>(status.size) + 1);
}

}  // namespace

void fail_to_open(const std::filesystem::path& path, int error_number) {
  const std::string reason = system::error_text(error_number);
  fail(path, error_number == ENOENT ? reason + similar_name(path) : reason);
}

void check_unchanged(const system::File& file, const system::FileStatus& before,
                     const std::string& name) {
  if (before.kind != system::FileKind::regular) return;
  const system::FileStatus now = file.status();
  if (now.error == 0 && now.size == before.size && now.modified == before.modified) return;
  std::string change = "it was modified";
  if (now.size != before.size) {
    change = message("it had ", counted(before.size, "byte"), ", now it has ", now.size);
  }
  if (now.error != 0) change = system::error_text(now.error);
  throw IoError(message("cannot read '", name, "': the file changed while it was used: ", change,
                        ". Repeat this when no other program writes to it"));
}

std::string read_file(const std::filesystem::path& path) {
  const system::File file = system::File::to_read(path);
  if (!file.is_open()) fail_to_open(path, file.error());
  const system::FileStatus status = file.status();
  if (status.error != 0) fail_to_open(path, status.error);
  if (status.kind == system::FileKind::directory) fail(path, "it is a directory");
  refuse_device(path, status);
  std::string bytes(first_guess(status), '\0');
  std::size_t filled = 0;
  while (true) {
    std::size_t count = 0;
    const system::Error error = file.read(bytes.data() + filled, bytes.size() - filled, count);
    if (error != 0) fail_to_open(path, error);
    if (count == 0) break;
    filled += count;
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
  check_unchanged(file, status, path.string());
  bytes.resize(filled);
  return bytes;
}

}  // namespace lbw
