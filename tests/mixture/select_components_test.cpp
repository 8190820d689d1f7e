// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/error.hpp>
#include <lbw/select_components.hpp>
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
    // AIC is known to take a component too many now and then
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
  EXPECT_GT(warm_wins, 0);  // the warm start is really tried
}

TEST(SelectComponents, RefusesAnEmptyRangeAndUnknownNames) {
  expect_error<InvalidArgument>(
      [] { (void)select_components(RowMatrix(RowMatrix::Zero(3, 1)), {}); },
      "select_components: n_components is empty");
  expect_error<InvalidArgument>([] { (void)criterion_from("dic"); },
                                "criterion: 'dic' is unknown, expected 'aic' or 'bic'");
  EXPECT_EQ(criterion_from("bic"), Criterion::bic);
}

}  // namespace
}  // namespace lbw
