// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>
#include <lbw/types.hpp>
#include <numeric>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

std::vector<int> range(int first, int last) {
  std::vector<int> values(static_cast<std::size_t>(last - first + 1));
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(SelectComponents, FindsTheNumberOfSeparatedComponents) {
  const Mixture truth = random_mixture({.n_components = 4, .spread = 30.0, .seed = 2});
  const RowMatrix samples = sample(truth, 2000, 1).samples;
  for (const Criterion criterion : {Criterion::aic, Criterion::bic}) {
    SelectionOptions options;
    options.criterion = criterion;
    options.mixture.n_init = 3;
    options.mixture.tolerance = 1e-5;
    std::vector<int> seen;
    options.on_point = [&](const SelectionPoint& point) { seen.push_back(point.n_components); };
    const SelectionResult result = select_components(samples, range(1, 7), options);
    EXPECT_EQ(seen, range(1, 7));
    // AIC sometimes selects one component too many
    EXPECT_GE(result.n_components, 4);
    EXPECT_LE(result.n_components, criterion == Criterion::bic ? 4 : 5);
    EXPECT_EQ(result.fit.mixture.n_components(), result.n_components);
  }
}

TEST(SelectComponents, ReturnsTheCurveOfTheFitsItMade) {
  const RowMatrix samples = sample(random_mixture({.seed = 2}), 500, 1).samples;
  const std::vector<int> counts{3, 1, 2};
  const SelectionResult result = select_components(samples, counts);
  ASSERT_EQ(result.curve.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.curve[i].n_components, counts[i]);
  for (const SelectionPoint& point : result.curve) {
    if (point.n_components != result.n_components) continue;
    EXPECT_NEAR(point.aic, aic(result.fit.mixture, samples), 1e-9);
    EXPECT_NEAR(point.bic, bic(result.fit.mixture, samples), 1e-9);
    EXPECT_EQ(point.mean_log_likelihood, result.fit.mean_log_likelihood);
  }
  double least = result.curve.front().aic;
  for (const SelectionPoint& point : result.curve) least = std::min(least, point.aic);
  EXPECT_NEAR(aic(result.fit.mixture, samples), least, 1e-9);
}

TEST(SelectComponents, IsNeverBelowTheFitFromScratch) {
  const RowMatrix samples =
      sample(random_mixture({.n_components = 8, .spread = 2.0, .seed = 13}), 800, 1).samples;
  SelectionOptions options;
  options.mixture.n_init = 1;
  const SelectionResult result = select_components(samples, range(1, 12), options);
  int warm_wins = 0;
  for (const SelectionPoint& point : result.curve) {
    options.mixture.n_components = point.n_components;
    const double cold = fit_mixture(samples, options.mixture).mean_log_likelihood;
    EXPECT_GE(point.mean_log_likelihood, cold);
    warm_wins += point.mean_log_likelihood > cold ? 1 : 0;
  }
  EXPECT_GT(warm_wins, 0);  // the warm start is used
}

TEST(SelectComponents, FindsTheNumberByHeldOutSamples) {
  const Mixture truth = random_mixture({.n_components = 4, .spread = 30.0, .seed = 2});
  const RowMatrix samples = sample(truth, 2000, 1).samples;
  SelectionOptions options;
  options.criterion = Criterion::heldout;
  options.mixture.n_init = 3;
  const SelectionResult result = select_components(samples, range(1, 7), options);
  // an additional component fits noise and hardly lowers the likelihood
  EXPECT_GE(result.n_components, 4);
  EXPECT_LE(result.n_components, 5);
  double most = -1e300;
  for (const SelectionPoint& point : result.curve) {
    ASSERT_TRUE(point.heldout_log_likelihood.has_value());
    EXPECT_EQ(point.value(Criterion::heldout), -*point.heldout_log_likelihood);
    most = std::max(most, *point.heldout_log_likelihood);
    if (point.n_components != result.n_components) continue;
    EXPECT_NEAR(*point.heldout_log_likelihood, mean_log_likelihood(truth, samples), 0.1);
  }
  const SelectionPoint& chosen = result.curve[static_cast<std::size_t>(result.n_components) - 1];
  EXPECT_EQ(*chosen.heldout_log_likelihood, most);
  // the returned fit uses all samples
  options.mixture.n_components = result.n_components;
  EXPECT_EQ(result.fit.mixture.means, fit_mixture(samples, options.mixture).mixture.means);
}

TEST(SelectComponents, HoldsOutWhatItDoesNotFit) {
  const RowMatrix samples = sample(random_mixture({.seed = 2}), 500, 1).samples;
  SelectionOptions options;
  options.criterion = Criterion::heldout;
  const SelectionResult result = select_components(samples, range(1, 1), options);
  const SelectionPoint& point = result.curve.front();
  // one component: the mean and covariance of 400 samples, so their own likelihood is
  // -(log det(2 pi S) + d) / 2 up to the floor, and p = 5 parameters
  EXPECT_NEAR(point.aic, 2.0 * 5.0 - 2.0 * 400.0 * point.mean_log_likelihood, 1e-9);
  EXPECT_NE(point.mean_log_likelihood, *point.heldout_log_likelihood);
  const SelectionResult plain = select_components(samples, range(1, 1));
  EXPECT_FALSE(plain.curve.front().heldout_log_likelihood.has_value());
  // all samples are the 400 and the 100
  EXPECT_NEAR(0.8 * point.mean_log_likelihood + 0.2 * *point.heldout_log_likelihood,
              plain.curve.front().mean_log_likelihood, 0.02);
  expect_error<InvalidArgument>(
      [&] { (void)plain.curve.front().value(Criterion::heldout); },
      "SelectionPoint::value: criterion is heldout, but no samples were held out");
}

TEST(SelectComponents, RefusesToHoldOutOfTooFew) {
  SelectionOptions options;
  options.criterion = Criterion::heldout;
  const RowMatrix few{{0.0}, {1.0}, {2.0}, {3.0}};
  expect_error<InvalidArgument>(
      [&] { (void)select_components(few, range(1, 1), options); },
      "select_components: samples has 4 rows, expected at least 5 to hold out one in five");
}

TEST(SelectComponents, RefusesAnEmptyRangeAndUnknownNames) {
  expect_error<InvalidArgument>(
      [] { (void)select_components(RowMatrix(RowMatrix::Zero(3, 1)), {}); },
      "select_components: n_components is empty, expected one or more");
  expect_error<InvalidArgument>([] { (void)enum_from<Criterion>("dic"); },
                                "criterion: 'dic' is unknown, expected 'aic', 'bic' or 'heldout'");
  for (const Criterion criterion : {Criterion::aic, Criterion::bic, Criterion::heldout}) {
    EXPECT_EQ(enum_from<Criterion>(to_string(criterion)), criterion);
  }
}

}  // namespace
}  // namespace lbw
