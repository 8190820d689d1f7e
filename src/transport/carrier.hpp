// SPDX-License-Identifier: MIT
// A local map as the device reads it: made once, then used for any number of batches.
#pragma once

#include <lbw/transport.hpp>

#include "core/row_keys.hpp"
#include "device/device.hpp"
#include "transport/dither.hpp"
#include "transport/refiner.hpp"

namespace lbw {

/// Throws InvalidArgument unless the map's source is a mixture and its pieces fit it: components
/// and features that are there, matrices all square or all diagonals alone, shares that are finite
/// and >= 0, at least one for every component and, where shares count, not all 0. Its dither and
/// the steps of its refinement must fit too.
///
/// @return  the densities of the source, whose covariances the check has factored
DensityTable check_map(const LocalMap& map, const char* function);

/// For every component its heaviest piece, the first of equals: where a hard map takes points.
[[nodiscard]] MapTable heaviest_pieces(const LocalMap& map);

/// All pieces are one map: whichever a point takes, it goes to the same place.
[[nodiscard]] bool are_alike(const std::vector<MapPiece>& pieces);

class Carrier {
 public:
  /// @param map        that passed check_map
  /// @param densities  those of its source
  Carrier(const LocalMap& map, DensityTable densities);

  /// @param keys  those of the call that these samples are the next of
  void carry(SampleView samples, RowKeys& keys, const Device::BatchCheck& check,
             const Execution& execution, Eigen::Ref<RowMatrix> out) const;

 private:
  [[nodiscard]] bool draws() const { return kind_ == MapKind::random || !noise_.empty(); }
  void carry_batch(SampleView points, std::span<const std::uint64_t> keys,
                   const Device::BatchCheck& check, const Execution& execution,
                   Eigen::Ref<RowMatrix> places) const;
  void carry_by_pieces(SampleView samples, std::span<const std::uint64_t> keys,
                       const Device::BatchCheck& check, const Execution& execution,
                       const Eigen::Ref<RowMatrix>& out) const;

  MapKind kind_;
  DensityTable densities_;
  MapTable maps_;      ///< hard, soft: one per component; random: one per piece
  PieceTable pieces_;  ///< random
  Noise noise_;
  std::uint64_t seed_;
  Refiner refiner_;
  double amount_;  ///< where there is dither or a refinement
};

}  // namespace lbw
