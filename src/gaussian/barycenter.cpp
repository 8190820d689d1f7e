// SPDX-License-Identifier: MIT
#include <lbw/gaussian.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/message.hpp"
#include "core/weights.hpp"
#include "gaussian/check.hpp"
#include "gaussian/unchecked.hpp"
#include "linalg/multiply.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

struct Weighted {  // the Gaussians of positive weight, with weights that sum to 1
  std::vector<const Gaussian*> gaussians;
  std::vector<double> weights;

  [[nodiscard]] std::size_t size() const { return gaussians.size(); }
};

Weighted with_weight(std::span<const Gaussian> gaussians, std::span<const double> weights) {
  Weighted kept;
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) continue;
    kept.gaussians.push_back(&gaussians[i]);
    kept.weights.push_back(weights[i]);
    sum += weights[i];
  }
  for (double& weight : kept.weights) weight /= sum;
  return kept;
}

Vector weighted_mean(const Weighted& input) {
  Vector mean = Vector::Zero(input.gaussians.front()->mean.size());
  for (std::size_t i = 0; i < input.size(); ++i)
    mean += input.weights[i] * input.gaussians[i]->mean;
  return mean;
}

bool all_covariances_equal(const Weighted& input) {
  return std::all_of(input.gaussians.begin(), input.gaussians.end(), [&](const Gaussian* gaussian) {
    return gaussian->covariance == input.gaussians.front()->covariance;
  });
}

/// Factors B_i of the covariances.
std::vector<Matrix> factors_of(const Weighted& input) {
  std::vector<Matrix> factors;
  for (const Gaussian* gaussian : input.gaussians) {
    factors.push_back(psd_root(gaussian->covariance));
  }
  return factors;
}

// One step from the current S = G G^T. With B_i^T G = U_i Sigma_i V_i^T, the map of Eq. 3 from S to
// S_i maps G to B_i Q_i, Q_i = U_i V_i^T, so the step S <- T S T of Algorithm 1 with
// T = sum_i w_i T_i is
//   G <- T G = sum_i w_i B_i Q_i.
// It needs no inverse and no root, so S_i may be singular.
// Deviation P1 (Algorithm 1, step 2): maps run from the current barycenter to each covariance. The
// printed version diverges.
// Row f of T G - G has the length sqrt([(T - I) S (T - I)]_ff).
struct Step {
  Matrix next;
  double residual = 0.0;
};

double largest_relative_change(const Matrix& next, const Matrix& current) {
  double largest = 0.0;
  for (Index row = 0; row < current.rows(); ++row) {
    const double change = (next.row(row) - current.row(row)).stableNorm();
    if (change > 0.0) largest = std::max(largest, change / current.row(row).stableNorm());
  }
  return largest;
}

Step step_from(const Matrix& current, const std::vector<Matrix>& factors,
               const std::vector<double>& weights) {
  Step step{Matrix::Zero(current.rows(), current.cols()), 0.0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Matrix& factor = factors[i];
    const Svd svd = svd_of_product(factor, current);
    step.next += weights[i] * (factor * (svd.left * svd.right.transpose()));
  }
  step.residual = largest_relative_change(step.next, current);
  return step;
}

// C Sa C with C = w_a I + w_b T is G G^T with G = w_a A + w_b B Q: A^T B = U Sigma V^T, Q = V U^T.
Matrix factor_of_two(const std::vector<Matrix>& factors, const std::vector<double>& weights) {
  const Matrix& a = factors[0];
  const Matrix& b = factors[1];
  const Svd svd = svd_of_product(a, b);
  return weights[0] * a + weights[1] * (b * (svd.right * svd.left.transpose()));
}

// Algorithm 1 starts from the average covariance, whose range contains the range of every S_i.
Matrix starting_factor(const Weighted& input) {
  const Index n = input.gaussians.front()->mean.size();
  Matrix average = Matrix::Zero(n, n);
  for (std::size_t i = 0; i < input.size(); ++i) {
    average += input.weights[i] * input.gaussians[i]->covariance;
  }
  return psd_root(average);
}

Matrix covariance_of(const Matrix& factor) { return symmetrized(factor * factor.transpose()); }

BarycenterResult closed_form(const Weighted& input) {
  const std::vector<Matrix> factors = factors_of(input);
  const Matrix factor = factor_of_two(factors, input.weights);
  const double residual = step_from(factor, factors, input.weights).residual;
  return {{weighted_mean(input), covariance_of(factor)}, 0, residual, true};
}

// Deviation P5 (Algorithm 1): the paper does not specify the stopping rule. The iteration stops
// when a step changes no feature by more than the tolerance, relative to its standard deviation.
BarycenterResult fixed_point(const Weighted& input, const BarycenterOptions& options) {
  const std::vector<Matrix> factors = factors_of(input);
  Matrix factor = starting_factor(input);
  Step step = step_from(factor, factors, input.weights);
  int iterations = 0;
  while (step.residual > options.tolerance && iterations < options.max_iterations) {
    factor = step.next;
    step = step_from(factor, factors, input.weights);
    ++iterations;
  }
  return {{weighted_mean(input), covariance_of(factor)},
          iterations,
          step.residual,
          step.residual <= options.tolerance};
}

void check_arguments(std::span<const Gaussian> gaussians, const BarycenterOptions& options) {
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    check_gaussian(gaussians[i], "barycenter", message("gaussians[", i, "]"));
    require(gaussians[i].mean.size() == gaussians[0].mean.size(), "barycenter: gaussians[", i,
            "] has ", counted(gaussians[i].mean.size(), "feature"), " and gaussians[0] ",
            gaussians[0].mean.size(), ", expected equal numbers");
  }
  require(options.tolerance >= 0.0 && std::isfinite(options.tolerance), "barycenter: tolerance is ",
          options.tolerance, ", expected a finite number >= 0");
  require(options.max_iterations >= 1, "barycenter: max_iterations is ", options.max_iterations,
          ", expected at least 1");
}

}  // namespace

BarycenterResult barycenter_unchecked(std::span<const Gaussian> gaussians,
                                      std::span<const double> barycentric_weights,
                                      const BarycenterOptions& options) {
  const Weighted input = with_weight(gaussians, barycentric_weights);
  const Gaussian& first = *input.gaussians.front();
  if (input.size() == 1) return {first, 0, 0.0, true};
  if (all_covariances_equal(input)) {
    return {{weighted_mean(input), first.covariance}, 0, 0.0, true};
  }
  return input.size() == 2 ? closed_form(input) : fixed_point(input, options);
}

BarycenterResult barycenter(std::span<const Gaussian> gaussians,
                            std::span<const double> barycentric_weights,
                            const BarycenterOptions& options) {
  require(!gaussians.empty(), "barycenter: gaussians is empty, expected one or more");
  const std::vector<double> weights = normalized_weights(barycentric_weights, std::ssize(gaussians),
                                                         "barycenter", "barycentric_weights");
  check_arguments(gaussians, options);
  return barycenter_unchecked(gaussians, weights, options);
}

std::vector<double> normalized_weights(std::span<const double> barycentric_weights) {
  return normalized_weights(barycentric_weights, std::ssize(barycentric_weights),
                            "normalized_weights", "barycentric_weights");
}

}  // namespace lbw
