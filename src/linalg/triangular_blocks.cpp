// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/triangular_blocks.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "linalg/triangular_blocks.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;

/// Vectors of rows of a tile: with AVX-512 and NEON, 24 sums of 32 registers.
constexpr int row_vectors = (HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON) ? 3 : 1;
constexpr int n_columns = static_cast<int>(block_columns);

/// tile(r, j) = sum of columns(r, i) * factors[i * factors_apart + j] over i < depth.
/// @param columns  column-major, `stride` apart
struct Products {
  const double* columns;
  Index stride;
  const double* factors;
  Index factors_apart;
  Index depth;

  /// For Vectors vectors of rows.
  template <int Vectors>
  HWY_INLINE void vectors(Index row, double* tile, Index tile_stride) const {
    const Tag d;
    const auto step = static_cast<Index>(hn::Lanes(d));
    Vec sums[Vectors][n_columns];
    HWY_UNROLL(3)
    for (int v = 0; v < Vectors; ++v) {
      HWY_UNROLL(8)
      for (int j = 0; j < n_columns; ++j) sums[v][j] = hn::Zero(d);
    }
    const double* column = columns + row;
    const double* factor = factors;
    for (Index i = 0; i < depth; ++i) {
      Vec values[Vectors];
      HWY_UNROLL(3)
      for (int v = 0; v < Vectors; ++v) values[v] = hn::LoadU(d, column + v * step);
      HWY_UNROLL(8)
      for (int j = 0; j < n_columns; ++j) {
        const Vec entry = hn::Set(d, factor[j]);
        HWY_UNROLL(3)
        for (int v = 0; v < Vectors; ++v) sums[v][j] = hn::MulAdd(entry, values[v], sums[v][j]);
      }
      column += stride;
      factor += factors_apart;
    }
    HWY_UNROLL(3)
    for (int v = 0; v < Vectors; ++v) {
      HWY_UNROLL(8)
      for (int j = 0; j < n_columns; ++j) {
        hn::StoreU(sums[v][j], d, tile + j * tile_stride + v * step);
      }
    }
  }

  HWY_INLINE void row(Index at, double* tile, Index tile_stride) const {
    for (Index j = 0; j < n_columns; ++j) {
      double sum = 0.0;
      for (Index i = 0; i < depth; ++i)
        sum += columns[i * stride + at] * factors[i * factors_apart + j];
      tile[j * tile_stride] = sum;
    }
  }

  /// For n_rows rows: as many vectors as fit, then single rows.
  HWY_INLINE void rows(Index first, Index n_rows, double* tile, Index tile_stride) const {
    const auto step = static_cast<Index>(hn::Lanes(Tag()));
    Index r = 0;
    for (; r + row_vectors * step <= n_rows; r += row_vectors * step) {
      vectors<row_vectors>(first + r, tile + r, tile_stride);
    }
    for (; r + step <= n_rows; r += step) vectors<1>(first + r, tile + r, tile_stride);
    for (; r < n_rows; ++r) row(first + r, tile + r, tile_stride);
  }
};

/// The entries matrix(first ..., i) that all rows are multiplied with. Those beyond the last row of
/// the matrix are 0.
std::vector<double> packed_rows(const Matrix& matrix, Index first, Index n_block) {
  std::vector<double> packed(static_cast<std::size_t>(first * block_columns), 0.0);
  for (Index i = 0; i < first; ++i) {
    for (Index j = 0; j < n_block; ++j) {
      packed[static_cast<std::size_t>(i * block_columns + j)] = matrix(first + j, i);
    }
  }
  return packed;
}

void subtract_products(Matrix& matrix, Index first) {
  const Index n_rows = matrix.rows() - first;
  const Index n_block = std::min(block_columns, n_rows);
  const std::vector<double> factors = packed_rows(matrix, first, n_block);
  std::vector<double> tile(static_cast<std::size_t>(n_rows * block_columns));
  const Products products{matrix.data(), matrix.rows(), factors.data(), block_columns, first};
  products.rows(first, n_rows, tile.data(), n_rows);
  for (Index j = 0; j < n_block; ++j) {
    double* const column = matrix.data() + (first + j) * matrix.rows() + first;
    const double* sums = tile.data() + j * n_rows;
    for (Index r = j; r < n_rows; ++r) column[r] -= sums[r];
  }
}

/// Solves for rows [begin, end) of block_columns right-hand sides, from which the products with all
/// rows before have been subtracted. solution[r * block_columns + j] belongs to row r.
HWY_INLINE void solve_rows(const double* lower, Index stride, Index begin, Index end,
                           double* solution) {
  for (Index r = begin; r < end; ++r) {
    double* const own = solution + r * block_columns;
    const double* entry = lower + begin * stride + r;
    for (Index i = begin; i < r; ++i, entry += stride) {
      const double* const before = solution + i * block_columns;
      for (Index j = 0; j < block_columns; ++j) own[j] -= *entry * before[j];
    }
    for (Index j = 0; j < block_columns; ++j) own[j] /= *entry;
  }
}

void invert_columns(const Matrix& lower, Index first, Matrix& inverse) {
  const Index d = lower.rows();
  const Index n_rows = d - first;
  const Index n_block = std::min(block_columns, n_rows);
  const Index tile_rows = std::max<Index>(row_vectors * static_cast<Index>(hn::Lanes(Tag())), 8);
  std::vector<double> solution(static_cast<std::size_t>(n_rows * block_columns), 0.0);
  std::vector<double> tile(static_cast<std::size_t>(tile_rows * block_columns));
  for (Index j = 0; j < n_block; ++j) {
    solution[static_cast<std::size_t>(j * block_columns + j)] = 1.0;
  }
  // rows and columns before `first` do not matter
  const double* const corner = lower.data() + first * d + first;
  for (Index begin = 0; begin < n_rows; begin += tile_rows) {
    const Index end = std::min(begin + tile_rows, n_rows);
    const Products products{corner, d, solution.data(), block_columns, begin};
    products.rows(begin, end - begin, tile.data(), tile_rows);
    for (Index r = begin; r < end; ++r) {
      for (Index j = 0; j < block_columns; ++j) {
        solution[static_cast<std::size_t>(r * block_columns + j)] -=
            tile[static_cast<std::size_t>(j * tile_rows + r - begin)];
      }
    }
    solve_rows(corner, d, begin, end, solution.data());
  }
  for (Index j = 0; j < n_block; ++j) {
    for (Index r = j; r < n_rows; ++r) {
      inverse(first + r, first + j) = solution[static_cast<std::size_t>(r * block_columns + j)];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(subtract_products);
HWY_EXPORT(invert_columns);

void subtract_products(Matrix& matrix, Index first) {
  HWY_DYNAMIC_DISPATCH(subtract_products)(matrix, first);
}

void invert_columns(const Matrix& lower, Index first, Matrix& inverse) {
  HWY_DYNAMIC_DISPATCH(invert_columns)(lower, first, inverse);
}

}  // namespace lbw
#endif  // HWY_ONCE
