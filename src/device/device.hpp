// SPDX-License-Identifier: MIT
// All loops over samples behind one interface. Another device implements these functions and has an
// entry in devices.cpp.
#pragma once

#include <functional>
#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

/// Samples assigned to the nearest of a few centers, again and again while the centers move. It
/// remembers what saves work if they move little.
class MovingCenters {
 public:
  MovingCenters() = default;
  MovingCenters(const MovingCenters&) = delete;
  MovingCenters& operator=(const MovingCenters&) = delete;
  virtual ~MovingCenters() = default;

  /// (n_centers, 1 + n_features): the weight of the samples nearest to each center, the first one
  /// if several are equal, and the sum of their weighted differences from it.
  [[nodiscard]] virtual RowMatrix sums(const RowMatrix& centers) = 0;
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Copies samples to the memory of the device, where they stay as long as the result lives. Null
  /// if the device reads the memory of the host. Put it into WeightedSamples::resident for passes.
  [[nodiscard]] virtual std::unique_ptr<ResidentSamples> keep(const WeightedSamples& samples,
                                                              const Execution& execution) const = 0;

  /// E-step and moment sums in one pass.
  [[nodiscard]] virtual MomentSums moment_sums(const WeightedSamples& samples,
                                               const DensityTable& table, Precision precision,
                                               const Execution& execution) const = 0;

  /// The same without moments, which are unspecified: for a likelihood alone.
  [[nodiscard]] virtual MomentSums likelihood_sums(const WeightedSamples& samples,
                                                   const DensityTable& table, Precision precision,
                                                   const Execution& execution) const {
    return moment_sums(samples, table, precision, execution);
  }

  /// log p(x) of every sample.
  virtual void log_densities(SampleView samples, const DensityTable& table,
                             const Execution& execution, Vector& out) const = 0;

  /// (n_samples, n_components), rows summing to 1.
  virtual void responsibilities(SampleView samples, const DensityTable& table,
                                const Execution& execution, RowMatrix& out) const = 0;

  /// The component of largest responsibility; the first one if several are equal.
  virtual void labels(SampleView samples, const DensityTable& table, const Execution& execution,
                      Labels& out) const = 0;

  /// Called with [begin, end) before these samples are used, from any thread. May be empty.
  using BatchCheck = std::function<void(Index begin, Index end)>;

  /// Applies the map of its label to each sample. `out` has the shape of the samples and may be
  /// them.
  virtual void apply_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                          const BatchCheck& check, const Execution& execution,
                          Eigen::Ref<RowMatrix> out) const = 0;

  /// Applies to each sample the maps of all components, averaged by its responsibilities. A sample
  /// without any density uses the first map.
  virtual void blend_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                          const BatchCheck& check, const Execution& execution,
                          Eigen::Ref<RowMatrix> out) const = 0;

  /// Applies to each sample a random piece: it draws a component by the responsibilities, then a
  /// piece of the component by its share, with the two numbers of PointDraws. `maps` has one entry
  /// per piece, `keys` one per sample, or none if all are 0.
  virtual void draw_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                         const PieceTable& pieces, std::span<const std::uint64_t> keys,
                         const BatchCheck& check, const Execution& execution,
                         Eigen::Ref<RowMatrix> out) const = 0;

  /// Moment sums under hard assignment to the nearest center, the first one if several are equal.
  /// The negative squared distance replaces the log-density, so log_likelihood is minus the inertia
  /// and the worst sample is the farthest.
  [[nodiscard]] virtual MomentSums nearest_sums(const WeightedSamples& samples,
                                                const RowMatrix& centers,
                                                CovarianceType covariance_type,
                                                const Execution& execution) const = 0;

  /// The search for the nearest of centers that move, over these samples, which must outlive it.
  /// Unless a device has a faster one, every call of its `sums` is one of nearest_sums.
  [[nodiscard]] virtual std::unique_ptr<MovingCenters> moving_centers(
      const WeightedSamples& samples, const Execution& execution) const;

  /// For every candidate (a row), the sum of weight * min(distances, squared distance to it).
  [[nodiscard]] virtual Vector potentials(const WeightedSamples& samples,
                                          const RowMatrix& candidates, const Vector& distances,
                                          const Execution& execution) const = 0;

  /// distances <- min(distances, squared distance to the center).
  virtual void lower_distances(const WeightedSamples& samples, const Vector& center,
                               const Execution& execution, Vector& distances) const = 0;

  /// For every fraction, the first sample at which the cumulative sum of weight * distance exceeds
  /// this fraction of its total. Empty if the total is 0.
  [[nodiscard]] virtual std::vector<Index> draws_by_distance(
      const WeightedSamples& samples, const Vector& distances,
      std::span<const double> fractions) const = 0;

  /// Moment sums about the center for random responsibilities, which are proportional to uniform
  /// draws in the order of the samples.
  [[nodiscard]] virtual MomentSums random_sums(const WeightedSamples& samples, const Vector& center,
                                               Index n_components, CovarianceType covariance_type,
                                               Random& random) const = 0;

  /// out(i, a) = row a of the matrix times sample i: coordinates along axes.
  virtual void project(SampleView samples, const Matrix& axes, const Execution& execution,
                       Matrix& out) const = 0;

  /// Applies the steps of a refinement to points in place.
  virtual void apply_steps(std::span<const StepTable> steps, const Execution& execution,
                           Eigen::Ref<RowMatrix> points) const = 0;

  /// Applies a monotone map to numbers. `out` has the size of the values and may be them.
  virtual void apply_knots(const MonotoneKnots& knots, std::span<const double> values,
                           const Execution& execution, std::span<double> out) const = 0;

  /// Adds the noise to samples. Its numbers depend on the sample, its key and the seed.
  virtual void add_noise(SampleView samples, const NoiseTable& noise,
                         std::span<const std::uint64_t> keys, const Execution& execution,
                         Eigen::Ref<RowMatrix> out) const = 0;

  /// For every point the n_neighbors nearest points of the other half, and all at the distance of
  /// the last one up to rounding. Equal points have exactly equal distances.
  /// @param points  (n_features, n_points)
  [[nodiscard]] virtual std::vector<std::vector<int>> nearest_across(
      const RowMatrix& points, const std::vector<bool>& halves, int n_neighbors,
      const Execution& execution) const = 0;

  /// out = matrix * points, whose columns are the points, with padded_points of them. The result of
  /// a point does not depend on its position and is the same as in `project` and `apply_steps`.
  virtual void rotate(const Matrix& matrix, const RowMatrix& points, const Execution& execution,
                      RowMatrix& out) const = 0;
};

/// Adds a device that executions can name from now on. It must outlive its use.
/// @throws InvalidArgument  if the name is taken
void register_device(const std::string& name, const Device& device);

/// The device that an execution names. @throws UnsupportedDevice listing those of this build
[[nodiscard]] const Device& device_of(const Execution& execution);

/// Samples, and the copy that the device of an execution keeps as long as this object lives.
class KeptSamples {
 public:
  KeptSamples(const WeightedSamples& samples, const Execution& execution)
      : resident_(device_of(execution).keep(samples, execution)),
        view_{samples.samples, samples.weights, resident_.get()} {}

  [[nodiscard]] const WeightedSamples& view() const { return view_; }

 private:
  std::unique_ptr<ResidentSamples> resident_;
  WeightedSamples view_;
};

}  // namespace lbw
