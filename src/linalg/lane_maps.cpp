// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/lane_maps.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/highway.h>

#include <algorithm>

#include "linalg/cholesky.hpp"
#include "linalg/lane_covariance-inl.hpp"
#include "linalg/lane_maps.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The maps of as many pairs as there are lanes. With S = A A^T, R = B B^T and the polar
/// decomposition B^T A = Q P,
///   T = A^-T (A^T R A)^1/2 A^-1 = A^-T P A^-1,  P = Q^T B^T A.
/// The error of P is a few roundings of its largest singular value, times a part of the condition
/// number. RegularMap says what follows for T.
template <class D>
class LaneMaps {
 public:
  explicit LaneMaps(Index n_features)
      : algebra_(n_features),
        memory_(6 * algebra_.size() + 2 * vectors() + LanePolar<D>::workspace_size(algebra_)) {}

  /// @param pairs  one per lane
  hn::Mask<D> compute(LanePair* const* pairs) {
    for (Index lane = 0; lane < algebra_.step(); ++lane) {
      load_lane(algebra_, pairs[lane]->source, lane, source().lower);
      load_lane(algebra_, pairs[lane]->target, lane, target().lower);
    }
    const auto sound = hn::And(factor_covariance(algebra_, source(), polar_memory()),
                               factor_covariance(algebra_, target(), polar_memory()));
    const LaneBounds<D> bounds =
        rotate_factors(algebra_, source(), target(), product(), rotation(), polar_memory());
    finish();
    const auto accurate =
        hn::Le(amplification(bounds), hn::Set(D(), RegularMap::most_amplification));
    return hn::And(hn::And(sound, bounds.suffices), accurate);
  }

  void take(Index lane, double* map) const {
    copy_lane(algebra_, memory_.data(), lane, map);  // of the lower factor of the source
  }

 private:
  [[nodiscard]] Index vectors() const { return algebra_.rows() * algebra_.step(); }
  double* matrix(Index i) { return memory_.data() + i * algebra_.size(); }
  LaneCovariance source() { return {matrix(0), matrix(1), matrix(6)}; }
  LaneCovariance target() { return {matrix(2), matrix(3), matrix(6) + vectors()}; }
  double* product() { return matrix(4); }
  double* rotation() { return matrix(5); }
  double* polar_memory() { return matrix(6) + 2 * vectors(); }

  /// Replaces the lower factor of the source by T.
  void finish() {
    const LaneAlgebra<D>& a = algebra_;
    double* const root = target().lower;
    a.multiply({.left = a.by_columns(rotation()),
                .right = a.by_columns(product()),
                .result = root,
                .is_symmetric = true});
    a.multiply({.left = a.by_rows(root),
                .right = a.by_columns(source().inverse),
                .result = product(),
                .terms = {.from_column = true}});
    a.multiply({.left = a.by_columns(source().inverse),
                .right = a.by_columns(product()),
                .result = source().lower,
                .terms = {.from_row = true},
                .is_symmetric = true});
  }

  /// The amplification of RegularMap.
  hn::Vec<D> amplification(const LaneBounds<D>& bounds) {
    const D d;
    const LaneAlgebra<D>& a = algebra_;
    auto off_rows = hn::Zero(d);
    auto off_columns = hn::Zero(d);
    for (Index f = 0; f < a.rows(); ++f) {
      auto square = hn::Zero(d);
      for (Index row = f; row < a.rows(); ++row) {
        const auto entry = a.load(source().inverse, row, f);
        square = hn::MulAdd(entry, entry, square);
      }
      off_rows = hn::Max(off_rows, hn::Div(square, a.load(target().variances, f, 0)));
      off_columns = hn::Max(off_columns, hn::Mul(square, a.load(source().variances, f, 0)));
    }
    const auto off = hn::Sqrt(hn::Mul(off_rows, off_columns));
    return hn::Mul(hn::Mul(hn::Mul(bounds.largest, bounds.largest), bounds.inverse_smallest), off);
  }

  LaneAlgebra<D> algebra_;
  Vector memory_;
};

/// RegularMap's closed form for two features, operation by operation.
template <class D>
class PlanarMaps {
 public:
  explicit PlanarMaps(Index n_features) : algebra_(n_features), memory_(2 * algebra_.size()) {}

