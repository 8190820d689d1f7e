// SPDX-License-Identifier: MIT
#include "mixture/fit_source.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"
#include "mixture/fit_stages.hpp"
#include "mixture/holdout.hpp"
#include "mixture/subsample.hpp"
#include "mixture/unchecked.hpp"
#include "mixture/whole_sample.hpp"

namespace lbw {

namespace {

constexpr const char* source_fitting = "fit_mixture";

void check_summary(const SourceSummary& summary) {
  require(summary.n_samples > 0 && summary.n_features > 0, source_fitting, ": the source has ",
          counted(summary.n_samples, "row"), " and ", counted(summary.n_features, "feature"),
          ", expected one or more");
  const bool counts = summary.n_positive > 0 && summary.n_positive <= summary.n_samples &&
                      (summary.has_weights || summary.n_positive == summary.n_samples);
  require(counts, source_fitting, ": the source has ", summary.n_positive, " of ",
          summary.n_samples,
          " rows with a positive weight, expected one or more, and all without weights");
  require(std::isfinite(summary.weight) && summary.weight > 0.0 &&
              std::isfinite(summary.squared_weight) && summary.squared_weight > 0.0,
          source_fitting, ": the weights of the source sum to ", summary.weight,
          " and their squares to ", summary.squared_weight,
          ", expected finite numbers above 0; scale the weights");
}

void check_sums(const MomentSums& sums, const Mixture& mixture) {
  require(sums.covariance_type == mixture.covariance_type && sums.centers == mixture.means,
          source_fitting,
          ": the source returned sums under another mixture than the requested one");
  require(std::isfinite(sums.weight) && sums.weight > 0.0 && std::isfinite(sums.log_likelihood),
          source_fitting, ": the source returned sums with the weight ", sums.weight,
          " and the log-likelihood ", sums.log_likelihood,
          ", expected finite numbers and a weight above 0");
  check_finite_sums(sums, source_fitting);
}

SumsOf sums_of_source(SampleSource& source, RowPart part, const MixtureOptions& options,
                      Precision precision) {
  return [&source, &options, part, precision](const Mixture& mixture) {
    throw_if_stopped(options.execution);
    MomentSums sums = source.moment_sums(
        {.mixture = mixture, .precision = precision, .part = part, .seed = options.seed});
    throw_if_stopped(options.execution);
    check_sums(sums, mixture);
    return sums;
  };
}

/// Rows of the source; rows that are not of the part have the weight 0.
RowsAndWeights rows_of_part(SampleSource& source, std::span<const Index> ascending, RowPart part,
                            std::uint64_t seed) {
  RowsAndWeights fetched = fetch_rows(source, ascending);
  if (part == RowPart::all) return fetched;
  if (fetched.weights.empty()) fetched.weights.assign(ascending.size(), 1.0);
  HeldOutRows held_out(seed);
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    if (held_out.contains(ascending[i]) == (part == RowPart::fitted)) fetched.weights[i] = 0.0;
  }
  return fetched;
}

/// A source and the part of its rows that is fitted.
struct SourcePart {
  SampleSource& source;
  RowPart part = RowPart::all;
  SourceSummary summary;  ///< of the part, except n_samples

  /// Kish's effective sample size of the weights.
  [[nodiscard]] double effective_weights() const {
    return summary.weight * summary.weight / summary.squared_weight;
  }

  /// Kish's effective number of all rows of the source; for a part of them, or without weights,
  /// their number.
  [[nodiscard]] double effective_size() const {
    const bool weighted = summary.has_weights && part == RowPart::all;
    return weighted ? effective_weights() : static_cast<double>(summary.n_samples);
  }

