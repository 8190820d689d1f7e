// SPDX-License-Identifier: MIT
#include "transport/component_costs.hpp"

#include <gtest/gtest.h>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(ComponentCosts, AreThoseOfTheGaussiansForEveryPairOfTypes) {
  for (const CovarianceType first : all_covariance_types) {
    for (const CovarianceType second : all_covariance_types) {
      const Mixture from =
          random_mixture({.n_components = 3, .n_features = 4, .covariance_type = first, .seed = 1});
      const Mixture to = random_mixture(
          {.n_components = 5, .n_features = 4, .covariance_type = second, .seed = 2});
      const RowMatrix means = component_costs(from, to, ComponentCost::means, {});
      const RowMatrix bures = component_costs(from, to, ComponentCost::bures, {});
      ASSERT_EQ(means.rows(), 3);
      ASSERT_EQ(means.cols(), 5);
      for (Index i = 0; i < 3; ++i) {
        for (Index j = 0; j < 5; ++j) {
          EXPECT_EQ(means(i, j), (from.means.row(i) - to.means.row(j)).squaredNorm());
          const double expected = squared_distance(from.component(i), to.component(j));
          EXPECT_NEAR(bures(i, j), expected, 1e-13 * expected);
        }
      }
    }
  }
}

TEST(ComponentCosts, HaveTheSameBitsAtAnyThreadCount) {
  const Mixture from = random_mixture({.n_components = 30, .n_features = 8, .seed = 1});
  const Mixture to = random_mixture({.n_components = 25, .n_features = 8, .seed = 2});
  EXPECT_EQ(component_costs(from, to, ComponentCost::bures, {1}),
            component_costs(from, to, ComponentCost::bures, {3}));
}

/// What couplings compare: costs less those of the first row and of the first column.
RowMatrix differences(const RowMatrix& costs) {
  RowMatrix result = costs.rowwise() - costs.row(0);
  const Vector first = result.col(0);
  return result.colwise() - first;
}

TEST(ComparableCosts, HaveTheSameDifferencesAtAnyDistance) {
  const Mixture from = random_mixture({.n_components = 4, .n_features = 3, .seed = 1});
  Mixture to = random_mixture({.n_components = 5, .n_features = 3, .seed = 2});
  to.means = (to.means * 0x1p10).array().round() * 0x1p-10;  // moved by 2^40 without rounding
  for (const ComponentCost cost : {ComponentCost::means, ComponentCost::bures}) {
    const RowMatrix expected = component_costs(from, to, cost, {});
    const RowMatrix near = comparable_costs(from, to, cost, {});
    EXPECT_LT((differences(near) - differences(expected)).cwiseAbs().maxCoeff(), 1e-12);
    for (const double distance : {0x1p10, 0x1p20, 0x1p30, 0x1p40}) {
      Mixture moved = to;
      moved.means.col(1).array() += distance;
      const RowMatrix costs = comparable_costs(from, moved, cost, {});
      EXPECT_LT((differences(costs) - differences(expected)).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace lbw
