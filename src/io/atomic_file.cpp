// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // the limit of Linux
// Most systems limit file names to 255 bytes; the temporary name adds at most 40.
constexpr std::size_t longest_name_part = 200;

std::string error_text(int error_number) { return std::generic_category().message(error_number); }

IoError cannot(const char* verb, const fs::path& path, const std::string& reason) {
  return IoError(message("cannot ", verb, " '", path.string(), "': ", reason));
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Links in these directories refer to open files. Replacing their targets would disconnect the
// other end.
bool is_open_file_link(const fs::path& path) {
  return path.native().starts_with("/proc/") || path.native().starts_with("/dev/fd/");
}

// Not fs::canonical, because the last link may point to a file that does not exist yet.
fs::path behind_links(const fs::path& path) {
  fs::path target = path;
  std::error_code ignored;
  for (int i = 0; !is_open_file_link(target) && fs::is_symlink(target, ignored); ++i) {
    if (i == most_links) throw cannot("write", path, error_text(ELOOP));
    const fs::path next = fs::read_symlink(target, ignored);
    target = next.is_absolute() ? next : folder_of(target) / next;
  }
  return target;
}

fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter = 0;
  const std::string name = target.filename().string().substr(0, longest_name_part);
  return folder_of(target) / message(".", name, ".", ::getpid(), "-", counter++, ".tmp");
}

// Makes the rename durable. Failures are ignored if the directory cannot be opened or the file
// system does not support the call, because the file is complete in any case.
int flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int error_number = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error_number == EINVAL || error_number == ENOTSUP ? 0 : error_number;
}

}  // namespace

FileWriter::FileWriter(fs::path path) : path_(std::move(path)), target_(behind_links(path_)) {
  if (path_.empty()) throw cannot("write", path_, "the file name is empty");
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(status.st_mode)) throw cannot("write", path_, "it is a directory");
  if (exists && (!S_ISREG(status.st_mode) || is_open_file_link(target_))) {
    open_directly();
  } else {
    open_aside();
  }
}

FileWriter::~FileWriter() { discard(); }

void FileWriter::open_directly() {
  // append, because a redirected output would otherwise be overwritten from its beginning
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

void FileWriter::open_aside() {
  const fs::path folder = folder_of(target_);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw cannot("write", path_, message("there is no directory '", folder.string(), "'"));
  }
  struct stat status {};
  if (::stat(target_.c_str(), &status) != 0) return open_temporary(0666);
  // a rename would replace even a file without write permission
  if (::access(target_.c_str(), W_OK) != 0) fail(errno);
  open_temporary(0600);
  if (::fchmod(descriptor_, status.st_mode & 07777U) != 0) fail(errno);
}

void FileWriter::open_temporary(unsigned mode) {
  do {  // a killed process with the same number may have left its file
    temporary_ = temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ >= 0) return;
  const int error_number = errno;
  temporary_.clear();  // it belongs to another process
  fail(error_number);
}

void FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(to_size(written));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void FileWriter::commit() {
  if (temporary_.empty()) return close_checked();
  if (::fsync(descriptor_) != 0) fail(errno);
  close_checked();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  if (const int error_number = flush_folder(folder_of(target_))) fail(error_number);
}

void FileWriter::close_checked() {
  // the descriptor is closed even after EINTR
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) fail(errno);
}

void FileWriter::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void FileWriter::fail(int error_number) {
  discard();  // the destructor does not run if a constructor throws
  throw cannot("write", path_, error_text(error_number));
}

void write_file(const fs::path& path, std::string_view bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

}  // namespace lbw
