// SPDX-License-Identifier: MIT
// Maps, distances and barycenters of Gaussians in up to three dimensions.
#include <Eigen/Eigenvalues>
#include <lbw/gaussian.hpp>
#include <limits>
#include <vector>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

/// B B^T, often singular.
Matrix covariance_from(fuzz::FuzzInput& input, Index n) {
  const Matrix root = input.numbers(n, n);
  return root * root.transpose();
}

double cost_of(const Gaussian& candidate, const std::vector<Gaussian>& gaussians,
               const Vector& weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    sum += weights(static_cast<Index>(i)) * squared_distance(candidate, gaussians[i]);
  }
  return sum / weights.sum();
}

void check_map(const Gaussian& source, const Gaussian& target) {
  const Matrix map = map_matrix(source.covariance, target.covariance);
  fuzz::require(map.allFinite(), "a map is finite");
  fuzz::require((map - map.transpose()).norm() <= 1e-9 * map.norm(), "a map is symmetric");
  const double there = squared_distance(source, target);
  const double back = squared_distance(target, source);
  fuzz::require(there >= 0.0 && std::isfinite(there), "a distance is finite and not negative");
  const double scale = source.covariance.trace() + target.covariance.trace() +
                       (source.mean - target.mean).squaredNorm();
  fuzz::require(std::abs(there - back) <= 1e-7 * scale, "a distance is the same back");
}

void check_cost(const BarycenterResult& result, const std::vector<Gaussian>& gaussians,
                const Vector& weights) {
  const double cost = cost_of(result.barycenter, gaussians, weights);
  for (const Gaussian& own : gaussians) {
    const double other = cost_of(own, gaussians, weights);
    fuzz::require(!result.converged || cost <= other * (1.0 + 1e-6) + 1e-6,
                  "no group is closer to all than their barycenter");
  }
}

/// Whether maps and barycenters have about ten digits.
bool is_well_conditioned(const std::vector<Gaussian>& gaussians) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const Gaussian& own : gaussians) {
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(own.covariance).eigenvalues();
    least = std::min(least, values.minCoeff());
    most = std::max(most, values.maxCoeff());
  }
  return least > 1e-4 * most;
}

/// The definition: the mean is the mean of the means, and the maps to all groups average to the
/// identity.
void check_fixed_point(const BarycenterResult& result, const std::vector<Gaussian>& gaussians,
                       const Vector& weights) {
  const Index n = result.barycenter.mean.size();
  Vector mean = Vector::Zero(n);
  Matrix maps = Matrix::Zero(n, n);
  double scale = 1.0;
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    const double weight = weights(static_cast<Index>(i)) / weights.sum();
    mean += weight * gaussians[i].mean;
    maps += weight * map_matrix(result.barycenter.covariance, gaussians[i].covariance);
    scale = std::max(scale, gaussians[i].mean.norm());
  }
  fuzz::require((result.barycenter.mean - mean).norm() <= 1e-12 * scale, "means are averaged");
  fuzz::require(!result.converged || (maps - Matrix::Identity(n, n)).norm() <= 1e-4,
                "the maps of a barycenter average to the identity");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const Index n = input.whole(1, 3);
  std::vector<Gaussian> gaussians(static_cast<std::size_t>(input.whole(1, 4)));
  bool moderate = true;
  for (Gaussian& own : gaussians) {
    own = {Vector(input.numbers(n, 1)), covariance_from(input, n)};
    moderate = moderate && own.covariance.allFinite() && own.covariance.norm() <= 1e6 &&
               own.mean.norm() <= 1e6;
  }
  const Vector weights = input.weights(static_cast<Index>(gaussians.size()));
  const std::vector<double> list(weights.begin(), weights.end());
  BarycenterResult result;
  if (!fuzz::accepts([&] { result = barycenter(gaussians, list); })) return 0;
  fuzz::require(result.barycenter.mean.allFinite(), "the mean is finite");
  fuzz::require(result.barycenter.covariance.allFinite(), "the covariance is finite");
  if (!moderate) return 0;
  // maps and distances refuse deviations that differ by a factor of 1e60 within one covariance
  fuzz::accepts([&] {
    for (const Gaussian& own : gaussians) check_map(gaussians.front(), own);
    check_cost(result, gaussians, weights);
    if (is_well_conditioned(gaussians)) check_fixed_point(result, gaussians, weights);
  });
  return 0;
}
