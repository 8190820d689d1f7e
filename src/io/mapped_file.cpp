// SPDX-License-Identifier: MIT
#include "io/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>

#include "core/indexing.hpp"
#include "io/descriptor.hpp"

namespace lbw {

namespace {

// Systems load pages around the accessed one (Linux 64 KiB), including earlier ones, so smaller
// windows would leave most of their pages in memory. A multiple of every page size.
constexpr std::size_t window = std::size_t{1} << 20U;

// Checked before opening, because opening and closing a pipe would disconnect its writer.
bool is_regular(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::unique_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  if (!is_regular(path)) return nullptr;
  const Descriptor file(path);
  struct stat status {};
  if (file.value() < 0 || ::fstat(file.value(), &status) != 0) return nullptr;
  const auto length = static_cast<std::uintmax_t>(status.st_size);
  if (length == 0 || length > std::numeric_limits<std::size_t>::max()) return nullptr;
  const auto size = static_cast<std::size_t>(length);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (data == MAP_FAILED) return nullptr;
  ::madvise(data, size, MADV_SEQUENTIAL);  // only a hint
  return std::unique_ptr<const MappedFile>(new MappedFile(static_cast<char*>(data), size));
}

MappedFile::~MappedFile() { ::munmap(data_, size_); }

// Releases whole windows, including those shared with neighbouring ranges. If they are still in
// use, the pages are loaded again.
void MappedFile::release(const void* first_byte, std::size_t n_bytes) const noexcept {
  const auto first = to_size(static_cast<const char*>(first_byte) - data_);
  const std::size_t begin = first / window * window;
  const std::size_t end = std::min(size_, (first + n_bytes + window - 1) / window * window);
  ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace lbw
