// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/lane_distances.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "core/indexing.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/lane_covariance-inl.hpp"
#include "linalg/lane_distances.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Factors S = A A^T of all covariances, as many per block as there are lanes.
template <class D>
class LaneFactors {
 public:
  LaneFactors(Index n_features, Index n_blocks)
      : algebra_(n_features),
        vectors_(n_features * algebra_.step()),
        block_(2 * algebra_.size() + 2 * vectors_),
        memory_(n_blocks * block_ + vectors_) {}

  [[nodiscard]] LaneCovariance covariance(Index block) {
    double* const at = memory_.data() + block * block_;
    return {at, at + algebra_.size(), at + 2 * algebra_.size()};
  }

  /// After the covariances of a block have been copied to its lanes.
  void factor(Index block) {
    const auto sound =
        factor_covariance(algebra_, covariance(block), covariance(0).lower + roots());
    hn::Store(hn::IfThenElseZero(sound, hn::Set(D(), 1.0)), D(), soundness(block));
  }

  [[nodiscard]] hn::Mask<D> is_sound(Index block) {
    return hn::Gt(hn::Load(D(), soundness(block)), hn::Zero(D()));
  }

 private:
  [[nodiscard]] Index roots() const { return memory_.size() - vectors_; }
  double* soundness(Index block) { return covariance(block).variances + vectors_; }

  LaneAlgebra<D> algebra_;
  Index vectors_;
  Index block_;
  Vector memory_;
};

/// With S = A A^T, R = B B^T and the polar decomposition B^T A = Q P, the squared distance is
/// ||A - B Q||^2. An error of the rotation Q changes it only by the square of that error, because Q
/// minimizes it.
template <class D>
class LaneDistances {
 public:
  explicit LaneDistances(Index n_features)
      : algebra_(n_features),
        memory_(2 * algebra_.size() + LanePolar<D>::workspace_size(algebra_)) {}

  /// NaN in lanes whose bounds do not suffice.
  hn::Vec<D> squares(const LaneCovariance& source, const LaneCovariance& target) {
    const LaneAlgebra<D>& a = algebra_;
    double* const product = memory_.data();
    double* const rotation = product + a.size();
    const LaneBounds<D> bounds =
        rotate_factors(a, source, target, product, rotation, rotation + a.size());
    a.multiply({.left = a.by_rows(target.lower),
                .right = a.by_columns(rotation),
                .result = product,
                .terms = {.to_row = true}});
    const D d;
    auto sum = hn::Zero(d);
    for (Index i = 0; i < a.size(); i += a.step()) {
      const auto difference = hn::Sub(hn::Load(d, source.lower + i), hn::Load(d, product + i));
      sum = hn::MulAdd(difference, difference, sum);
    }
    const auto computed = hn::And(bounds.suffices, have_similar_units(source, target));
    return hn::IfThenElse(computed, sum, hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
  }

 private:
  /// A small unit next to large ones keeps its digits in svd_of_product only.
  hn::Mask<D> have_similar_units(const LaneCovariance& source, const LaneCovariance& target) const {
    constexpr double most_grade = 256.0 * 256.0;
    const D d;
    auto least = hn::Set(d, std::numeric_limits<double>::max());
    auto most = hn::Zero(d);
    for (Index f = 0; f < algebra_.rows(); ++f) {
      const auto grade =
          hn::Mul(algebra_.load(source.variances, f, 0), algebra_.load(target.variances, f, 0));
      least = hn::Min(least, grade);
      most = hn::Max(most, grade);
    }
    return hn::Le(most, hn::Mul(hn::Set(d, most_grade), least));
  }

  LaneAlgebra<D> algebra_;
  Vector memory_;
};

void lane_distances(std::span<const Matrix> sources, std::span<const Matrix> targets, Index first,
                    Index last, RowMatrix& squares) {
  using D = hn::ScalableTag<double>;
  const D d;
  const auto step = static_cast<Index>(hn::Lanes(d));
  const Index n_targets = std::ssize(targets);
  const Index n_blocks = (n_targets + step - 1) / step;
  const Index n_features = targets.front().rows();
  const LaneAlgebra<D> algebra(n_features);
  LaneFactors<D> target(n_features, n_blocks);
  for (Index j = 0; j < n_blocks * step; ++j) {  // the last one fills the last block
    load_lane(algebra, at(targets, std::min(j, n_targets - 1)).data(), j % step,
              target.covariance(j / step).lower);
  }
  for (Index block = 0; block < n_blocks; ++block) target.factor(block);
  LaneFactors<D> source(n_features, 1);
  LaneDistances<D> distances(n_features);
  Vector row(n_blocks * step);
  for (Index i = first; i < last; ++i) {
    for (Index lane = 0; lane < step; ++lane) {
      load_lane(algebra, at(sources, i).data(), lane, source.covariance(0).lower);
    }
    source.factor(0);
    for (Index block = 0; block < n_blocks; ++block) {
      const auto sound = hn::And(source.is_sound(0), target.is_sound(block));
      const auto nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
      const auto values = distances.squares(source.covariance(0), target.covariance(block));
      hn::Store(hn::IfThenElse(sound, values, nan), d, row.data() + block * step);
    }
    std::copy_n(row.data(), n_targets, squares.data() + i * n_targets);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(lane_distances);

void lane_distances(std::span<const Matrix> sources, std::span<const Matrix> targets, Index first,
                    Index last, RowMatrix& squares) {
  HWY_DYNAMIC_DISPATCH(lane_distances)(sources, targets, first, last, squares);
  count_factorizations(last - first + std::ssize(targets));
}

}  // namespace lbw
#endif  // HWY_ONCE
