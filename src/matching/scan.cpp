// SPDX-License-Identifier: MIT
#include "matching/scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// compiles this file once per instruction set
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matching/scan.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lbw::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using Values = hn::Vec<Lanes>;

// The least value of each lane and its first column, as a double.
struct LaneMinima {
  Values values;
  Values columns;
};

// a function, because GCC does not use vector instructions in implicit constructors
HWY_INLINE LaneMinima no_minima() { return {hn::Set(Lanes(), infinity), hn::Set(Lanes(), -1.0)}; }

HWY_INLINE void take(LaneMinima& minima, Values values, Values columns) {
  const auto lower = hn::Lt(values, minima.values);
  minima.columns = hn::IfThenElse(lower, columns, minima.columns);
  minima.values = hn::Min(values, minima.values);
}

// Ties keep the lowest column; -1 means none.
HWY_INLINE void insert(TwoLeast& result, double value, Index column) {
  result.second = std::min(result.second, std::max(value, result.least));
  if (value < result.least || (value == result.least && column < result.column)) {
    result.least = value;
    result.column = column;
  }
}

HWY_INLINE TwoLeast least_of(const LaneMinima& minima) {
  const Lanes lanes;
  HWY_ALIGN double values[hn::MaxLanes(lanes)];
  HWY_ALIGN double columns[hn::MaxLanes(lanes)];
  hn::Store(minima.values, lanes, values);
  hn::Store(minima.columns, lanes, columns);
  TwoLeast result{infinity, -1, infinity};
  for (std::size_t i = 0; i < hn::Lanes(lanes); ++i) {
    insert(result, values[i], static_cast<Index>(columns[i]));
  }
  return result;
}

// Not hn::MinOfLanes: without vector instructions, Highway 1.0 returns the largest finite number if
// all lanes are infinite.
HWY_INLINE double least_lane(Values values) {
  const Lanes lanes;
  HWY_ALIGN double stored[hn::MaxLanes(lanes)];
  hn::Store(values, lanes, stored);
  return *std::min_element(stored, stored + hn::Lanes(lanes));
}

Nearest relax_lanes(const double* HWY_RESTRICT costs, const double* HWY_RESTRICT potentials,
                    double offset, double* HWY_RESTRICT lengths, std::size_t size) {
  const Lanes lanes;
  const std::size_t n = hn::Lanes(lanes);
  const auto offsets = hn::Set(lanes, offset);
  const auto step = hn::Set(lanes, static_cast<double>(n));
  auto columns = hn::Iota(lanes, 0.0);
  LaneMinima minima = no_minima();
  std::size_t j = 0;
  for (; j + n <= size; j += n) {
    const auto reduced_costs =
        hn::Sub(hn::LoadU(lanes, costs + j), hn::LoadU(lanes, potentials + j));
    const auto shorter = hn::Min(hn::Sub(reduced_costs, offsets), hn::LoadU(lanes, lengths + j));
    hn::StoreU(shorter, lanes, lengths + j);
    take(minima, shorter, columns);
    columns = hn::Add(columns, step);
  }
  const TwoLeast least = least_of(minima);
  Nearest nearest{least.least, least.column};
  for (; j < size; ++j) {
    lengths[j] = std::min(lengths[j], costs[j] - potentials[j] - offset);
    if (lengths[j] < nearest.length) nearest = {lengths[j], static_cast<Index>(j)};
  }
  return nearest;
}

TwoLeast two_least_lanes(const double* HWY_RESTRICT costs, const double* HWY_RESTRICT potentials,
                         std::size_t size) {
  const Lanes lanes;
  const std::size_t n = hn::Lanes(lanes);
  const auto step = hn::Set(lanes, static_cast<double>(n));
  auto columns = hn::Iota(lanes, 0.0);
  auto seconds = hn::Set(lanes, infinity);
  LaneMinima minima = no_minima();
  std::size_t j = 0;
  for (; j + n <= size; j += n) {
    const auto values = hn::Sub(hn::LoadU(lanes, costs + j), hn::LoadU(lanes, potentials + j));
    seconds = hn::Min(seconds, hn::Max(values, minima.values));
    take(minima, values, columns);
    columns = hn::Add(columns, step);
  }
  TwoLeast result = least_of(minima);
  result.second = std::min(result.second, least_lane(seconds));
  for (; j < size; ++j) insert(result, costs[j] - potentials[j], static_cast<Index>(j));
  return result;
}

