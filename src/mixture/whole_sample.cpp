// SPDX-License-Identifier: MIT
#include "mixture/whole_sample.hpp"

#include <algorithm>
#include <limits>

#include "core/message.hpp"
#include "core/sample_count.hpp"
#include "linalg/multiply.hpp"
#include "mixture/covariances.hpp"
#include "mixture/em_run.hpp"

namespace lbw {

namespace {

/// Starts with narrow components divide variances by 1e6.
constexpr double least_variance = 1e6 * std::numeric_limits<double>::min();

[[noreturn]] void throw_tiny(double variance) {
  throw NumericalError(
      message("fit_mixture: the variance of a feature is ", variance,
              ", which is too small for double precision; rescale features of standard deviations "
              "below 1e-150, or increase covariance_floor"));
}

[[noreturn]] void throw_singular(Index n_features, const Matrix& spread,
                                 const MixtureOptions& options) {
  const double enough = 1e-12 * variances_of(spread, options.covariance_type).maxCoeff();
  throw NumericalError(
      message("fit_mixture: the samples do not span their ", counted(n_features, "feature"),
              " in double precision: their covariance plus the covariance_floor of ",
              options.covariance_floor,
              " is singular; drop constant or repeated features, fit clusters that are more than "
              "1e7 standard deviations apart as separate groups, or increase covariance_floor",
              enough > 0.0 ? " to " : "", enough > 0.0 ? to_text(enough) : ""));
}

/// The mean log-density of samples under a single component with their mean.
/// @param covariance  the compact covariance of the samples
double mean_log_density(const Mixture& mixture, const Matrix& covariance) {
  const DensityTable table = density_table(mixture);
  const Matrix& whitening = table.whitening.front();
  if (layout_of(mixture.covariance_type).has_matrices()) {
    const double squares = (whitening * covariance).cwiseProduct(whitening).sum();
    return table.log_scale[0] - 0.5 * squares;
  }
  const Index copies = mixture.n_features() / whitening.rows();
  return table.log_scale[0] -
         0.5 * static_cast<double>(copies) * whitening.cwiseAbs2().cwiseProduct(covariance).sum();
}

}  // namespace

CountedSamples counted_samples(const WeightedSamples& samples) {
  if (samples.weights.empty()) return {static_cast<double>(samples.samples.n_samples()), 1.0};
  const auto n_positive = static_cast<double>(std::count_if(
      samples.weights.begin(), samples.weights.end(), [](double weight) { return weight > 0.0; }));
  return {n_positive, sample_count(samples.weights).count / n_positive};
}

WholeSample whole_sample(const SampleSpread& spread, const CountedSamples& count,
                         const MixtureOptions& options) {
  const CovarianceType type = options.covariance_type;
  Matrix compact = spread.covariance;
  Regularization regularization{options.covariance_floor, {}, options.shrinkage, count.copies};
  if (options.start_scales) regularization.scales = *options.start_scales;
  if (options.relative_covariance_floor > 0.0) {
    regularization.relative_floor = options.relative_covariance_floor * variances_of(compact, type);
    if (options.floor_variances) {
      const Vector& given = *options.floor_variances;
      regularization.relative_floor =
          options.relative_covariance_floor *
          (layout_of(type).is_spherical() ? Vector(Vector::Constant(1, given.mean())) : given);
    }
  }
  regularize(compact, type, regularization, count.n_positive);
  const double least = variances_of(compact, type).minCoeff();
  if (least > 0.0 && least < least_variance) throw_tiny(least);
  const Index d = spread.mean.size();
  if (spans_too_little(count.n_positive, d, type, regularization) ||
      !compact_whitening(compact, type, d)) {
    throw_singular(d, compact, options);
  }
  return {std::move(compact), std::move(regularization), spread.mean, spread.covariance};
}

bool is_single(const MixtureOptions& options) {
  return !options.initial && options.n_components == 1 && options.max_iterations > 0;
}

MixtureFit single_component(const WholeSample& whole, const MixtureOptions& options) {
  MixtureFit fit;
  fit.mixture = with_shared_covariance(options.covariance_type, Vector::Ones(1),
                                       whole.mean.transpose(), whole.spread);
  fit.mean_log_likelihood = mean_log_density(fit.mixture, whole.covariance);
  fit.converged = true;
  for (fit.iterations = 0; fit.iterations <= 1; ++fit.iterations) {
    fit.history.push_back(fit.mean_log_likelihood);
    report_step(options, {}, fit);
  }
  fit.iterations = 1;
  return fit;
}

}  // namespace lbw
