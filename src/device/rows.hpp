// SPDX-License-Identifier: MIT
// Memory of the vector kernels: a number of rows, each with one value per point of a block.
#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <lbw/matrix.hpp>
#include <memory>
#include <new>

namespace lbw {

/// Points per block: 2 KiB a row, so that a dozen rows fit the first-level cache.
template <typename T>
inline constexpr Index block_points = 2048 / static_cast<Index>(sizeof(T));

/// Distance between rows. The extra cache line prevents rows from sharing the same cache sets.
template <typename T>
inline constexpr Index row_stride = block_points<T> + 64 / static_cast<Index>(sizeof(T));

/// With fewer features, the padding of panels and tiles costs more than they save.
inline constexpr Index fewest_features_of_panels = 16;

/// n values, aligned for any vector unit.
template <typename T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(Index size)
      : size_(size), values_(hwy::AllocateAligned<T>(static_cast<std::size_t>(size))) {
    if (values_ == nullptr) throw std::bad_alloc();
    fill(T{0});
  }

  void fill(T value) { std::fill(data(), data() + size_, value); }
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] T* data() const { return values_.get(); }
  [[nodiscard]] T& operator[](Index i) const { return values_.get()[i]; }

 private:
  Index size_ = 0;
  hwy::AlignedFreeUniquePtr<T[]> values_;
};

/// n rows of a block.
template <typename T>
class Rows {
 public:
  Rows() = default;
  explicit Rows(Index n_rows) : values_(n_rows * row_stride<T>) {}

  [[nodiscard]] T* row(Index i) const { return values_.data() + i * row_stride<T>; }

 private:
  AlignedArray<T> values_;
};

}  // namespace lbw
