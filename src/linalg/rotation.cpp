// SPDX-License-Identifier: MIT
#include "linalg/rotation.hpp"

#include "linalg/decompositions.hpp"
#include "linalg/multiply.hpp"

namespace lbw {

// Q of the QR decomposition of a normal matrix, with signs that make R's diagonal positive, is
// uniform among orthogonal matrices (Mezzadri 2007). Flipping one axis if needed gives a rotation.
Matrix haar_rotation(Index dimension, Random& random) {
  Matrix normals(dimension, dimension);
  for (double& entry : normals.reshaped()) entry = random.normal();
  Qr qr = householder_qr(normals);
  for (Index i = 0; i < dimension; ++i) {
    if (qr.diagonal[i] >= 0.0) continue;
    qr.q.col(i) = -qr.q.col(i);
    qr.reflects = !qr.reflects;
  }
  if (qr.reflects) qr.q.col(0) = -qr.q.col(0);
  return qr.q;
}

double distance_from_orthogonal(const Matrix& matrix) {
  const Matrix identity = Matrix::Identity(matrix.rows(), matrix.rows());
  return (matrix * matrix.transpose() - identity).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace lbw
