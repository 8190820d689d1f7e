// SPDX-License-Identifier: MIT
#include "mixture/m_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/covariances.hpp"
#include "mixture/digest.hpp"
#include "mixture/shrink.hpp"

namespace lbw {

namespace {

/// A component with less than this fraction of one copy of a sample counts as empty.
/// relevant_to_moments in device/density_model.hpp relies on it, and on at most this many copies.
constexpr double emptied = 1e-3;
constexpr double most_copies = 1e9;

double samples_held(const MomentSums& sums, Index component) {
  return sums.component_weight[component] / sums.weight * static_cast<double>(sums.n_samples);
}

/// Whether a component has too little weight for an estimate. A sample of weight 2 counts as two.
bool is_empty(const MomentSums& sums, Index component, const Regularization& regularization) {
  const auto n = static_cast<double>(sums.n_samples);
  const double copies = std::clamp(regularization.copies, 1.0, std::max(1.0, most_copies / n));
  return samples_held(sums, component) * copies < emptied;
}

/// Mean shift since the pass: sum of w r (x - c) / sum of w r.
Vector shift_of(const MomentSums& sums, Index component) {
  return sums.first.row(component).transpose() / sums.component_weight[component];
}

// Covariance about the new mean: sum of w r (x - c)(x - c)^T / sum of w r - shift shift^T.
Matrix estimated_covariance(const MomentSums& sums, Index component,
                            const Regularization& regularization) {
  Matrix covariance =
      centered_covariance(at(sums.second, component) / sums.component_weight[component],
                          shift_of(sums, component), sums.covariance_type);
  regularize(covariance, sums.covariance_type, regularization, samples_held(sums, component));
  return covariance;
}

Matrix estimated_tied_covariance(const MomentSums& sums, const Regularization& regularization) {
  Matrix scatter = sums.second.front();
  for (Index i = 0; i < sums.centers.rows(); ++i) {
    if (!(sums.component_weight[i] > 0.0)) continue;
    const Vector shift = shift_of(sums, i);
    scatter -= sums.component_weight[i] * (shift * shift.transpose());
  }
  Matrix covariance = scatter / sums.weight;
  regularize(covariance, sums.covariance_type, regularization, static_cast<double>(sums.n_samples));
  return covariance;
}

bool positive_definite(const Matrix& compact, const MomentSums& sums) {
  return compact.allFinite() && is_positive_definite(compact, sums.covariance_type);
}

/// Sets mean and covariance of one component. Returns false and changes nothing if it is lost.
bool estimate_component(const MomentSums& sums, Index component,
                        const Regularization& regularization, Mixture& next) {
  if (is_empty(sums, component, regularization)) return false;
  if (!layout_of(sums.covariance_type).is_shared) {
    const Matrix covariance = estimated_covariance(sums, component, regularization);
    if (!positive_definite(covariance, sums)) return false;
    at(next.covariances, component) = covariance;
  }
  next.means.row(component) += shift_of(sums, component).transpose();
  return true;
}

/// Whether the samples are too few to estimate a covariance, however they lie.
bool has_too_few(const Mixture& current, const MomentSums& sums,
                 const Regularization& regularization) {
  return spans_too_little(static_cast<double>(sums.n_samples), current.n_features(),
                          sums.covariance_type, regularization);
}

/// Whether the sums are enough to estimate a covariance.
bool has_estimate(const Mixture& current, const MomentSums& sums,
                  const Regularization& regularization) {
  if (has_too_few(current, sums, regularization)) return false;
  if (layout_of(sums.covariance_type).is_shared) {
    return positive_definite(estimated_tied_covariance(sums, regularization), sums);
  }
  Mixture next = current;
  for (Index i = 0; i < current.n_components(); ++i) {
    if (estimate_component(sums, i, regularization, next)) return true;
  }
  return false;
}

/// Weighted average of the compact covariances of the components that are not lost.
Matrix average_covariance(const Mixture& mixture, const std::vector<Index>& lost) {
  if (layout_of(mixture.covariance_type).is_shared) return mixture.covariances.front();
  Matrix sum = Matrix::Zero(mixture.covariances.front().rows(), mixture.covariances.front().cols());
  double weight = 0.0;
  for (Index i = 0; i < mixture.n_components(); ++i) {
    if (std::find(lost.begin(), lost.end(), i) != lost.end()) continue;
    sum += mixture.weights[i] * compact_covariance(mixture, i);
    weight += mixture.weights[i];
  }
  return weight > 0.0 ? Matrix(sum / weight) : compact_covariance(mixture, lost.front());
}

void put_on_worst_sample(const MomentSums& sums, const std::vector<Index>& lost, Mixture& next) {
  const Index component = lost.front();
  const Matrix covariance = average_covariance(next, lost);
  next.means.row(component) = sums.worst_sample.transpose();
  if (!layout_of(next.covariance_type).is_shared) {
    at(next.covariances, component) = covariance;
  }
  const double share = 1.0 / static_cast<double>(next.n_components());
  next.weights[component] = 0.0;
  next.weights *= (1.0 - share) / std::max(next.weights.sum(), 1e-300);
  next.weights[component] = 1.0 - next.weights.sum();
}

}  // namespace

NextMixture m_step(const Mixture& current, const MomentSums& sums,
                   const Regularization& regularization, LostComponents lost_components) {
  NextMixture next{current};
  next.mixture.weights = sums.component_weight / sums.component_weight.sum();
  bool is_estimated = true;
  if (layout_of(sums.covariance_type).is_shared) {
    const Matrix covariance = estimated_tied_covariance(sums, regularization);
    is_estimated = positive_definite(covariance, sums);
    if (is_estimated) next.mixture.covariances.front() = covariance;
  }
  std::vector<Index> lost;
  for (Index i = 0; i < current.n_components(); ++i) {
    if (!estimate_component(sums, i, regularization, next.mixture)) lost.push_back(i);
  }
  const bool puts_back = !lost.empty() && lost_components == LostComponents::put_back;
  if (puts_back) {
    put_on_worst_sample(sums, lost, next.mixture);
    next.replaced_components = 1;
  }
  const auto has_samples = [&](Index component) {
    return !is_empty(sums, component, regularization);
  };
  next.unestimated_components = static_cast<int>(
      is_estimated ? std::count_if(lost.begin() + (puts_back ? 1 : 0), lost.end(), has_samples)
                   : current.n_components());
  return next;
}

NextMixture next_mixture(const Mixture& current, const MomentSums& sums, double covariance_floor,
                         const Shrinkage& shrinkage) {
  check_mixture(current, "next_mixture", "current");
  require(covariance_floor >= 0.0 && std::isfinite(covariance_floor),
          "next_mixture: covariance_floor is ", covariance_floor, ", expected a number >= 0");
  check_shrinkage(shrinkage, "next_mixture");
  require(sums.covariance_type == current.covariance_type &&
              sums.centers.rows() == current.means.rows() &&
              sums.centers.cols() == current.means.cols() && sums.centers == current.means &&
              (sums.mixture == 0 || sums.mixture == digest_of(current)),
          "next_mixture: sums were not computed with the mixture current");
  require(sums.weight > 0.0 && std::isfinite(sums.log_likelihood),
          "next_mixture: sums contain no samples of finite density under current");
  // sums do not tell how weights differ, so this is sample_count without Kish's effective size
  const double copies = sums.weight / static_cast<double>(sums.n_samples);
  const Regularization regularization{
      .floor = covariance_floor, .shrinkage = shrinkage, .copies = std::max(1.0, copies)};
  if (!has_estimate(current, sums, regularization)) {
    const bool is_of_all = has_too_few(current, sums, regularization) ||
                           layout_of(sums.covariance_type).is_shared || current.n_components() == 1;
    throw NumericalError(message(
        "next_mixture: ",
        is_of_all
            ? message("the ", counted(sums.n_samples, "sample"), " of sums do not span their ")
            : "no component has samples that span the ",
        counted(current.n_features(), "feature"),
        " in double precision with a covariance_floor of ", covariance_floor,
        "; use fewer components, add the sums of more samples, or increase covariance_floor"));
  }
  return m_step(current, sums, regularization, LostComponents::put_back);
}

}  // namespace lbw
