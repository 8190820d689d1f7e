// SPDX-License-Identifier: MIT
#include "mixture/shrink.hpp"

#include <lbw/moment_sums.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

/// tr(S) / d of a compact covariance.
double mean_variance(const Matrix& compact, CovarianceType type) {
  return layout_of(type).has_matrices() ? compact.diagonal().mean() : compact.mean();
}

/// A compact covariance of features in units of scales; empty scales mean 1.
Matrix in_units(const Matrix& compact, CovarianceType type, const Vector& scales) {
  if (scales.size() == 0 || layout_of(type).is_spherical()) return compact;
  // divided twice, since squares of scales may overflow
  Matrix divided = (compact.array().colwise() / scales.array()).matrix();
  if (layout_of(type).has_matrices()) {
    divided.array().rowwise() /= scales.transpose().array();
  } else {
    divided.array().colwise() /= scales.array();
  }
  return divided;
}

bool is_amount(double value) { return value >= 0.0 && value <= 1.0; }

}  // namespace

double shrinkage_amount(const Shrinkage& shrinkage, const Matrix& compact, CovarianceType type,
                        double n_samples, const Vector& scales) {
  if (layout_of(type).is_spherical() || compact.rows() == 1) return 0.0;
  if (!shrinkage.automatic) return shrinkage.amount;
  const Matrix divided = in_units(compact, type, scales);
  const double mean = mean_variance(divided, type);
  if (!(mean > 0.0)) return 0.0;
  const auto d = static_cast<double>(compact.rows());
  const bool diagonal = !layout_of(type).has_matrices();
  // in units of the mean variance, tr(S) is d and squares do not overflow
  const double square = (divided / mean).squaredNorm();
  const double errors = diagonal ? (2.0 - 2.0 / d) * square : (1.0 - 2.0 / d) * square + d * d;
  const double spread = (n_samples + (diagonal ? 2.0 : 1.0) - 2.0 / d) * (square - d);
  // avoids a division by 0 for equal variances
  return errors >= spread ? 1.0 : errors / spread;
}

void shrink(Matrix& compact, CovarianceType type, double amount, const Vector& scales) {
  if (amount == 0.0 || layout_of(type).is_spherical()) return;
  const double target = amount * mean_variance(in_units(compact, type, scales), type);
  compact *= 1.0 - amount;
  const Index d = compact.rows();
  const Vector units = scales.size() == 0 ? Vector(Vector::Ones(d)) : scales;
  const Vector targets = target * units.cwiseAbs2();
  if (layout_of(type).has_matrices()) {
    compact.diagonal() += targets;
  } else {
    compact += targets;
  }
}

void check_shrinkage(const Shrinkage& shrinkage, const char* function) {
  require(shrinkage.automatic || is_amount(shrinkage.amount), function, ": shrinkage is ",
          shrinkage.amount, ", expected a number from 0 to 1 or automatic");
}

}  // namespace lbw
