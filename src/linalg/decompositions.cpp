// SPDX-License-Identifier: MIT
#include "linalg/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace lbw {

struct SymmetricSolver::Solver {
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
};

SymmetricSolver::SymmetricSolver() : solver_(std::make_unique<Solver>()) {}
SymmetricSolver::SymmetricSolver(const Matrix& matrix) : SymmetricSolver() { compute(matrix); }
SymmetricSolver::SymmetricSolver(SymmetricSolver&&) noexcept = default;
SymmetricSolver& SymmetricSolver::operator=(SymmetricSolver&&) noexcept = default;
SymmetricSolver::~SymmetricSolver() = default;

bool SymmetricSolver::compute(const Matrix& matrix) {
  solver_->eigen.compute(matrix);
  values_ = solver_->eigen.eigenvalues();
  vectors_ = solver_->eigen.eigenvectors();
  return solver_->eigen.info() == Eigen::Success;
}

Vector ascending_eigenvalues(const Matrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Qr householder_qr(const Matrix& matrix) {
  const Eigen::HouseholderQR<Matrix> qr(matrix);
  Qr result{qr.householderQ(), qr.matrixQR().diagonal(), false};
  for (const double coefficient : qr.hCoeffs()) {  // each is a reflection, or nothing if 0
    if (coefficient != 0.0) result.reflects = !result.reflects;
  }
  return result;
}

PivotedQr pivoted_qr(const Matrix& matrix) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(matrix);
  return {qr.householderQ(), qr.matrixR().triangularView<Eigen::Upper>(),
          qr.colsPermutation().indices()};
}

}  // namespace lbw
