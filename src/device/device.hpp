// SPDX-License-Identifier: MIT
// Loops that touch every sample, as one interface. Another device implements these functions and
// has an entry in devices.cpp.
#pragma once

#include <functional>
#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>
#include <span>

#include "device/tables.hpp"

namespace lbw {

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// E-step and moment sums in one pass.
  [[nodiscard]] virtual MomentSums moment_sums(const WeightedSamples& samples,
                                               const DensityTable& table, Precision precision,
                                               const Execution& execution) const = 0;

  /// log p(x) of every sample.
  virtual void log_densities(SampleView samples, const DensityTable& table,
                             const Execution& execution, Vector& out) const = 0;

  /// (n_samples, n_components), rows summing to 1.
  virtual void responsibilities(SampleView samples, const DensityTable& table,
                                const Execution& execution, RowMatrix& out) const = 0;

  /// The component of largest responsibility, the lowest of equals.
  virtual void labels(SampleView samples, const DensityTable& table, const Execution& execution,
                      Labels& out) const = 0;

  /// Called with [begin, end) before these samples are used, from any thread; may be empty.
  using BatchCheck = std::function<void(Index begin, Index end)>;

  /// Each sample through the map of its label. `out` has the shape of the samples and may be them.
  virtual void apply_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                          const BatchCheck& check, const Execution& execution,
                          Eigen::Ref<RowMatrix> out) const = 0;

  /// Each sample through the maps of all components, averaged by its responsibilities. A sample so
  /// far out that it belongs to no component takes the first map.
  virtual void blend_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                          const BatchCheck& check, const Execution& execution,
                          Eigen::Ref<RowMatrix> out) const = 0;

  /// Each sample through a piece that is drawn for it: first a component by its responsibilities,
  /// then a piece of the component by its share, with the two numbers of PointDraws. `maps` has one
  /// for every piece, `keys` one for every sample or none where all are 0.
  virtual void draw_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                         const PieceTable& pieces, std::span<const std::uint64_t> keys,
                         const BatchCheck& check, const Execution& execution,
                         Eigen::Ref<RowMatrix> out) const = 0;

  /// Moment sums under hard assignment to the nearest center, the lowest of equals. The negative
  /// squared distance takes the place of the log density: log_likelihood is minus the inertia, the
  /// worst sample the farthest.
  [[nodiscard]] virtual MomentSums nearest_sums(const WeightedSamples& samples,
                                                const RowMatrix& centers,
                                                CovarianceType covariance_type,
                                                const Execution& execution) const = 0;

  /// For every candidate (a row), the sum of weight * min(distances, squared distance to it).
  [[nodiscard]] virtual Vector potentials(const WeightedSamples& samples,
                                          const RowMatrix& candidates, const Vector& distances,
                                          const Execution& execution) const = 0;

  /// distances <- min(distances, squared distance to the center).
  virtual void lower_distances(SampleView samples, const Vector& center, const Execution& execution,
                               Vector& distances) const = 0;
};

/// The device that an execution names. @throws UnsupportedDevice listing those of this build
[[nodiscard]] const Device& device_of(const Execution& execution);

}  // namespace lbw
