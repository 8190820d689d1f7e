// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/sample_source.hpp>

#include "mixture/holdout.hpp"
#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

RowMatrix many_samples(Index n = 40000) {
  return sample(random_mixture({.n_components = 4, .n_features = 3, .seed = 5}), n, 1).samples;
}

MixtureOptions options_of_type(CovarianceType type) {
  MixtureOptions options;
  options.n_components = 4;
  options.covariance_type = type;
  options.seed = 3;
  return options;
}

/// A source of blocks that counts its passes and fetched rows.
class BlockSource : public SampleSource {
 public:
  explicit BlockSource(const RowMatrix& samples, std::vector<double> weights = {})
      : samples_(samples), weights_(std::move(weights)) {}

  SourceSummary summary() override { return ViewSource(samples_, weights_).summary(); }
  RowsAndWeights rows(std::span<const Index> ascending) override {
    EXPECT_TRUE(std::ranges::is_sorted(ascending));
    EXPECT_EQ(std::ranges::adjacent_find(ascending), ascending.end());
    n_fetched += std::ssize(ascending);
    return ViewSource(samples_, weights_).rows(ascending);
  }
  MomentSums moment_sums(const SumsRequest& request) override {
    ++n_passes;
    constexpr Index size = 7001;
    MomentSums sums = MomentSums::about(request.mixture.means, request.mixture.covariance_type);
    for (Index first = 0; first < samples_.rows(); first += size) {
      const Index count = std::min(size, samples_.rows() - first);
      const std::span<const double> own(weights_);
      sums += lbw::moment_sums(request, SampleView(samples_).rows(first, count),
                               own.empty() ? own
                                           : own.subspan(static_cast<std::size_t>(first),
                                                         static_cast<std::size_t>(count)),
                               first);
    }
    return sums;
  }

  int n_passes = 0;
  Index n_fetched = 0;

 private:
  const RowMatrix& samples_;
  std::vector<double> weights_;
};

/// Sums in another order differ in the last digits, and EM amplifies them in few steps only.
void expect_same_fit(const MixtureFit& fit, const MixtureFit& expected) {
  EXPECT_EQ(fit.iterations, expected.iterations);
  EXPECT_EQ(fit.start_iterations, expected.start_iterations);
  EXPECT_EQ(fit.converged, expected.converged);
  EXPECT_NEAR(fit.mean_log_likelihood, expected.mean_log_likelihood, 1e-10);
  EXPECT_TRUE(fit.mixture.weights.isApprox(expected.mixture.weights, 1e-8));
  EXPECT_TRUE(fit.mixture.means.isApprox(expected.mixture.means, 1e-8));
  ASSERT_EQ(fit.mixture.covariances.size(), expected.mixture.covariances.size());
  for (std::size_t i = 0; i < fit.mixture.covariances.size(); ++i) {
    EXPECT_TRUE(fit.mixture.covariances[i].isApprox(expected.mixture.covariances[i], 1e-8));
  }
}

TEST(FitSource, EqualsTheFitOfTheSameSamples) {
  const RowMatrix samples = many_samples();
  for (const CovarianceType type : all_covariance_types) {
    const MixtureOptions options = options_of_type(type);
    BlockSource source(samples);
    const MixtureFit fit = fit_mixture(source, options);
    ASSERT_GT(fit.start_iterations, 0);
    expect_same_fit(fit, fit_mixture(samples, options));
    EXPECT_EQ(source.n_fetched, start_sample_size(40000, 3, 4));
    EXPECT_EQ(source.n_passes, fit.iterations + 2);  // the spread, and the likelihood at first
  }
}

TEST(FitSource, EqualsTheFitOfWeightedSamples) {
  const RowMatrix samples = many_samples();
  std::vector<double> weights;
  for (Index i = 0; i < samples.rows(); ++i) weights.push_back(static_cast<double>(i % 4));
  MixtureOptions options = options_of_type(CovarianceType::full);
  options.shrinkage.automatic = true;
  options.relative_covariance_floor = 0.01;
  BlockSource source(samples, weights);
  expect_same_fit(fit_mixture(source, options), fit_mixture(samples, options, weights));
}

TEST(FitSource, FetchesMoreRowsToStartWhereFewCount) {
  const RowMatrix samples = many_samples();
  std::vector<double> weights(static_cast<std::size_t>(samples.rows()), 0.0);
  for (std::size_t i = 0; i < weights.size(); i += 8) weights[i] = 1.0;
  const MixtureOptions options = options_of_type(CovarianceType::full);
  BlockSource source(samples, weights);
  const MixtureFit fit = fit_mixture(source, options);
  const Index wanted = 8 * start_sample_size(40000, 3, 4);
  EXPECT_GT(source.n_fetched, wanted * 9 / 10);  // some rows are drawn twice
  EXPECT_LE(source.n_fetched, wanted);
  ASSERT_GT(fit.start_iterations, 0);
  expect_same_fit(fit, fit_mixture(samples, options, weights));
}

