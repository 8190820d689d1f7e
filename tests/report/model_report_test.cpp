// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <lbw/assignment.hpp>
#include <lbw/report.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>

#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "transport/couple.hpp"

namespace lbw {
namespace {

/// Like random_model, matched at minimal cost.
TransportModel matched_model(const ModelSettings& settings) {
  TransportModel model = random_model(settings);
  model.coupling = couple(model.mixtures, 0, CouplingMethod::matching, ComponentCost::means, {});
  return model;
}

RowMatrix squared_mean_distances(const Mixture& first, const Mixture& second) {
  RowMatrix cost(first.n_components(), second.n_components());
  for (Index i = 0; i < cost.rows(); ++i) {
    for (Index j = 0; j < cost.cols(); ++j) {
      cost(i, j) = (first.means.row(i) - second.means.row(j)).squaredNorm();
    }
  }
  return cost;
}

TEST(ComponentReports, TellMassSamplesAndCondition) {
  for (const CovarianceType type : all_covariance_types) {
    const TransportModel model = random_model({.n_features = 3, .covariance_type = type});
    const std::vector<ComponentReport> components = report(model).components;
    ASSERT_EQ(components.size(), 8U);
    for (std::size_t c = 0; c < 8; ++c) {
      const Mixture& mixture = model.mixtures[c / 4];
      const auto i = static_cast<Index>(c % 4);
      EXPECT_EQ(components[c].group, model.group_names[c / 4]);
      EXPECT_EQ(components[c].component, i);
      EXPECT_EQ(components[c].mass, mixture.weights[i]);
      EXPECT_DOUBLE_EQ(components[c].n_samples, 100.0 * mixture.weights[i]);
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(mixture.component(i).covariance);
      EXPECT_NEAR(components[c].condition,
                  solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff(),
                  1e-10 * components[c].condition);
    }
  }
}

TEST(ComponentReports, TellTheConditionInTheUnitsOfTheMaps) {
  TransportModel model = random_model({.n_features = 3, .covariance_type = CovarianceType::full});
  const std::vector<ComponentReport> plain = report(model).components;
  const Vector units{{1e6, 1.0, 1e-3}};
  for (Mixture& mixture : model.mixtures) {
    mixture.means = (mixture.means * units.asDiagonal()).eval();
    for (Matrix& covariance : mixture.covariances) {
      covariance = (units.asDiagonal() * covariance * units.asDiagonal()).eval();
    }
  }
  EXPECT_GT(report(model).components[0].condition, 1e12);
  model.scales = units;
  EXPECT_NEAR(report(model).components[0].condition / plain[0].condition, 1.0, 1e-9);
}

TEST(PairReports, TellTheMixtureDistanceOfEveryTwoGroups) {
  const TransportModel model = random_plan_model({.n_groups = 3});
  const std::vector<PairReport> pairs = report(model).pairs;
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[1].first, "a");
  EXPECT_EQ(pairs[1].second, "c");
  EXPECT_NEAR(pairs[1].mixture_distance, mixture_distance(model.mixtures[0], model.mixtures[2]),
              1e-13);
  EXPECT_FALSE(pairs[1].matching.has_value());  // 4 and 6 components
}

// Oracle: the difference between the two lowest costs of all permutations.
TEST(PairReports, MeasureCostsInTheUnitsOfTheCoupling) {
  TransportModel model = random_model({.n_groups = 3, .n_features = 2});
  model.scales = Vector{{1000.0, 0.01}};
  std::vector<Mixture> in_units = model.mixtures;
  for (Mixture& mixture : in_units) {
    mixture.means.array().rowwise() /= model.scales.transpose().array();
  }
  model.coupling = couple(in_units, 0, CouplingMethod::plan, ComponentCost::means, {});
  double total = 0.0;
  for (const PairReport& pair : report(model).pairs) {
    total += pair.coupling_cost;
    EXPECT_GE(pair.coupling_cost, pair.plan_cost * (1.0 - 1e-12));
  }
  const CouplingCost expected = coupling_cost(model);
  EXPECT_NEAR(total, expected.cost, 1e-9 * expected.cost);
}

TEST(PairReports, GapIsThatOfTheSecondOfAllPermutations) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const TransportModel model = matched_model({.n_components = 5, .seed = seed});
    const RowMatrix cost = squared_mean_distances(model.mixtures[0], model.mixtures[1]);
    std::vector<int> permutation(5);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::vector<double> totals;
    do {
      double total = 0.0;
      for (Index i = 0; i < 5; ++i) total += cost(i, permutation[static_cast<std::size_t>(i)]);
      totals.push_back(total);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    std::sort(totals.begin(), totals.end());
    const PairReport pair = report(model).pairs[0];
    ASSERT_TRUE(pair.matching.has_value());
    EXPECT_TRUE(pair.matching->is_coupling);
    EXPECT_NEAR(pair.matching->total, totals[0], 1e-12);
    EXPECT_NEAR(pair.matching->gap, totals[1] - totals[0], 1e-12);
  }
}

