// SPDX-License-Identifier: MIT
// Covariances of many equal problems, one per vector lane. Highway compiles the files that include
// this once per instruction set, so the include guard is toggled for each of them.
#if defined(LBW_LINALG_LANE_COVARIANCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_LINALG_LANE_COVARIANCE_INL_HPP
#undef LBW_LINALG_LANE_COVARIANCE_INL_HPP
#else
#define LBW_LINALG_LANE_COVARIANCE_INL_HPP
#endif

#include "linalg/lane_polar-inl.hpp"
#include "linalg/regular_map.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Copies a matrix to a lane.
template <class D>
HWY_INLINE void load_lane(const LaneAlgebra<D>& algebra, const double* matrix, Index lane,
                          double* matrices) {
  const Index size = algebra.rows() * algebra.rows();
  for (Index i = 0; i < size; ++i) matrices[i * algebra.step() + lane] = matrix[i];
}

/// Copies a lane to a matrix.
template <class D>
HWY_INLINE void copy_lane(const LaneAlgebra<D>& algebra, const double* matrices, Index lane,
                          double* matrix) {
  const Index size = algebra.rows() * algebra.rows();
  for (Index i = 0; i < size; ++i) matrix[i] = matrices[i * algebra.step() + lane];
}

/// True in lanes whose matrix is finite, symmetric and of ordinary size if it is positive definite:
/// its entries are then at most the largest variance. Replaces the lower triangle by that of the
/// symmetric part.
template <class D>
HWY_NOINLINE hn::Mask<D> symmetrize(const LaneAlgebra<D>& algebra, double* matrix) {
  const D d;
  const auto most = hn::Set(d, RegularMap::most_variance);
  auto least = most;
  auto largest = hn::Zero(d);
  auto sound = hn::Eq(largest, largest);
  for (Index i = 0; i < algebra.rows(); ++i) {
    const auto variance = algebra.load(matrix, i, i);
    sound = hn::And(sound, hn::Le(variance, most));  // false for NaN
    least = hn::Min(least, variance);
    largest = hn::Max(largest, variance);
  }
  sound = hn::And(sound, hn::Ge(least, hn::Set(d, RegularMap::least_variance)));
  const auto allowed = hn::Mul(hn::Set(d, 1e-8), largest);
  const auto half = hn::Set(d, 0.5);
  for (Index column = 0; column < algebra.rows(); ++column) {
    for (Index row = column + 1; row < algebra.rows(); ++row) {
      const auto below = algebra.load(matrix, row, column);
      const auto above = algebra.load(matrix, column, row);
      sound = hn::And(sound, hn::Le(hn::Abs(hn::Sub(below, above)), allowed));
      sound = hn::And(sound, hn::Le(hn::Abs(below), most));
      const auto average = hn::Add(hn::Mul(half, below), hn::Mul(half, above));
      algebra.store(average, matrix, row, column);
    }
  }
  return sound;
}

/// The vectors of a covariance S = A A^T that the functions below need.
struct LaneCovariance {
  double* lower;      ///< S, and then A
  double* inverse;    ///< A^-1
  double* variances;  ///< the diagonal of S: n vectors
};

/// Replaces S by its factors. True in lanes whose matrix is sound as above and far enough from
/// singular.
/// @param roots  n vectors of memory
template <class D>
HWY_NOINLINE hn::Mask<D> factor_covariance(const LaneAlgebra<D>& algebra,
                                           const LaneCovariance& covariance, double* roots) {
  const auto sound = symmetrize(algebra, covariance.lower);
  for (Index i = 0; i < algebra.rows(); ++i) {
    algebra.store(algebra.load(covariance.lower, i, i), covariance.variances, i, 0);
  }
  constexpr double least_pivot = 1.0 / RegularMap::most_amplification;
  const auto regular = algebra.factor(covariance.lower, roots, least_pivot);
  algebra.invert(covariance.lower, roots, covariance.inverse);
  return hn::And(sound, regular);
}

/// The polar decomposition B^T A = Q P of the factors of two covariances A A^T and B B^T.
/// @param product   receives B^T A
/// @param rotation  receives Q
template <class D>
HWY_NOINLINE LaneBounds<D> rotate_factors(const LaneAlgebra<D>& a, const LaneCovariance& source,
                                          const LaneCovariance& target, double* product,
                                          double* rotation, double* polar_memory) {
  a.multiply({.left = a.by_columns(target.lower),
              .right = a.by_columns(source.lower),
              .result = product,
              .terms = {.from_row = true, .from_column = true}});
  a.multiply({.left = a.by_rows(target.inverse),
              .right = a.by_rows(source.inverse),
              .result = rotation,
              .terms = {.to_row = true, .to_column = true}});
  return LanePolar<D>(a, polar_memory).compute(product, rotation);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
