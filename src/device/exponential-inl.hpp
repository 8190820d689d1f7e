// SPDX-License-Identifier: MIT
// exp of numbers <= 0 in both precisions, with half the work of a general exp.
#if defined(LBW_DEVICE_EXPONENTIAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_EXPONENTIAL_INL_HPP
#undef LBW_DEVICE_EXPONENTIAL_INL_HPP
#else
#define LBW_DEVICE_EXPONENTIAL_INL_HPP
#endif

#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

// exp(x) = 2^n exp(r) with n = round(x / log 2), |r| <= log(2) / 2. Adding 1.5 * 2^52 rounds to an
// integer and leaves n in the low bits; a shift moves it to the exponent. The
// polynomials interpolate exp(r) at the Chebyshev points: relative errors 4e-18 and 3e-9.
template <typename T>
struct ExpConstants;

template <>
struct ExpConstants<double> {
  static constexpr double cutoff = -300.0;
  static constexpr double rounder = 0x1.8p52;
  static constexpr double log2_high = 0x1.62e42feep-1;  // few digits: n * log2_high is exact
  static constexpr double log2_low = 0x1.a39ef35793c76p-33;
  static constexpr int mantissa_bits = 52;
  static constexpr int degree = 11;
  static constexpr double coefficients[degree + 1] = {
      0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000011p-1,  0x1.555555555555ap-3,
      0x1.555555554f0cfp-5,  0x1.111111110f225p-7,  0x1.6c16c187fbe02p-10, 0x1.a01a01b14378fp-13,
      0x1.a01991ac8730ap-16, 0x1.71ddf5749d126p-19, 0x1.28b4057f44145p-22, 0x1.af631d0059becp-26};
};

template <>
struct ExpConstants<float> {
  static constexpr float cutoff = -60.0F;
  static constexpr float rounder = 0x1.8p23F;
  static constexpr float log2_high = 0x1.62e4p-1F;
  static constexpr float log2_low = 0x1.7f7d1cp-20F;
  static constexpr int mantissa_bits = 23;
  static constexpr int degree = 6;
  static constexpr float coefficients[degree + 1] = {1.0F,
                                                     1.00000003772F,
                                                     0.500000004712F,
                                                     0.166664155147F,
                                                     0.0416663528968F,
                                                     0.00837512639815F,
                                                     0.0013941108434F};
};

/// exp(x) for x <= 0 within an ulp; exactly 0 up to `cutoff`, because such a term changes no sum
/// and denormals are slow, and for NaN.
/// @param cutoff  at least ExpConstants<T>::cutoff
template <typename T>
HWY_INLINE Vec<T> exp_at_most_zero(Vec<T> x, Vec<T> cutoff) {
  using C = ExpConstants<T>;
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  const Vec<T> rounder = hn::Set(d, C::rounder);
  const Vec<T> shifted = hn::MulAdd(x, hn::Set(d, T(1.4426950408889634)), rounder);
  const Vec<T> n = hn::Sub(shifted, rounder);
  Vec<T> r = hn::NegMulAdd(n, hn::Set(d, C::log2_high), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::log2_low), r);
  Vec<T> power = hn::Set(d, C::coefficients[C::degree]);
  LBW_UNROLL
  for (int i = C::degree - 1; i >= 0; --i) {
    power = hn::MulAdd(power, r, hn::Set(d, C::coefficients[i]));
  }
  const auto exponent = hn::ShiftLeft<C::mantissa_bits>(hn::BitCast(di, shifted));
  const Vec<T> scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, power), exponent));
  return hn::IfThenElseZero(hn::Gt(x, cutoff), scaled);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
