// SPDX-License-Identifier: MIT
// Products of dense matrices, compiled once. In files that include this header, `*` between plain
// or transposed matrices calls these functions; otherwise Eigen compiles its kernels in every file.
#pragma once

#include <concepts>
#include <lbw/matrix.hpp>

namespace lbw {

[[nodiscard]] Matrix product(const Matrix& a, const Matrix& b);
[[nodiscard]] Vector product(const Matrix& a, const Vector& x);
/// A^T B and A^T x
[[nodiscard]] Matrix transposed_product(const Matrix& a, const Matrix& b);
[[nodiscard]] Vector transposed_product(const Matrix& a, const Vector& x);
[[nodiscard]] Vector transposed_product(const RowMatrix& a, const Vector& x);
/// A B^T
[[nodiscard]] Matrix product_transposed(const Matrix& a, const Matrix& b);

// The operators are templates so that they apply to exactly these types and never convert.
template <typename A, typename B>
concept HasProduct = std::same_as<A, Matrix> &&(std::same_as<B, Matrix> || std::same_as<B, Vector>);
template <typename A, typename B>
concept HasTransposedProduct = HasProduct<A, B> ||
    (std::same_as<A, RowMatrix>&& std::same_as<B, Vector>);

template <typename A, typename B>
requires HasProduct<A, B>
[[nodiscard]] B operator*(const A& a, const B& b) { return product(a, b); }

template <typename A, typename B>
requires HasTransposedProduct<std::remove_const_t<A>, B>
[[nodiscard]] B operator*(const Eigen::Transpose<A>& a, const B& b) {
  return transposed_product(a.nestedExpression(), b);
}

template <typename A, typename B>
requires HasProduct<A, std::remove_const_t<B>> && std::same_as<A, std::remove_const_t<B>>
[[nodiscard]] Matrix operator*(const A& a, const Eigen::Transpose<B>& b) {
  return product_transposed(a, b.nestedExpression());
}

}  // namespace lbw
