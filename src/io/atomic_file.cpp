// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "core/system.hpp"

namespace lbw {

namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // the limit of Linux

IoError cannot(const char* verb, const fs::path& path, const std::string& reason) {
  return IoError(message("cannot ", verb, " '", path.string(), "': ", reason));
}

// Not fs::canonical, because the last link may point to a file that does not exist yet.
fs::path behind_links(const fs::path& path) {
  fs::path target = path;
  std::error_code ignored;
  for (int i = 0; !system::is_open_file(target) && fs::is_symlink(target, ignored); ++i) {
    if (i == most_links) throw cannot("write", path, system::error_text(ELOOP));
    const fs::path next = fs::read_symlink(target, ignored);
    target = next.is_absolute() ? next : system::folder_of(target) / next;
  }
  return target;
}

}  // namespace

struct FileWriter::Parts {
  fs::path path;                    // as given, for messages
  fs::path target;                  // with links resolved
  system::File direct;              // not open if the file is replaced
  system::Replacement replacement;  // without commit(), nothing is changed

  void open_replacement() {
    const fs::path folder = system::folder_of(target);
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      throw cannot("write", path, message("there is no directory '", folder.string(), "'"));
    }
    check(replacement.open(target));
  }

  void check_open() const {
    if (!direct.is_open() && !replacement.is_open()) throw cannot("write", path, "it is closed");
  }

  void check(system::Error error) {
    if (error == 0) return;
    replacement.discard();
    throw cannot("write", path, system::error_text(error));
  }
};

FileWriter::FileWriter(const fs::path& path) : parts_(std::make_unique<Parts>()) {
  using system::FileKind;
  if (path.empty()) throw cannot("write", path, "the file name is empty");
  parts_->path = path;
  parts_->target = behind_links(path);
  const system::FileStatus status = system::status_of(parts_->target);
  parts_->check(status.error);
  if (status.kind == FileKind::directory) throw cannot("write", path, "it is a directory");
  const bool is_open = system::is_open_file(parts_->target);
  if (status.kind == FileKind::other || (status.kind == FileKind::regular && is_open)) {
    parts_->direct = system::File::to_append(parts_->target);
    parts_->check(parts_->direct.error());
  } else {
    parts_->open_replacement();
  }
}

FileWriter::~FileWriter() = default;

void FileWriter::write(std::string_view bytes) {
  parts_->check_open();
  parts_->check(parts_->direct.is_open() ? parts_->direct.write(bytes)
                                         : parts_->replacement.write(bytes));
}

void FileWriter::commit() {
  parts_->check_open();
  parts_->check(parts_->direct.is_open() ? parts_->direct.close() : parts_->replacement.commit());
}

void write_file(const fs::path& path, std::string_view bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

}  // namespace lbw