  hn::Mask<D> compute(LanePair* const* pairs) {
    const D d;
    double* const target = memory_.data() + algebra_.size();
    for (Index lane = 0; lane < algebra_.step(); ++lane) {
      load_lane(algebra_, pairs[lane]->source, lane, memory_.data());
      load_lane(algebra_, pairs[lane]->target, lane, target);
    }
    const auto sound = hn::And(symmetrize(algebra_, memory_.data()), symmetrize(algebra_, target));
    const Planar from = planar(memory_.data());
    const Planar to = planar(target);
    const auto s = hn::Sqrt(determinant(from));
    const auto r = hn::Sqrt(determinant(to));
    const auto two = hn::Set(d, 2.0);
    const auto mixed = hn::Mul(two, hn::Mul(from.xy, to.xy));
    const auto trace = hn::Add(hn::Add(hn::Mul(from.xx, to.xx), mixed), hn::Mul(from.yy, to.yy));
    const auto product_root = hn::Add(two, hn::Div(trace, hn::Mul(s, r)));
    const auto factor = hn::Sqrt(hn::Div(hn::Div(r, s), product_root));
    const auto xy = hn::Mul(factor, hn::Sub(hn::Div(to.xy, r), hn::Div(from.xy, s)));
    algebra_.store(hn::Mul(factor, hn::Add(hn::Div(from.yy, s), hn::Div(to.xx, r))), memory_.data(),
                   0, 0);
    algebra_.store(xy, memory_.data(), 0, 1);
    algebra_.store(xy, memory_.data(), 1, 0);
    algebra_.store(hn::Mul(factor, hn::Add(hn::Div(from.xx, s), hn::Div(to.yy, r))), memory_.data(),
                   1, 1);
    const auto definite = hn::And(hn::Gt(s, hn::Zero(d)), hn::Gt(r, hn::Zero(d)));
    return hn::And(sound, definite);
  }

  void take(Index lane, double* map) const { copy_lane(algebra_, memory_.data(), lane, map); }

 private:
  using V = hn::Vec<D>;
  struct Planar {
    V xx;
    V xy;
    V yy;
  };

  Planar planar(const double* matrix) const {
    return {algebra_.load(matrix, 0, 0), algebra_.load(matrix, 1, 0), algebra_.load(matrix, 1, 1)};
  }

  static V high(V value) {
    const V shifted = hn::Mul(hn::Set(D(), 0x8000001p0), value);
    return hn::Sub(shifted, hn::Sub(shifted, value));
  }

  static V product_error(V x, V y, V product) {
    const V x_high = high(x);
    const V y_high = high(y);
    const V x_low = hn::Sub(x, x_high);
    const V y_low = hn::Sub(y, y_high);
    const V first = hn::Sub(hn::Mul(x_high, y_high), product);
    const V second = hn::Add(hn::Add(first, hn::Mul(x_high, y_low)), hn::Mul(x_low, y_high));
    return hn::Add(second, hn::Mul(x_low, y_low));
  }

  /// 0 if the matrix may be singular
  static V determinant(const Planar& matrix) {
    const V product = hn::Mul(matrix.xx, matrix.yy);
    const V square = hn::Mul(matrix.xy, matrix.xy);
    const V difference = hn::Sub(product, square);
    const V error = hn::Sub(product_error(matrix.xx, matrix.yy, product),
                            product_error(matrix.xy, matrix.xy, square));
    const auto regular =
        hn::Gt(difference, hn::Mul(hn::Set(D(), RegularMap::far_from_singular), product));
    return hn::IfThenElseZero(regular, hn::Add(difference, error));
  }

  LaneAlgebra<D> algebra_;
  Vector memory_;
};

/// Computes all pairs, as many at a time as D has lanes.
template <class D, class Maps>
void compute_pairs(std::span<LanePair> pairs, Index n_features) {
  const D d;
  const auto step = static_cast<Index>(hn::Lanes(d));
  Maps maps(n_features);
  for (Index first = 0; first < std::ssize(pairs); first += step) {
    const Index count = std::min(step, std::ssize(pairs) - first);
    LanePair* lanes[HWY_MAX_BYTES / sizeof(double)];
    for (Index lane = 0; lane < step; ++lane) {
      lanes[lane] = pairs.data() + first + std::min(lane, count - 1);
    }
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, maps.compute(lanes), bits);
    for (Index lane = 0; lane < count; ++lane) {
      lanes[lane]->is_computed = ((bits[lane / 8] >> (lane % 8)) & 1) != 0;
      if (lanes[lane]->is_computed) maps.take(lane, lanes[lane]->map);
    }
  }
}

void lane_maps(std::span<LanePair> pairs, Index n_features) {
  using One = hn::CappedTag<double, 1>;
  using All = hn::ScalableTag<double>;
  if (n_features == 2) return compute_pairs<All, PlanarMaps<All>>(pairs, n_features);
  if (pairs.size() == 1) return compute_pairs<One, LaneMaps<One>>(pairs, n_features);
  compute_pairs<All, LaneMaps<All>>(pairs, n_features);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(lane_maps);

void lane_maps(std::span<LanePair> pairs, Index n_features) {
  if (pairs.empty()) return;
  HWY_DYNAMIC_DISPATCH(lane_maps)(pairs, n_features);
  const bool is_planar = n_features == 2;  // without factors
  if (!is_planar) count_factorizations(2 * std::ssize(pairs));
}

}  // namespace lbw
#endif  // HWY_ONCE