TEST(PairReports, GapIsNegativeWhereAnotherMatchingIsCheaper) {
  const TransportModel model = random_model({.n_components = 6, .seed = 3});  // matched at random
  const PairReport pair = report(model).pairs[0];
  const RowMatrix cost = squared_mean_distances(model.mixtures[0], model.mixtures[1]);
  EXPECT_LT(pair.matching->gap, 0.0);
  EXPECT_NEAR(pair.matching->total + pair.matching->gap, match(cost).cost, 1e-12);
}

TEST(PairReports, OneComponentHasNoRunnerUp) {
  const PairReport pair = report(random_model({.n_components = 1})).pairs[0];
  EXPECT_EQ(pair.matching->gap, std::numeric_limits<double>::infinity());
  EXPECT_EQ(pair.matching->misplaced_mass, 0.0);
  EXPECT_EQ(pair.matching->remaining_distance, 0.0);
  EXPECT_DOUBLE_EQ(pair.coupling_cost, pair.plan_cost);
}

TEST(PairReports, MisplacedMassIsThatOfTheModel) {
  const TransportModel model = random_model({.n_groups = 3, .seed = 5});
  for (const PairReport& pair : report(model).pairs) {
    EXPECT_DOUBLE_EQ(pair.matching->misplaced_mass, misplaced_mass(model, pair.first, pair.second));
  }
}

// Two components each, .7/.3 and .4/.6, matched in order: .4 and .3 move along the pairs, .3
// across.
TEST(PairReports, AMatchingMovesMisplacedMassFromWhereItIsLeftOver) {
  TransportModel model = random_model({.n_components = 2});
  model.mixtures[0].means << 0.0, 0.0, 10.0, 0.0;
  model.mixtures[1].means << 0.0, 1.0, 10.0, 2.0;
  for (Mixture& mixture : model.mixtures) {
    mixture.covariances.assign(2, Matrix::Identity(2, 2));
  }
  model.mixtures[0].weights << 0.7, 0.3;
  model.mixtures[1].weights << 0.4, 0.6;
  model.coupling = couple(model.mixtures, 0, CouplingMethod::matching, ComponentCost::means, {});
  const PairReport pair = report(model).pairs[0];
  EXPECT_NEAR(pair.matching->misplaced_mass, 0.3, 1e-15);
  const double expected = 0.4 * 1.0 + 0.3 * 4.0 + 0.3 * (100.0 + 4.0);
  EXPECT_NEAR(pair.matching->cost, expected, 1e-12);
  // b's first component has .3 too much, at a distance of sqrt(10^2 + 1) from its second
  EXPECT_NEAR(pair.matching->remaining_distance, std::sqrt(0.3 * 101.0), 1e-12);
  TransportModel turned = model;  // the larger of both directions, for any order of the groups
  std::swap(turned.mixtures[0], turned.mixtures[1]);
  turned.coupling.tuples.rowwise().reverseInPlace();
  EXPECT_NEAR(report(turned).pairs[0].matching->remaining_distance, std::sqrt(0.3 * 101.0), 1e-12);
  EXPECT_EQ(pair.coupling_cost, pair.matching->cost);
  EXPECT_NEAR(pair.plan_cost, expected, 1e-12);  // the plan has the same cost here
  EXPECT_NEAR(pair.matching->gap, (104.0 + 101.0) - (1.0 + 4.0), 1e-12);
}

TEST(PairReports, NoCouplingIsCheaperThanThePlan) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const TransportModel& model :
         {matched_model({.n_groups = 3, .n_components = 6, .seed = seed}),
          random_plan_model({.n_groups = 3, .seed = seed}, ComponentCost::bures)}) {
      for (const PairReport& pair : report(model).pairs) {
        EXPECT_GE(pair.coupling_cost, pair.plan_cost * (1.0 - 1e-12));
        if (pair.first == "a" && model.coupling.method == CouplingMethod::plan) {
          EXPECT_NEAR(pair.coupling_cost, pair.plan_cost, 1e-12 * pair.plan_cost);
          EXPECT_NEAR(std::sqrt(pair.plan_cost), pair.mixture_distance, 1e-12);  // cost bures
        }
      }
    }
  }
}

TEST(PairReports, DescribeTheMatchingInPlaceOfAPlan) {
  TransportModel model = random_model({.n_components = 4, .seed = 7});
  model.coupling = couple(model.mixtures, 0, CouplingMethod::plan, ComponentCost::means, {});
  const PairReport pair = report(model).pairs[0];
  ASSERT_TRUE(pair.matching.has_value());
  EXPECT_FALSE(pair.matching->is_coupling);
  EXPECT_EQ(pair.matching->matching,
            match(squared_mean_distances(model.mixtures[0], model.mixtures[1])).matching);
  EXPECT_GT(pair.matching->misplaced_mass, 0.0);
  EXPECT_GE(pair.matching->cost, pair.coupling_cost);
}

TEST(Report, RefusesAnInvalidModel) {
  TransportModel model = random_model({});
  model.mixtures[1].weights.setConstant(1.0);
  expect_error<InvalidArgument>([&] { (void)report(model); },
                                "report: mixture of 'b'.weights sum to 4, expected 1 within 1e-9");
}

}  // namespace
}  // namespace lbw
