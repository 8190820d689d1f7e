// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/knot_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "device/knot_kernels.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

constexpr int mantissa_bits = 52;
constexpr std::uint64_t exponent_of_one = 1023;

// The exponent and the first bits of the mantissa of t number its cell. Every operation is
// monotone.
void find_cells(const KnotGrid& grid, const double* values, Index count, std::uint32_t* cells) {
  const Tag<double> d;
  const hn::RebindToUnsigned<Tag<double>> du;
  const hn::Rebind<std::uint32_t, Tag<double>> narrow;
  const Vec<double> center = hn::Set(d, grid.center);
  const Vec<double> scale = hn::Set(d, grid.scale);
  const Vec<double> last = hn::Set(d, std::nextafter(std::ldexp(1.0, grid.octaves), 0.0));
  const auto half = static_cast<std::uint64_t>(grid.n_cells()) / 2;
  const auto above = hn::Set(du, half - (exponent_of_one << grid.bits));
  const auto below = hn::Set(du, half - 1 + (exponent_of_one << grid.bits));
  for (Index i = 0; i < count; i += lanes<double>()) {
    const auto offset = hn::Mul(hn::Sub(hn::LoadU(d, values + i), center), scale);
    const auto t = hn::Min(hn::Add(hn::Abs(offset), hn::Set(d, 1.0)), last);
    const auto bits = hn::ShiftRightSame(hn::BitCast(du, t), mantissa_bits - grid.bits);
    const auto is_below = hn::RebindMask(du, hn::Lt(offset, hn::Zero(d)));
    const auto cell = hn::IfThenElse(is_below, hn::Sub(below, bits), hn::Add(above, bits));
    hn::StoreU(hn::TruncateTo(narrow, cell), narrow, cells + i);
  }
}

#if HWY_TARGET == HWY_SCALAR

void apply_pieces(const KnotPiece* pieces, const std::uint32_t* numbers, double amount, double rest,
                  double* values, Index count) {
  for (Index i = 0; i < count; ++i) {
    const auto& [knot, base, slope, limit] = pieces[numbers[i]];
    const double along = base + (values[i] - knot) * slope;
    values[i] = rest * values[i] + amount * (along < limit ? along : limit);
  }
}

#else

using Lanes = hn::CappedTag<double, 4>;  // a vector holds a whole piece, or half of one

/// Interleaves the numbers of two pieces.
template <typename V>
HWY_INLINE void interleave(Lanes d, const double* one, const double* two, V& low, V& high) {
  const V a = hn::LoadU(d, one);
  const V b = hn::LoadU(d, two);
  low = hn::InterleaveLower(d, a, b);
  high = hn::InterleaveUpper(d, a, b);
}

void apply_pieces(const KnotPiece* pieces, const std::uint32_t* numbers, double amount, double rest,
                  double* values, Index count) {
  const Lanes d;
  using V = hn::Vec<Lanes>;
  const auto piece = [&](Index i) { return &pieces[numbers[i]].knot; };
  const V amounts = hn::Set(d, amount);
  const V rests = hn::Set(d, rest);
  for (Index i = 0; i < count; i += static_cast<Index>(hn::Lanes(d))) {
    V knot;
    V base;
    V slope;
    V limit;
#if HWY_MAX_BYTES >= 32
    V knots_slopes[2];
    V bases_limits[2];
    for (int half = 0; half < 2; ++half) {
      interleave(d, piece(i + 2 * half), piece(i + 2 * half + 1), knots_slopes[half],
                 bases_limits[half]);
    }
    knot = hn::ConcatLowerLower(d, knots_slopes[1], knots_slopes[0]);
    slope = hn::ConcatUpperUpper(d, knots_slopes[1], knots_slopes[0]);
    base = hn::ConcatLowerLower(d, bases_limits[1], bases_limits[0]);
    limit = hn::ConcatUpperUpper(d, bases_limits[1], bases_limits[0]);
#else
    interleave(d, piece(i), piece(i + 1), knot, base);
    interleave(d, piece(i) + 2, piece(i + 1) + 2, slope, limit);
#endif
    const V value = hn::LoadU(d, values + i);
    const V along = hn::Add(base, hn::Mul(hn::Sub(value, knot), slope));
    const V image = hn::Min(along, limit);
    hn::StoreU(hn::Add(hn::Mul(rests, value), hn::Mul(amounts, image)), d, values + i);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(find_cells);
HWY_EXPORT(apply_pieces);

KnotGrid grid_around(std::span<const double> sorted, std::size_t n_cells) {
  constexpr int most_octaves = 4;
  const std::size_t n = sorted.size();
  KnotGrid grid;
  grid.center = sorted[n / 2];
  grid.scale = 2.0 / (sorted[n - 1 - n / 6] - sorted[n / 6]);
  if (!std::isfinite(grid.scale)) grid.scale = 0.0;  // one or nearly one value
  grid.bits = static_cast<int>(std::bit_width(n_cells)) - 1;
  const double farthest =
      std::max(grid.center - sorted.front(), sorted.back() - grid.center) * grid.scale;
  while (grid.octaves < most_octaves && std::ldexp(1.0, grid.octaves) <= 1.0 + farthest) {
    ++grid.octaves;
  }
  return grid;
}

void find_cells(const KnotGrid& grid, std::span<const double> values,
                std::span<std::uint32_t> cells) {
  const Index size = std::ssize(values);
  const Index whole = size - size % knot_values_step;
  HWY_DYNAMIC_DISPATCH(find_cells)(grid, values.data(), whole, cells.data());
  std::array<double, knot_values_step> rest{};
  std::array<std::uint32_t, knot_values_step> rest_cells;  // NOLINT: written before it is read
  std::copy(values.begin() + whole, values.end(), rest.begin());
  HWY_DYNAMIC_DISPATCH(find_cells)(grid, rest.data(), knot_values_step, rest_cells.data());
  std::copy_n(rest_cells.begin(), size - whole, cells.begin() + whole);
}

void apply_pieces(const KnotPiece* pieces, const std::uint32_t* numbers, double amount, double rest,
                  double* values, Index count) {
  HWY_DYNAMIC_DISPATCH(apply_pieces)(pieces, numbers, amount, rest, values, count);
}

}  // namespace lbw
#endif  // HWY_ONCE
