// SPDX-License-Identifier: MIT
// A density table as the vector kernels read it. Three ways to evaluate log densities:
//
// features  They are linear in phi(x) = (x_a, x_a x_b): one small matrix product gives all of them,
//           another all moment sums. The fastest at small dimension; loses digits where a
//           component is tiny beside its distance from the middle of all.
// whitened  log_scale - ||L^-1 (x - mean) / sqrt 2||^2, component by component: always accurate.
// scaled    The same for diagonal L.
#pragma once

#include <lbw/moment_sums.hpp>

#include "device/forms.hpp"
#include "device/tables.hpp"

namespace lbw {

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

  /// The fastest table that is accurate to about ten digits, or to the precision asked for. Single
  /// precision gives way to double where numbers are too large or too small for it.
  [[nodiscard]] static KernelTable fastest(const DensityTable& table, Precision precision);
  /// The most accurate one.
  [[nodiscard]] static KernelTable accurate(const DensityTable& table);

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  /// Sums of products per component, beside the weight: PassSums::moments.
  [[nodiscard]] Index n_terms() const;
  [[nodiscard]] const Matrix& whitening_of(Index component) const {
    return whitening[whitening.size() == 1 ? 0 : static_cast<std::size_t>(component)];
  }
};

}  // namespace lbw
