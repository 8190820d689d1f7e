// SPDX-License-Identifier: MIT
#include "linalg/rotation.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace lbw {

// Q of the QR decomposition of a normal matrix, with signs that make R's diagonal positive, is
// uniform among orthogonal matrices (Mezzadri 2007). Flipping one axis if needed gives a rotation.
Matrix haar_rotation(Index dimension, Random& random) {
  Matrix normals(dimension, dimension);
  for (double& entry : normals.reshaped()) entry = random.normal();
  const Eigen::HouseholderQR<Matrix> decomposition(normals);
  Matrix rotation = decomposition.householderQ();
  for (Index i = 0; i < dimension; ++i) {
    if (decomposition.matrixQR()(i, i) < 0.0) rotation.col(i) = -rotation.col(i);
  }
  if (rotation.determinant() < 0.0) rotation.col(0) = -rotation.col(0);
  return rotation;
}

double distance_from_orthogonal(const Matrix& matrix) {
  const Matrix identity = Matrix::Identity(matrix.rows(), matrix.rows());
  return (matrix * matrix.transpose() - identity).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace lbw
