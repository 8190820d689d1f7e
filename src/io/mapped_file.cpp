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

// Systems bring in pages around the one that is looked at (Linux the 64 KiB it lies in), those
// before it too: windows cut finer than that would leave most of a window behind. A multiple of
// every page size.
constexpr std::size_t window = std::size_t{1} << 20U;

// Looked at before opening: to open a pipe and go away would cut off the one who writes to it.
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
  ::madvise(data, size, MADV_SEQUENTIAL);  // advice: nothing depends on its being taken
  return std::unique_ptr<const MappedFile>(new MappedFile(static_cast<char*>(data), size));
}

MappedFile::~MappedFile() { ::munmap(data_, size_); }

// Whole windows, those that the range shares with its neighbours too: who still reads there has
// the page brought back.
void MappedFile::release(const void* first_byte, std::size_t n_bytes) const noexcept {
  const auto first = to_size(static_cast<const char*>(first_byte) - data_);
  const std::size_t begin = first / window * window;
  const std::size_t end = std::min(size_, (first + n_bytes + window - 1) / window * window);
  ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace lbw
