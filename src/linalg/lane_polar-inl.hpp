// SPDX-License-Identifier: MIT
// The polar decomposition of many matrices, one per vector lane. Highway compiles the files that
// include this once per instruction set, so the include guard is toggled for each of them.
#if defined(LBW_LINALG_LANE_POLAR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_LINALG_LANE_POLAR_INL_HPP
#undef LBW_LINALG_LANE_POLAR_INL_HPP
#else
#define LBW_LINALG_LANE_POLAR_INL_HPP
#endif

#include "linalg/lane_algebra-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// A step X <- X (stay I + turn (I + curve X^T X)^-1), which moves singular values towards 1.
struct HalleyStep {
  double curve;
  double stay;
  double turn;
};

/// The dynamically weighted Halley iteration (Nakatsukasa, Bai and Gygi 2010) for singular values
/// from 1/64 to 1: with the lower bound l of each step,
///   h = cbrt(4 (1 - l^2) / l^4),  a = sqrt(1 + h) + sqrt(8 - 4 h + 8 (2 - l^2) / (l^2 sqrt(1 +
///   h))) / 2, b = (a - 1)^2 / 4,  c = a + b - 1,
/// curve = c, stay = b / c, turn = a - b / c, and l <- l (a + b l^2) / (1 + c l^2). After three
/// steps, l is 1 - 3e-10. All lanes take the same steps, so that none depends on its neighbours.
constexpr HalleyStep halley_steps[] = {
    {426.77524801484685, 0.9077606850668261, 39.45769582225807},
    {5.341884464601029, 0.4315452335547443, 3.6050744521475737},
    {3.007987481545948, 0.3337765661227081, 2.6702151828927407},
};

/// The largest ratio of singular values, after the first step, for which these steps suffice.
constexpr double most_singular = 64.0;

/// sqrt(||A||_1 ||A||_inf), an upper bound of the largest singular value.
template <class D>
HWY_NOINLINE hn::Vec<D> singular_bound(const LaneAlgebra<D>& algebra, const double* matrix,
                                       double* row_sums) {
  const D d;
  auto largest_column = hn::Zero(d);
  for (Index row = 0; row < algebra.rows(); ++row) algebra.store(hn::Zero(d), row_sums, row, 0);
  for (Index column = 0; column < algebra.rows(); ++column) {
    auto sum = hn::Zero(d);
    for (Index row = 0; row < algebra.rows(); ++row) {
      const auto entry = hn::Abs(algebra.load(matrix, row, column));
      sum = hn::Add(sum, entry);
      algebra.store(hn::Add(algebra.load(row_sums, row, 0), entry), row_sums, row, 0);
    }
    largest_column = hn::Max(largest_column, sum);
  }
  auto largest_row = hn::Zero(d);
  for (Index row = 0; row < algebra.rows(); ++row) {
    largest_row = hn::Max(largest_row, algebra.load(row_sums, row, 0));
  }
  return hn::Sqrt(hn::Mul(largest_column, largest_row));
}

/// Bounds of the singular values, and whether they are close enough.
template <class D>
struct LaneBounds {
  hn::Vec<D> largest;           ///< at least the largest
  hn::Vec<D> inverse_smallest;  ///< at least 1 over the smallest
  hn::Mask<D> suffices;
};

/// The orthogonal factor Q of M = Q P, P symmetric and positive definite, of matrices whose inverse
/// is known. A scaled step of Newton's iteration reduces the condition number to about half its
/// root without loss of digits. The Halley iteration, whose steps need only Cholesky factors of
/// well-conditioned matrices, and one step of Newton and Schulz do the rest.
template <class D>
class LanePolar {
 public:
  LanePolar(const LaneAlgebra<D>& algebra, double* workspace)
      : algebra_(algebra),
        gram_(workspace),
        other_(workspace + algebra.size()),
        roots_(workspace + 2 * algebra.size()) {}

  /// Numbers of the workspace.
  [[nodiscard]] static Index workspace_size(const LaneAlgebra<D>& algebra) {
    return 2 * algebra.size() + algebra.rows() * algebra.step();
  }

  /// Replaces `inverse`, which is M^-T, by Q.
  LaneBounds<D> compute(const double* matrix, double* inverse) {
    const D d;
    const auto largest = singular_bound(algebra_, matrix, roots_);
    const auto inverse_smallest = singular_bound(algebra_, inverse, roots_);
    // singular values s become (m s + 1 / (m s)) / 2, which are at least 1
    const auto scale = hn::Sqrt(hn::Div(inverse_smallest, largest));
    const auto half = hn::Mul(hn::Set(d, 0.5 / most_singular), scale);
    const auto inverse_half = hn::Div(hn::Set(d, 0.5 / most_singular), scale);
    for (Index i = 0; i < algebra_.size(); i += algebra_.step()) {
      const auto entry = hn::Mul(inverse_half, hn::Load(d, inverse + i));
      hn::Store(hn::MulAdd(half, hn::Load(d, matrix + i), entry), d, inverse + i);
    }
    const auto condition = hn::Mul(largest, inverse_smallest);
    // (sqrt(condition) + 1 / sqrt(condition)) / 2 <= most_singular
    constexpr double most_root = 2.0 * most_singular - 1.0;
    double* from = inverse;
    double* to = other_;
    for (const HalleyStep& step : halley_steps) {
      take(step, from, to);
      std::swap(from, to);
    }
    finish(from, to);
    return {largest, inverse_smallest, hn::Le(condition, hn::Set(d, most_root * most_root))};
  }

 private:
  HWY_NOINLINE void take(const HalleyStep& step, const double* from, double* to) {
    const LaneAlgebra<D>& a = algebra_;
    a.multiply({.left = a.by_columns(from),
                .right = a.by_columns(from),
                .result = gram_,
                .scale = step.curve,
                .diagonal = 1.0,
                .is_symmetric = true});
    (void)a.factor(gram_, roots_, 0.0);
    a.invert(gram_, roots_, to);
    a.multiply({.left = a.by_columns(to),
                .right = a.by_columns(to),
                .result = gram_,
                .terms = {.from_row = true, .from_column = true},
                .scale = step.turn,
                .diagonal = step.stay,
                .is_symmetric = true});
    a.multiply({.left = a.by_rows(from), .right = a.by_columns(gram_), .result = to});
  }

  /// X <- X (3 I - X^T X) / 2
  void finish(const double* from, double* to) {
    const LaneAlgebra<D>& a = algebra_;
    a.multiply({.left = a.by_columns(from),
                .right = a.by_columns(from),
                .result = gram_,
                .scale = -0.5,
                .diagonal = 1.5,
                .is_symmetric = true});
    a.multiply({.left = a.by_rows(from), .right = a.by_columns(gram_), .result = to});
  }

  const LaneAlgebra<D>& algebra_;
  double* gram_;
  double* other_;
  double* roots_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