  [[nodiscard]] CountedSamples counted() const {
    const auto n = static_cast<double>(summary.n_positive);
    return {n, summary.has_weights ? std::max(summary.weight, effective_weights()) / n : 1.0};
  }
};

SampleSpread spread_about_rows(const SourcePart& data, const WeightedSamples& some,
                               CovarianceType type, const MixtureOptions& options) {
  const SumsOf sums_of = sums_of_source(data.source, data.part, options, Precision::f64);
  const Matrix unit =
      layout_of(type).has_matrices()
          ? Matrix(Matrix::Identity(data.summary.n_features, data.summary.n_features))
          : Matrix(Matrix::Ones(layout_of(type).n_rows(data.summary.n_features), 1));
  const auto sums_about = [&](const Vector& center) {
    return sums_of(with_shared_covariance(type, Vector::Ones(1), center.transpose(), unit));
  };
  return sample_spread(sums_about, rough_mean(some), type);
}

/// The number of rows that are fetched to know about where all rows are.
constexpr Index rows_for_rough_mean = 1024;

RowsAndWeights starting_rows(const SourcePart& data, Index wanted, std::uint64_t seed) {
  const Index size = std::min(wanted, data.summary.n_samples);
  return rows_of_part(data.source, subsample_indices(data.summary.n_samples, size, seed), data.part,
                      seed);
}

MixtureFit fit_all_rows(const SourcePart& data, const MixtureOptions& options) {
  std::vector<Index> all(to_size(data.summary.n_samples));
  std::iota(all.begin(), all.end(), Index{0});
  const auto [rows, weights] = rows_of_part(data.source, all, data.part, options.seed);
  if (data.part == RowPart::all) return fit_mixture(rows, options, weights);
  check_fit_arguments({rows, weights}, options);
  return fit_mixture_unchecked({rows, weights}, options);  // as select_components of samples does
}

SourceSummary summary_of_part(SampleSource& source, const SourcePartSize& size) {
  SourceSummary summary = source.summary();
  check_summary(summary);
  if (size.part == RowPart::all) return summary;
  summary.has_weights = true;
  summary.n_positive = size.n_rows;
  summary.weight = summary.squared_weight = static_cast<double>(size.n_rows);
  return summary;
}

/// The fit of more rows than are fetched.
/// @param some  rows on which EM starts, or a few rows if it does not need them
MixtureFit fit_large_part(const SourcePart& data, const WeightedSamples& some,
                          const MixtureOptions& options) {
  const SampleSpread spread = spread_about_rows(data, some, options.covariance_type, options);
  const WholeSample whole = whole_sample(spread, data.counted(), options);
  if (is_single(options)) return single_component(whole, options);
  const SumsOf sums_of = sums_of_source(data.source, data.part, options, options.precision);
  if (options.initial) {
    return expectation_maximization(sums_of, *options.initial, options, whole.regularization, {});
  }
  return fit_from_subsample(sums_of, data.summary.n_samples, some, options, whole);
}

}  // namespace

RowsAndWeights fetch_rows(SampleSource& source, std::span<const Index> ascending) {
  std::vector<Index> distinct(ascending.begin(), ascending.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  RowsAndWeights fetched = source.rows(distinct);
  const auto& [rows, weights] = fetched;
  require(rows.rows() == std::ssize(distinct), source_fitting, ": the source returned ",
          counted(rows.rows(), "row"), " for ", distinct.size(), " indices");
  check_samples(rows, source_fitting, "rows of the source", {});
  check_block_weights({rows, weights}, source_fitting);
  if (distinct.size() == ascending.size()) return fetched;
  RowsAndWeights result{RowMatrix(std::ssize(ascending), rows.cols()), {}};
  for (Index i = 0, from = 0; i < std::ssize(ascending); ++i) {
    if (at(distinct, from) != at(ascending, i)) ++from;
    result.rows.row(i) = rows.row(from);
    if (!weights.empty()) result.weights.push_back(at(weights, from));
  }
  return result;
}

SampleSpread source_spread(SampleSource& source, CovarianceType type,
                           const MixtureOptions& options) {
  const SourcePart data{source, RowPart::all, summary_of_part(source, {})};
  const auto [rows, weights] = starting_rows(data, rows_for_rough_mean, options.seed);
  return spread_about_rows(data, {rows, weights}, type, options);
}

MixtureFit fit_source_part(SampleSource& source, const SourcePartSize& size,
                           const MixtureOptions& options) {
  const SourcePart data{source, size.part, summary_of_part(source, size)};
  const SourceSummary& summary = data.summary;
  check_options(options_of(options), source_fitting);
  check_execution(options.execution, source_fitting);
  check_fit_options(options, summary.n_features, summary.n_positive, summary.has_weights);
  const Index start_size =
      samples_to_start_on(summary.n_samples, data.effective_size(), summary.n_features, options);
  if (start_size >= summary.n_samples) return fit_all_rows(data, options);
  if (options.initial || is_single(options)) {
    const auto [rows, weights] = starting_rows(data, rows_for_rough_mean, options.seed);
    return fit_large_part(data, {rows, weights}, options);
  }
  const auto [rows, weights] = starting_rows(data, start_size, options.seed);
  const Index n_distinct = n_distinct_samples({rows, weights}, options.n_components);
  require(n_distinct > 0, source_fitting, ": all ", rows.rows(),
          " rows of the subsample have the weight 0; increase start_samples");
  if (n_distinct < options.n_components) {
    return fit_with_copies(options, n_distinct, [&](const MixtureOptions& fewer) {
      return fit_source_part(source, size, fewer);
    });
  }
  return fit_large_part(data, {rows, weights}, options);
}

MixtureFit fit_mixture(SampleSource& source, const MixtureOptions& options) {
  return fit_source_part(source, {}, options);
}

}  // namespace lbw
