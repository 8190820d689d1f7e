// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/transport.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/weights.hpp"
#include "gaussian/unchecked.hpp"
#include "mixture/covariances.hpp"
#include "transport/couple.hpp"
#include "transport/feature_scales.hpp"
#include "transport/kept_groups.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

/// If the fixed-point iteration stops above this residual, an error is thrown.
constexpr double accepted_residual = 1e-8;
/// A few hundred steps are needed for condition numbers of 1e8, a dozen otherwise.
constexpr int most_steps = 2000;

/// Compact covariances of the members of a tuple, one per group.
std::vector<Matrix> member_covariances(const TransportModel& model, Index tuple) {
  std::vector<Matrix> covariances;
  for (Index g = 0; g < model.n_groups(); ++g) {
    covariances.push_back(
        compact_covariance(at(model.mixtures, g), model.coupling.tuples(tuple, g)));
  }
  return covariances;
}

/// Equal means give exactly that mean, despite rounding of the weights.
Vector average_mean(const TransportModel& model, Index tuple, std::span<const double> weights) {
  const auto mean_of = [&](Index g) {
    return at(model.mixtures, g).means.row(model.coupling.tuples(tuple, g));
  };
  Vector mean = Vector::Zero(model.n_features());
  bool equal = true;
  for (Index g = 0; g < model.n_groups(); ++g) {
    mean += at(weights, g) * mean_of(g).transpose();
    equal = equal && mean_of(g) == mean_of(0);
  }
  return equal ? Vector(mean_of(0).transpose()) : mean;
}

// Diagonal covariances commute, so the standard deviations are averaged. A weight of 1 must give
// the member itself exactly.
Matrix average_of_variances(const std::vector<Matrix>& variances, std::span<const double> weights) {
  Matrix deviation = Matrix::Zero(variances.front().rows(), 1);
  for (std::size_t g = 0; g < variances.size(); ++g) {
    if (weights[g] == 1.0) return variances[g];
    deviation += weights[g] * variances[g].cwiseSqrt();
  }
  return deviation.cwiseAbs2();
}

/// Applies Algorithm 1 to the members of a tuple.
Matrix average_of_matrices(const std::vector<Matrix>& covariances, std::span<const double> weights,
                           Index tuple, const Vector& scales) {
  std::vector<Gaussian> members;
  for (const Matrix& covariance : covariances) {
    members.push_back({Vector::Zero(covariance.rows()), scaled(covariance, scales)});
  }
  const BarycenterResult result =
      barycenter_unchecked(members, weights, {.max_iterations = most_steps});
  if (result.converged || result.residual <= accepted_residual) {
    return unscaled(result.barycenter.covariance, scales);
  }
  throw NumericalError(message("barycenter: the fixed-point iteration of tuple ", tuple,
                               " did not converge in ", counted(result.iterations, "step"),
                               " (residual ", result.residual,
                               "); increase covariance_floor in the fit"));
}

Matrix tuple_covariance(const TransportModel& model, Index tuple, std::span<const double> weights) {
  const std::vector<Matrix> covariances = member_covariances(model, tuple);
  const bool equal = std::ranges::all_of(
      covariances, [&](const Matrix& covariance) { return covariance == covariances.front(); });
  if (equal) return covariances.front();
  const CovarianceType type = model.mixtures.front().covariance_type;
  return layout_of(type).has_matrices()
             ? average_of_matrices(covariances, weights, tuple, model.scales)
             : average_of_variances(covariances, weights);
}

}  // namespace

Mixture barycenter(const TransportModel& model, std::span<const double> given,
                   const Execution& execution) {
  check_model(model, "barycenter");
  return barycenter_unchecked(model, given, execution);
}

Mixture barycenter_unchecked(const TransportModel& model, std::span<const double> given,
                             const Execution& execution) {
  check_execution(execution, "barycenter");
  const std::vector<double> normalized =
      normalized_weights(given, model.n_groups(), "barycenter", "barycentric_weights");
  const std::vector<double> weights = weights_of_fitted(model, normalized, "barycenter");
  const Index n_tuples = model.coupling.tuples.rows();
  Mixture mixture;
  mixture.covariance_type = model.mixtures.front().covariance_type;
  // Deviation P3 (Algorithm 3): the weight of a tuple is the average weight of its members.
  mixture.weights =
      tuple_masses(model) * Eigen::Map<const Vector>(weights.data(), model.n_groups());
  mixture.weights /= mixture.weights.sum();
  mixture.means.resize(n_tuples, model.n_features());
  for (Index t = 0; t < n_tuples; ++t) {
    mixture.means.row(t) = average_mean(model, t, weights).transpose();
  }
  mixture.covariances.resize(to_size(layout_of(mixture.covariance_type).n_matrices(n_tuples)));
  // chunks of a few hundred microseconds each, which depend only on the dimension
  const Index d = model.n_features();
  const Chunks chunks{std::ssize(mixture.covariances), std::max<Index>(1, 1'000 / (d * d * d))};
  const auto work = static_cast<double>(std::ssize(mixture.covariances) * (200 * d * d * d + 500));
  for_each_chunk(chunks.count(), threads_worth(work, execution), [&](Index chunk) {
    for (Index t = chunks.begin(chunk); t < chunks.end(chunk); ++t) {
      at(mixture.covariances, t) = tuple_covariance(model, t, weights);
    }
  });
  return mixture;
}

}  // namespace lbw
