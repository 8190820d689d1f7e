// SPDX-License-Identifier: MIT
#include "io/byte_source.hpp"

#include <istream>
#include <lbw/types.hpp>
#include <utility>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/system.hpp"
#include "io/atomic_file.hpp"

namespace lbw {

namespace {

[[noreturn]] void fail_to_read(const std::string& name, const std::string& reason) {
  throw IoError(message("cannot read '", name, "': ", reason));
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path)
      : name_(path.string()), file_(system::File::to_read(path)) {
    if (!file_.is_open()) fail_to_open(path, file_.error());
    status_ = file_.status();
    if (status_.kind == system::FileKind::directory) fail_to_read(name_, "it is a directory");
  }

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      std::size_t count = 0;
      const system::Error error = file_.read(bytes.data() + filled, bytes.size() - filled, count);
      if (error != 0) fail_to_read(name_, system::error_text(error));
      if (count == 0) break;
      filled += count;
    }
    // Rows may be missing if another program truncated the file.
    if (filled < bytes.size()) check_unchanged(file_, status_, name_);
    return filled;
  }

 private:
  std::string name_;
  system::File file_;
  system::FileStatus status_;
};

class StreamSource final : public ByteSource {
 public:
  StreamSource(std::istream& input, std::string name) : input_(input), name_(std::move(name)) {}

  std::size_t read(std::span<char> bytes) override {
    input_.read(bytes.data(), std::ssize(bytes));
    if (input_.bad()) fail_to_read(name_, "the stream failed");
    return to_size(input_.gcount());
  }

 private:
  std::istream& input_;
  std::string name_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::filesystem::path& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> open_stream(std::istream& input, std::string name) {
  return std::make_unique<StreamSource>(input, std::move(name));
}

}  // namespace lbw