TEST(FitSource, FetchesFewRowsCompletely) {
  const RowMatrix samples = many_samples(1000);
  const MixtureOptions options = options_of_type(CovarianceType::full);
  BlockSource source(samples);
  const MixtureFit fit = fit_mixture(source, options);
  EXPECT_EQ(source.n_passes, 0);
  EXPECT_EQ(source.n_fetched, 1000);
  EXPECT_EQ(fit.history, fit_mixture(samples, options).history);
}

TEST(FitSource, FitsOneComponentInOnePass) {
  const RowMatrix samples = many_samples();
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options = options_of_type(type);
    options.n_components = 1;
    BlockSource source(samples);
    expect_same_fit(fit_mixture(source, options), fit_mixture(samples, options));
    EXPECT_EQ(source.n_passes, 1);
    EXPECT_EQ(source.n_fetched, 1024);  // to know about where all rows are
  }
}

TEST(FitSource, KeepsTheDigitsOfSamplesFarFromZero) {
  const RowMatrix samples = many_samples().array() + 1e8;
  MixtureOptions options = options_of_type(CovarianceType::full);
  options.n_components = 1;
  BlockSource source(samples);
  const MixtureFit fit = fit_mixture(source, options);
  const MixtureFit expected = fit_mixture(samples, options);
  // the samples themselves have eight digits after the point
  EXPECT_TRUE(fit.mixture.covariances[0].isApprox(expected.mixture.covariances[0], 1e-9));
}

TEST(FitSource, ContinuesFromAGivenMixture) {
  const RowMatrix samples = many_samples();
  MixtureOptions options = options_of_type(CovarianceType::full);
  options.initial = fit_mixture(samples, options).mixture;
  options.tolerance = 1e-6;
  BlockSource source(samples);
  expect_same_fit(fit_mixture(source, options), fit_mixture(samples, options));
  EXPECT_EQ(source.n_fetched, 1024);  // to know about where all rows are
}

TEST(FitSource, CopiesComponentsOfFewDistinctRows) {
  RowMatrix samples(20000, 1);
  for (Index i = 0; i < samples.rows(); ++i) samples(i, 0) = static_cast<double>(i % 3);
  MixtureOptions options = options_of_type(CovarianceType::full);
  BlockSource source(samples);
  const MixtureFit fit = fit_mixture(source, options);
  EXPECT_EQ(fit.copied_components, 1);
  EXPECT_EQ(fit.mixture.n_components(), 4);
}

TEST(FitSource, SelectsAsTheSamplesDo) {
  const RowMatrix samples = many_samples();
  const int numbers[] = {1, 3, 4};
  for (const Criterion criterion : {Criterion::bic, Criterion::heldout}) {
    SelectionOptions options;
    options.criterion = criterion;
    options.mixture = options_of_type(CovarianceType::full);
    BlockSource source(samples);
    const SelectionResult selected = select_components(source, numbers, options);
    const SelectionResult expected = select_components(samples, numbers, options);
    EXPECT_EQ(selected.n_components, expected.n_components);
    for (std::size_t i = 0; i < selected.curve.size(); ++i) {
      EXPECT_NEAR(selected.curve[i].value(criterion) / expected.curve[i].value(criterion), 1.0,
                  1e-9);
      EXPECT_EQ(selected.curve[i].iterations, expected.curve[i].iterations);
    }
    expect_same_fit(selected.fit, expected.fit);
  }
}

TEST(FitSource, StopsBetweenPasses) {
  const RowMatrix samples = many_samples();
  std::stop_source stop;
  MixtureOptions options = options_of_type(CovarianceType::full);
  options.execution.stop = stop.get_token();
  options.on_iteration = [&](const FitProgress& progress) {
    if (!progress.subsample) stop.request_stop();
  };
  BlockSource source(samples);
  EXPECT_THROW((void)fit_mixture(source, options), Interrupted);
}

TEST(FitSource, RefusesSumsOfAnotherMixture) {
  const RowMatrix samples = many_samples();
  class Confused : public ViewSource {
   public:
    using ViewSource::ViewSource;
    MomentSums moment_sums(const SumsRequest& request) override {
      SumsRequest other = request;
      other.mixture.means.array() += 1.0;
      return ViewSource::moment_sums(other);
    }
  };
  Confused source{SampleView(samples)};
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(source, options_of_type(CovarianceType::full)); },
      "fit_mixture: the source returned sums under another mixture than the requested one");
}

TEST(FitSource, RefusesMoreComponentsThanRows) {
  const RowMatrix samples = many_samples(3);
  ViewSource source{SampleView(samples)};
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(source, options_of_type(CovarianceType::full)); },
      "fit_mixture: n_components = 4 exceeds the number of samples (3). Reduce n_components or "
      "provide more samples");
}

}  // namespace
}  // namespace lbw
