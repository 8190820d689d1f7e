// SPDX-License-Identifier: MIT
// Eigen's decompositions of dense matrices. They take many seconds to compile, so only
// decompositions.cpp sees them.
#pragma once

#include <lbw/matrix.hpp>
#include <memory>

namespace lbw {

/// S = vectors diag(values) vectors^T of symmetric matrices. The second matrix of the same
/// dimension allocates nothing.
class SymmetricSolver {
 public:
  SymmetricSolver();
  explicit SymmetricSolver(const Matrix& matrix);
  SymmetricSolver(SymmetricSolver&&) noexcept;
  SymmetricSolver& operator=(SymmetricSolver&&) noexcept;
  ~SymmetricSolver();

  /// Reads the lower triangle. Returns false if the iteration does not converge.
  bool compute(const Matrix& matrix);

  [[nodiscard]] const Vector& values() const { return values_; }  ///< ascending
  [[nodiscard]] const Matrix& vectors() const { return vectors_; }

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
  Vector values_;
  Matrix vectors_;
};

/// The eigenvalues of a symmetric matrix in ascending order, of its lower triangle.
[[nodiscard]] Vector ascending_eigenvalues(const Matrix& matrix);

/// A = Q R.
struct Qr {
  Matrix q;               ///< square and orthogonal
  Vector diagonal;        ///< of R
  bool reflects = false;  ///< det Q = -1
};
[[nodiscard]] Qr householder_qr(const Matrix& matrix);

/// A = Q R with the columns of R permuted such that large ones come first.
struct PivotedQr {
  Matrix q;               ///< square and orthogonal
  Matrix r;               ///< upper triangular
  Eigen::VectorXi order;  ///< column i of R belongs to column order[i] of A
};
[[nodiscard]] PivotedQr pivoted_qr(const Matrix& matrix);

}  // namespace lbw
