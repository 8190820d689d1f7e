// SPDX-License-Identifier: MIT
// The interface between passes and densities. A pass loads a block of points, asks for the joint
// densities and adds moments: a few virtual calls per block, so a new pass or a new model is
// compiled once and not once per pair.
#pragma once

#include <memory>

#include "device/kernel_table.hpp"
#include "device/rows.hpp"

namespace lbw {

/// Log joint densities that are so much lower than the largest one of their point count as
/// -infinity in densities and responsibilities that are results.
template <typename T>
inline constexpr T relevant_to_densities = sizeof(T) == sizeof(double) ? T(300) : T(60);

/// The same in moment sums. Leaving out responsibilities below e^-65 changes the weight of a
/// component by less than e^-65 of the weight W of all n samples, or copies of samples. The M-step
/// gives up components below 1e-3 W / n, so the relative change of the others is below 1e3 n e^-65,
/// which is less than the rounding error 2^-53 for n up to a billion. In single precision, it is
/// 1e3 n e^-45 and 2^-24.
template <typename T>
inline constexpr T relevant_to_moments = sizeof(T) == sizeof(double) ? T(65) : T(45);

/// Joint densities and moment sums of a mixture for one block of points at a time, with the working
/// memory of one thread. `count` is the number of points of the block, at most block_points<T>.
template <typename T>
class DensityModel {
 public:
  DensityModel() = default;
  DensityModel(const DensityModel&) = delete;
  DensityModel& operator=(const DensityModel&) = delete;
  virtual ~DensityModel() = default;

  /// Reads samples [first, first + count).
  virtual void load(SampleView samples, Index first, Index count) = 0;

  /// joint.row(k)[i] = log of weight k times density k at point i. A value that is more than
  /// `relevant` below the largest one of its point may be replaced by a larger one that is also
  /// more than `relevant` below it.
  virtual void evaluate(Index count, T relevant, Rows<T>& joint) = 0;

  /// Adds the moments of the points, weighted by weights.row(k)[i], which is 0 from `count` on.
  /// Call it after `evaluate`.
  virtual void add_moments(const Rows<T>& weights, Index count) = 0;

  /// Adds the sums of all blocks so far to PassSums::moments and starts again from 0.
  virtual void flush(RowMatrix& moments) = 0;

  /// out[i] = squared distance of point i from the origin of the table.
  virtual void squared_norms(Index count, T* out) = 0;
};

/// The model of a table of this precision. The table must outlive the model.
template <typename T>
[[nodiscard]] std::unique_ptr<DensityModel<T>> make_density_model(const KernelTable& table);

// The implementations. There are two for KernelTable::Kind::whitened, for few and many features.
[[nodiscard]] std::unique_ptr<DensityModel<double>> make_feature_model(const KernelTable& table);
template <typename T>
[[nodiscard]] std::unique_ptr<DensityModel<T>> make_scaled_model(const KernelTable& table);
template <typename T>
[[nodiscard]] std::unique_ptr<DensityModel<T>> make_whitened_model(const KernelTable& table);
template <typename T>
[[nodiscard]] std::unique_ptr<DensityModel<T>> make_panel_model(const KernelTable& table);

}  // namespace lbw
