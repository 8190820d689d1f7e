// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <lbw/matrix.hpp>
#include <limits>
#include <new>

namespace lbw {
namespace {

constexpr std::size_t most_bytes =
    static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - memory_alignment;

// The data start at the first multiple of memory_alignment after the start of the block. malloc
// aligns at least to the size of a pointer, so there is room for an integer in front of the data.
// It stores the distance from the start of the block.
std::size_t first_offset(const void* start) {
  return memory_alignment - reinterpret_cast<std::uintptr_t>(start) % memory_alignment;
}

void* data_of(void* start) {
  const std::size_t offset = first_offset(start);
  char* data = static_cast<char*>(start) + offset;
  std::memcpy(data - sizeof offset, &offset, sizeof offset);
  return data;
}

std::size_t offset_of(const void* data) {
  std::size_t offset = 0;
  std::memcpy(&offset, static_cast<const char*>(data) - sizeof offset, sizeof offset);
  return offset;
}

}  // namespace

const char LBW_CONTAINERS = 0;

void* allocate_memory(std::size_t n_bytes) {
  void* start = n_bytes > most_bytes ? nullptr : std::malloc(n_bytes + memory_alignment);
  if (start == nullptr) throw std::bad_alloc();
  return data_of(start);
}

void* resize_memory(void* memory, std::size_t old_bytes, std::size_t n_bytes) {
  if (memory == nullptr) return allocate_memory(n_bytes);
  if (n_bytes > most_bytes) throw std::bad_alloc();
  const std::size_t old_offset = offset_of(memory);
  void* start = std::realloc(static_cast<char*>(memory) - old_offset, n_bytes + memory_alignment);
  if (start == nullptr) throw std::bad_alloc();
  // realloc moved the bytes with the block, and the offset may have changed
  const std::size_t offset = first_offset(start);
  if (offset != old_offset) {
    char* bytes = static_cast<char*>(start);
    std::memmove(bytes + offset, bytes + old_offset, std::min(old_bytes, n_bytes));
  }
  return data_of(start);
}

void free_memory(void* memory) noexcept {
  if (memory != nullptr) std::free(static_cast<char*>(memory) - offset_of(memory));
}

}  // namespace lbw
