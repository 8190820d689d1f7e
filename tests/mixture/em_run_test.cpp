// SPDX-License-Identifier: MIT
#include "mixture/em_run.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(StoppingRule, StopsAtAStepBelowTheTolerance) {
  StoppingRule rule(0.1, false);
  EXPECT_FALSE(rule.converged(-5.0, false));
  EXPECT_FALSE(rule.converged(-4.0, true));
  EXPECT_FALSE(rule.converged(-4.0, false)) << "a component was moved";
  EXPECT_FALSE(rule.converged(-3.75, true));
  EXPECT_TRUE(rule.converged(-3.7, true));
}

TEST(StoppingRule, IgnoresSmallStepsAtASaddleUntilTheLikelihoodHasRisen) {
  StoppingRule rule(0.1, true);
  EXPECT_FALSE(rule.converged(-5.0, false));
  EXPECT_FALSE(rule.converged(-4.99, true));
  EXPECT_FALSE(rule.converged(-4.96, true)) << "no rise yet";
  EXPECT_FALSE(rule.converged(-4.87, true)) << "steps grow";
  EXPECT_FALSE(rule.converged(-4.5, true));
  EXPECT_TRUE(rule.converged(-4.45, true));
  StoppingRule stuck(0.1, true);
  EXPECT_FALSE(stuck.converged(-5.0, false));
  EXPECT_TRUE(stuck.converged(-5.0 + 1e-8, true)) << "less than a millionth of the tolerance";
}

TEST(EmRun, NeedsAnotherStepToConvergeAfterItsSumsAreReplaced) {
  const RowMatrix samples = normal_rows(500, 2, 1);
  const Mixture start = random_mixture({.n_components = 2, .n_features = 2, .seed = 2});
  const MixtureOptions options{.n_components = 2, .max_iterations = 500};
  const WeightedSamples weighted{samples, {}};
  const SumsOf sums_of = sums_over(weighted, options);
  EmRun run(start, options, {});
  run.advance(sums_of, options, {}, options.max_iterations);
  EmRun again = run;
  const MixtureFit before = std::move(run).take();
  ASSERT_TRUE(before.converged);
  again.evaluate_again(sums_of);
  again.advance(sums_of, options, {}, options.max_iterations);
  const MixtureFit after = std::move(again).take();
  EXPECT_TRUE(after.converged);
  EXPECT_EQ(after.iterations, before.iterations + 1);
}

}  // namespace
}  // namespace lbw
