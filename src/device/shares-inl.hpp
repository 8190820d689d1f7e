// SPDX-License-Identifier: MIT
// The share of every component in the image of a point.
#if defined(LBW_DEVICE_SHARES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_SHARES_INL_HPP
#undef LBW_DEVICE_SHARES_INL_HPP
#else
#define LBW_DEVICE_SHARES_INL_HPP
#endif

#include <vector>

#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

constexpr double negligible = 0x1p-40;  // responsibilities

/// Responsibilities of the first `count` points of a block become shares: negligible ones are 0,
/// and the others sum to 1, because images may be far from 0. The negligible ones of a point
/// together move it by less than n_components * 1e-12 of the distance between its images. A point
/// of no component gets the first one. Returns the number of shares that are not 0, which counts
/// points beyond the end if they share a vector with the last one.
HWY_INLINE Index find_shares(Rows<double>& joint, Index n_components, Index count) {
  const Tag<double> d;
  const Vec<double> one = hn::Set(d, 1.0);
  std::size_t n_shares = 0;
  for (Index first = 0; first < count; first += lanes<double>()) {
    Vec<double> sum = hn::Zero(d);
    for (Index k = 0; k < n_components; ++k) {
      const Vec<double> value = hn::Load(d, joint.row(k) + first);
      const auto counts = hn::Gt(value, hn::Set(d, negligible));
      const Vec<double> share = hn::IfThenElseZero(counts, value);
      n_shares += hn::CountTrue(d, counts);
      sum = hn::Add(sum, share);
      hn::Store(share, d, joint.row(k) + first);
    }
    const auto is_somewhere = hn::Gt(sum, hn::Zero(d));
    const Vec<double> scale = hn::Div(one, hn::IfThenElse(is_somewhere, sum, one));
    hn::Store(hn::IfThenElse(is_somewhere, hn::Load(d, joint.row(0) + first), one), d,
              joint.row(0) + first);
    for (Index k = 0; k < n_components; ++k) {
      double* const share = joint.row(k) + first;
      hn::Store(hn::Mul(hn::Load(d, share), scale), d, share);
    }
  }
  return static_cast<Index>(n_shares);
}

/// The components of a point with their shares.
struct PointShares {
  std::vector<int> components;
  std::vector<double> shares;
  std::size_t count = 0;

  explicit PointShares(Index n_components)
      : components(static_cast<std::size_t>(n_components) + 1),
        shares(static_cast<std::size_t>(n_components) + 1) {}

  HWY_INLINE void collect(const Rows<double>& joint, Index n_components, Index point) {
    const double* share = joint.row(0) + point;
    count = 0;
    for (Index k = 0; k < n_components; ++k) {
      components[count] = static_cast<int>(k);
      shares[count] = *share;
      count += *share != 0.0 ? 1 : 0;
      share += row_stride<double>;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
