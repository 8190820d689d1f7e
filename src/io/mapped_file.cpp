// SPDX-License-Identifier: MIT
#include "io/mapped_file.hpp"

#include <algorithm>
#include <lbw/io.hpp>
#include <limits>
#include <utility>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/system.hpp"
#include "io/atomic_file.hpp"

namespace lbw {

namespace {

// Systems load pages around the accessed one (Linux 64 KiB), including earlier ones, so smaller
// windows would leave most of their pages in memory. A multiple of every page size.
constexpr std::size_t window = std::size_t{1} << 20U;

void check_pages(const system::MemoryGuard& guard, const std::string& name) {
  if (!guard.has_lost_pages()) return;
  throw IoError(message("cannot read '", name,
                        "': a part of the file was lost while it was used, because another program "
                        "truncated it or the disk failed"));
}

class GuardedMemory final : public SampleStorage {
 public:
  GuardedMemory(const void* first_byte, std::size_t n_bytes, std::string name)
      : guard_(static_cast<const char*>(first_byte), n_bytes), name_(std::move(name)) {}

  void release(const void* /*first_byte*/, std::size_t /*n_bytes*/) const noexcept override {}
  void check() const override { check_pages(guard_, name_); }

 private:
  system::MemoryGuard guard_;
  std::string name_;
};

}  // namespace

std::unique_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  using system::FileKind;
  // checked before opening, because opening and closing a pipe would disconnect its writer
  if (system::status_of(path).kind != FileKind::regular) return nullptr;
  system::File file = system::File::to_read(path);
  const system::FileStatus status = file.is_open() ? file.status() : system::FileStatus();
  if (status.kind != FileKind::regular || status.size == 0) return nullptr;
  if (status.size > std::numeric_limits<std::size_t>::max()) return nullptr;
  char* const data = system::map(file, static_cast<std::size_t>(status.size));
  if (data == nullptr) return nullptr;
  return std::unique_ptr<const MappedFile>(
      new MappedFile(path.string(), std::move(file), status, data));
}

MappedFile::MappedFile(std::string name, system::File file, const system::FileStatus& status,
                       char* data)
    : name_(std::move(name)),
      file_(std::move(file)),
      status_(status),
      data_(data),
      size_(static_cast<std::size_t>(status.size)) {
  guard_.emplace(data_, size_);
}

MappedFile::~MappedFile() {
  guard_.reset();
  system::unmap(data_, size_);
}

void MappedFile::check() const {
  check_unchanged(file_, status_, name_);
  check_pages(*guard_, name_);  // the size may be as before again
}

std::unique_ptr<const SampleStorage> guarded_memory(const void* first_byte, std::size_t n_bytes,
                                                    const std::string& name) {
  return std::make_unique<GuardedMemory>(first_byte, n_bytes, name);
}

// Releases whole windows, including those shared with neighbouring ranges. If they are still in
// use, the pages are loaded again.
void MappedFile::release(const void* first_byte, std::size_t n_bytes) const noexcept {
  const auto first = to_size(static_cast<const char*>(first_byte) - data_);
  const std::size_t begin = first / window * window;
  const std::size_t end = std::min(size_, (first + n_bytes + window - 1) / window * window);
  system::forget(data_ + begin, end - begin);
}

}  // namespace lbw
