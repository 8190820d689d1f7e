// SPDX-License-Identifier: MIT
// A density table in the form that the vector kernels read. There are three methods for
// log-densities:
//
// features  They are linear in phi(x) = (x_a, x_a x_b), so one small matrix product gives all of
// them
//           and another all moment sums. This is the fastest method for few features. It loses
//           digits if a component is small compared with its distance from the center of all.
// whitened  log_scale - ||L^-1 (x - mean) / sqrt 2||^2, component by component. Always accurate.
// scaled    The same for diagonal L.
#pragma once

#include <lbw/moment_sums.hpp>

#include "device/forms.hpp"
#include "device/tables.hpp"

namespace lbw {

/// The largest distance of a mean from the origin, in standard deviations of its component.
/// @param means  those of the table about the origin
[[nodiscard]] double most_deviations(const DensityTable& table, const RowMatrix& means);

struct KernelTable {
  enum class Kind { features, whitened, scaled };

  Kind kind = Kind::whitened;
  Precision precision = Precision::f64;
  Vector origin;     ///< subtracted from every sample first
  RowMatrix means;   ///< about the origin
  Vector log_scale;  ///< as in DensityTable
  FormTable forms;   ///< features only: log joint densities of phi(x - origin)
  /// whitened: L^-1 / sqrt 2, lower triangular, one or one per component; scaled: columns (d, 1).
  std::vector<Matrix> whitening;

  /// The fastest table that is accurate to about ten digits, or to the given precision. It uses
  /// double precision if numbers are out of the range of single precision.
  [[nodiscard]] static KernelTable fastest(const DensityTable& table, Precision precision);
  /// The most accurate one.
  [[nodiscard]] static KernelTable accurate(const DensityTable& table);

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  /// The number of moments per component without the weight, as in PassSums::moments.
  [[nodiscard]] Index n_terms() const;
  [[nodiscard]] const Matrix& whitening_of(Index component) const {
    return whitening[whitening.size() == 1 ? 0 : static_cast<std::size_t>(component)];
  }
};

}  // namespace lbw
