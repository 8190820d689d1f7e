// SPDX-License-Identifier: MIT
// A local map in the form that the device needs, built once for any number of batches.
#pragma once

#include <lbw/transport.hpp>

#include "core/row_keys.hpp"
#include "device/device.hpp"
#include "transport/dither.hpp"
#include "transport/refiner.hpp"

namespace lbw {

/// Throws InvalidArgument unless the map's source is a valid mixture and its pieces agree with it:
/// valid components and features, matrices all square or all diagonal, finite shares >= 0, at least
/// one piece for every component and, unless the map is hard, shares that are not all 0. Dither and
/// refinement steps must be valid too.
///
/// @return  the densities of the source, whose covariances the check has factored
DensityTable check_map(const LocalMap& map, const char* function);

/// The heaviest piece of every component, which a hard map uses; the first in case of ties.
[[nodiscard]] MapTable heaviest_pieces(const LocalMap& map);

/// Whether all pieces have the same map.
[[nodiscard]] bool are_alike(const std::vector<MapPiece>& pieces);

class Transporter {
 public:
  /// @param map        must have passed check_map
  /// @param densities  those of its source
  Transporter(const LocalMap& map, DensityTable densities, const Execution& execution);

  /// @param keys  the keys of the call; these samples are its next rows
  void transport(SampleView samples, RowKeys& keys, const Device::BatchCheck& check,
                 const Execution& execution, Eigen::Ref<RowMatrix> out) const;

 private:
  [[nodiscard]] bool draws() const { return kind_ == MapKind::random || !noise_.empty(); }
  void transport_batch(SampleView points, std::span<const std::uint64_t> keys,
                       const Device::BatchCheck& check, const Execution& execution,
                       Eigen::Ref<RowMatrix> places) const;
  void transport_by_pieces(SampleView samples, std::span<const std::uint64_t> keys,
                           const Device::BatchCheck& check, const Execution& execution,
                           const Eigen::Ref<RowMatrix>& out) const;

  MapKind kind_;
  DensityTable densities_;
  MapTable maps_;      ///< hard, soft: one per component; random: one per piece
  PieceTable pieces_;  ///< random only
  Noise noise_;
  std::uint64_t seed_;
  Refiner refiner_;
  double amount_;  ///< used if there is dither or a refinement
};

}  // namespace lbw