void lower_minima_lanes(const double* HWY_RESTRICT costs, double row, double* HWY_RESTRICT minima,
                        double* HWY_RESTRICT rows, std::size_t size) {
  const Lanes lanes;
  const std::size_t n = hn::Lanes(lanes);
  const auto this_row = hn::Set(lanes, row);
  std::size_t j = 0;
  for (; j + n <= size; j += n) {
    const auto values = hn::LoadU(lanes, costs + j);
    const auto least = hn::LoadU(lanes, minima + j);
    const auto lower = hn::Lt(values, least);
    hn::StoreU(hn::IfThenElse(lower, this_row, hn::LoadU(lanes, rows + j)), lanes, rows + j);
    hn::StoreU(hn::Min(values, least), lanes, minima + j);
  }
  for (; j < size; ++j) {
    if (!(costs[j] < minima[j])) continue;
    minima[j] = costs[j];
    rows[j] = row;
  }
}

Extent extent_lanes(const double* HWY_RESTRICT values, std::size_t size) {
  const Lanes lanes;
  const std::size_t n = hn::Lanes(lanes);
  const auto lowest = hn::Set(lanes, -infinity);
  const auto highest = hn::Set(lanes, infinity);
  const auto zero = hn::Zero(lanes);
  auto largest = zero;
  auto n_invalid = zero;
  std::size_t j = 0;
  for (; j + n <= size; j += n) {
    const auto value = hn::LoadU(lanes, values + j);
    // a comparison with NaN is false
    n_invalid =
        hn::Add(n_invalid, hn::IfThenElse(hn::Gt(value, lowest), zero, hn::Set(lanes, 1.0)));
    const auto finite = hn::IfThenElse(hn::Lt(value, highest), value, zero);
    largest = hn::Max(largest, hn::Abs(finite));
  }
  Extent extent{hn::GetLane(hn::MaxOfLanes(lanes, largest)),
                hn::GetLane(hn::SumOfLanes(lanes, n_invalid)) == 0.0};
  for (; j < size; ++j) {
    extent.valid = extent.valid && values[j] > -infinity;
    if (values[j] < infinity) {
      extent.largest_magnitude = std::max(extent.largest_magnitude, std::abs(values[j]));
    }
  }
  return extent;
}

}  // namespace
}  // namespace lbw::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

namespace {

HWY_EXPORT(relax_lanes);
HWY_EXPORT(two_least_lanes);
HWY_EXPORT(lower_minima_lanes);
HWY_EXPORT(extent_lanes);

}  // namespace

Nearest relax(std::span<const double> costs, std::span<const double> potentials, double offset,
              std::span<double> lengths) {
  return HWY_DYNAMIC_DISPATCH(relax_lanes)(costs.data(), potentials.data(), offset, lengths.data(),
                                           costs.size());
}

TwoLeast two_least(std::span<const double> costs, std::span<const double> potentials) {
  return HWY_DYNAMIC_DISPATCH(two_least_lanes)(costs.data(), potentials.data(), costs.size());
}

void lower_minima(std::span<const double> costs, double row, std::span<double> minima,
                  std::span<double> rows) {
  HWY_DYNAMIC_DISPATCH(lower_minima_lanes)
  (costs.data(), row, minima.data(), rows.data(), costs.size());
}

Extent extent_of(std::span<const double> values) {
  return HWY_DYNAMIC_DISPATCH(extent_lanes)(values.data(), values.size());
}

}  // namespace lbw
#endif
