// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace lbw {

/// Alignment of the data of a matrix in bytes, enough for every instruction set.
inline constexpr std::size_t memory_alignment = 64;

/// Allocates the data of a matrix. Only functions compiled into the library allocate and free this
/// memory, so neither the compiler flags nor the allocator of a program matter.
/// @throws std::bad_alloc
[[nodiscard]] void* allocate_memory(std::size_t n_bytes);
/// Changes the size of a block and keeps its first bytes. old_bytes is the size it had.
/// @throws std::bad_alloc, leaving the block unchanged
[[nodiscard]] void* resize_memory(void* memory, std::size_t old_bytes, std::size_t n_bytes);
/// Frees a block. Null is allowed.
void free_memory(void* memory) noexcept;

}  // namespace lbw
