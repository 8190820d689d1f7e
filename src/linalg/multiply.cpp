// SPDX-License-Identifier: MIT
#include "linalg/multiply.hpp"

namespace lbw {

// These call Eigen's operator, which the operators of multiply.hpp hide.
Matrix product(const Matrix& a, const Matrix& b) { return a.MatrixBase::operator*(b); }
Vector product(const Matrix& a, const Vector& x) { return a.MatrixBase::operator*(x); }
Matrix transposed_product(const Matrix& a, const Matrix& b) {
  return a.transpose().MatrixBase::operator*(b);
}
Vector transposed_product(const Matrix& a, const Vector& x) {
  return a.transpose().MatrixBase::operator*(x);
}
Vector transposed_product(const RowMatrix& a, const Vector& x) {
  return a.transpose().MatrixBase::operator*(x);
}
Matrix product_transposed(const Matrix& a, const Matrix& b) {
  return a.MatrixBase::operator*(b.transpose());
}

}  // namespace lbw
