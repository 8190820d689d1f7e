// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <span>
#include <utility>
#include <vector>

namespace lbw {
namespace {

// A pointer and two numbers. The programs of tests/package must agree on this layout.
static_assert(sizeof(Matrix) == 24 && sizeof(Labels) == 24 && alignof(RowMatrix) == 8);
static_assert(std::is_nothrow_move_constructible_v<RowMatrix>);
static_assert(!std::is_convertible_v<Index, Vector>);

template <typename Numbers>
bool is_aligned(const Numbers& numbers) {
  return reinterpret_cast<std::uintptr_t>(numbers.data()) % memory_alignment == 0;
}

TEST(Matrix, IsMadeFromRows) {
  const RowMatrix rows{{1, 2, 3}, {4, 5, 6}};
  const Matrix columns{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_EQ(rows.cols(), 3);
  EXPECT_EQ(std::vector<double>(rows.data(), rows.data() + 6),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(std::vector<double>(columns.data(), columns.data() + 6),
            (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(rows, columns);
  const Vector vector{{7, 8}};
  EXPECT_EQ(vector.rows(), 2);
  EXPECT_EQ(vector[1], 8.0);
}

TEST(Matrix, MemoryIsAlignedAtEverySize) {
  for (Index n = 1; n < 200; n += 7) {
    EXPECT_TRUE(is_aligned(Vector(n)));
    EXPECT_TRUE(is_aligned(RowMatrixF(n, 3)));
    Vector grown = Vector::LinSpaced(n, 1.0, static_cast<double>(n));
    grown.conservativeResize(1000 * n);
    EXPECT_TRUE(is_aligned(grown));
    EXPECT_EQ(grown[n - 1], static_cast<double>(n));
  }
}

TEST(Matrix, CopiesAndMovesItsNumbers) {
  RowMatrix first{{1, 2}, {3, 4}};
  const RowMatrix copy = first;
  const double* memory = first.data();
  RowMatrix moved = std::move(first);
  EXPECT_EQ(moved.data(), memory);
  EXPECT_EQ(moved, copy);
  moved = RowMatrix{{5, 6, 7}};
  EXPECT_EQ(moved, (RowMatrix{{5, 6, 7}}));
  first = copy;
  const RowMatrix& itself = first;
  first = itself;
  EXPECT_EQ(first, copy);
  swap(first, moved);
  EXPECT_EQ(moved, copy);
  const Vector nothing = Vector();
  EXPECT_EQ(Vector(nothing).size(), 0);
}

TEST(Matrix, ResizingKeepsWhatFits) {
  RowMatrix rows{{1, 2}, {3, 4}, {5, 6}};
  rows.conservativeResize(2, Eigen::NoChange);
  EXPECT_EQ(rows, (RowMatrix{{1, 2}, {3, 4}}));
  rows.conservativeResize(3, 1);
  EXPECT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows(1, 0), 3.0);
  Matrix columns{{1, 2}, {3, 4}};
  columns.conservativeResize(3, 3);
  EXPECT_EQ(columns.topLeftCorner(2, 2), (Matrix{{1, 2}, {3, 4}}));
  columns.conservativeResize(0, 3);
  EXPECT_EQ(columns.size(), 0);
  EXPECT_EQ(columns.cols(), 3);
}

TEST(Matrix, SizesBeyondMemoryAreRefused) {
  constexpr Index huge = Index{1} << 62;
  EXPECT_THROW(RowMatrix(huge, 4), std::bad_alloc);
  EXPECT_THROW(Vector(huge / 4), std::bad_alloc);
  Vector values{{1, 2}};
  EXPECT_THROW(values.conservativeResize(huge / 4), std::bad_alloc);
  EXPECT_EQ(values, (Vector{{1, 2}}));
}

TEST(Matrix, ExpressionsOfEigenGoInAndOut) {
  const Matrix a{{2, 1}, {1, 3}};
  Eigen::MatrixXd theirs = a;
  theirs = (a * theirs + theirs.transpose()).eval();
  EXPECT_EQ(theirs, (Matrix{{7, 6}, {6, 13}}));
  Matrix b = theirs;
  b = b * b;  // the product must not read values that it has already written
  EXPECT_EQ(b, Matrix(theirs * theirs));
  b.noalias() = a * a.transpose();
  EXPECT_EQ(b, (Matrix{{5, 5}, {5, 10}}));
  b += a;
  EXPECT_EQ(b, (Matrix{{7, 6}, {6, 13}}));
  const Vector diagonal = b.diagonal();
  EXPECT_EQ(Matrix(diagonal.asDiagonal()), (Matrix{{7, 0}, {0, 13}}));
  const Vector row = b.row(0);  // a row becomes a column
  EXPECT_EQ(row, (Vector{{7, 6}}));
  Matrix shape(5, 5);
  shape = b.leftCols(1);
  EXPECT_EQ(shape.rows(), 2);
  EXPECT_EQ(std::span<const double>(row).size(), 2U);
}

TEST(MatrixView, CopiesOnlyWhatIsNotRowMajor) {
  const RowMatrix rows{{1, 2, 3}, {4, 5, 6}};
  const MatrixView whole = rows;
  EXPECT_EQ(whole.data(), rows.data());
  const auto right = rows.rightCols(2);
  const MatrixView block = right;
  EXPECT_EQ(block.data(), rows.data() + 1);
  EXPECT_EQ(block.values(), (RowMatrix{{2, 3}, {5, 6}}));
  const MatrixView columns = Matrix(rows);
  EXPECT_EQ(columns.values(), rows);
  const MatrixView sum = rows + rows;
  EXPECT_EQ(sum.values(), RowMatrix(2 * rows));
}

TEST(MatrixSpan, WritesThrough) {
  RowMatrix rows = RowMatrix::Zero(2, 3);
  MatrixSpan(rows.rightCols(2)).values().setOnes();
  EXPECT_EQ(rows, (RowMatrix{{0, 1, 1}, {0, 1, 1}}));
  static_assert(!std::is_constructible_v<MatrixSpan, RowMatrix>);  // the result would be lost
  static_assert(!std::is_constructible_v<MatrixSpan, const RowMatrix&>);
}

}  // namespace
}  // namespace lbw
