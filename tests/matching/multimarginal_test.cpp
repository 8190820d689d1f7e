// SPDX-License-Identifier: MIT
#include "matching/multimarginal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/assignment.hpp>

#include "matching/glue_plans.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

/// CostedGroups of components with weights and points in the plane; `whole` rounds both, for ties.
struct CostedGroups {
  std::vector<Vector> weights;
  std::vector<RowMatrix> places;

  CostedGroups(const std::vector<Index>& sizes, std::uint64_t seed, bool whole = false) {
    Random random(seed);
    for (const Index size : sizes) {
      Vector drawn(size);
      for (double& weight : drawn) weight = whole ? 1.0 : 0.1 + random.uniform();
      weights.push_back(drawn / drawn.sum());
      RowMatrix drawn_places = random_normal_matrix(size, 2, random);
      if (whole) drawn_places = (2.0 * drawn_places).array().round();
      places.push_back(drawn_places);
    }
  }

  [[nodiscard]] GroupCosts costs() const {
    return [this](Index first, Index second) {
      const RowMatrix& a = places[static_cast<std::size_t>(first)];
      const RowMatrix& b = places[static_cast<std::size_t>(second)];
      RowMatrix cost(a.rows(), b.rows());
      for (Index i = 0; i < a.rows(); ++i) {
        for (Index j = 0; j < b.rows(); ++j) cost(i, j) = (a.row(i) - b.row(j)).squaredNorm();
      }
      return cost;
    };
  }

  [[nodiscard]] double cost_of(const std::vector<int>& tuple) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < tuple.size(); ++a) {
      for (std::size_t b = a + 1; b < tuple.size(); ++b) {
        sum += (places[a].row(tuple[a]) - places[b].row(tuple[b])).squaredNorm();
      }
    }
    return sum;
  }

  [[nodiscard]] double cost_of(const std::vector<MassTuple>& tuples) const {
    double sum = 0.0;
    for (const MassTuple& tuple : tuples) sum += tuple.mass * cost_of(tuple.components);
    return sum;
  }

  [[nodiscard]] std::vector<MassTuple> glued() const { return glue_plans(weights, 0, costs()); }
  [[nodiscard]] MultimarginalPlan plan() const {
    return multimarginal_plan(weights, costs(), glued());
  }

  /// Calls body(tuple) for every possible tuple.
  template <typename Body>
  void for_each_tuple(const Body& body) const {
    std::vector<int> tuple(weights.size(), 0);
    for (;;) {
      body(tuple);
      std::size_t g = 0;
      while (g < tuple.size() && ++tuple[g] == weights[g].size()) tuple[g++] = 0;
      if (g == tuple.size()) return;
    }
  }
};

void expect_marginals(const CostedGroups& groups, const std::vector<MassTuple>& tuples) {
  for (std::size_t g = 0; g < groups.weights.size(); ++g) {
    Vector sums = Vector::Zero(groups.weights[g].size());
    for (const MassTuple& tuple : tuples) {
      EXPECT_GT(tuple.mass, 0.0);
      sums[tuple.components[g]] += tuple.mass;
    }
    EXPECT_LT((sums - groups.weights[g]).cwiseAbs().maxCoeff(), 1e-15);
  }
}

/// Feasible potentials whose value equals the cost, which proves that the plan is optimal.
void expect_proof(const CostedGroups& groups, const MultimarginalPlan& plan) {
  double worth = 0.0;
  for (std::size_t g = 0; g < groups.weights.size(); ++g) {
    worth += groups.weights[g].dot(plan.potentials[g]);
  }
  EXPECT_NEAR(groups.cost_of(plan.tuples), worth, 1e-11);
  groups.for_each_tuple([&](const std::vector<int>& tuple) {
    double sum = 0.0;
    for (std::size_t g = 0; g < tuple.size(); ++g) sum += plan.potentials[g][tuple[g]];
    ASSERT_LE(sum, groups.cost_of(tuple) + 1e-11);
  });
}

TEST(MultimarginalPlan, IsProvedOptimalByItsPotentials) {
  const std::vector<Index> shapes[] = {{4, 5}, {3, 4, 5}, {7, 7, 7}, {1, 4, 3}, {4, 3, 5, 2}};
  for (const std::vector<Index>& sizes : shapes) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const CostedGroups groups(sizes, seed);
      const MultimarginalPlan plan = groups.plan();
      expect_marginals(groups, plan.tuples);
      expect_proof(groups, plan);
    }
  }
}

// With equal weights nearly every step is degenerate.
TEST(MultimarginalPlan, EndsWhereWeightsAndCostsAreTied) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const CostedGroups groups({8, 8, 8}, seed, true);
    const MultimarginalPlan plan = groups.plan();
    expect_marginals(groups, plan.tuples);
    expect_proof(groups, plan);
  }
}

TEST(MultimarginalPlan, OfTwoGroupsCostsWhatThePlanDoes) {
  const CostedGroups groups({9, 6}, 3);
  const Plan plan = transport_plan(groups.costs()(0, 1), groups.weights[0], groups.weights[1]);
  EXPECT_NEAR(groups.cost_of(groups.plan().tuples), plan.cost, 1e-13);
}

TEST(MultimarginalPlan, CostsNoMoreThanGluedPlans) {
  double gained = 0.0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const CostedGroups groups({10, 12, 9}, seed);
    const double cost = groups.cost_of(groups.plan().tuples);
    EXPECT_LE(cost, groups.cost_of(groups.glued()) + 1e-13);
    gained += groups.cost_of(groups.glued()) - cost;
  }
  EXPECT_GT(gained, 0.1);
}

TEST(MultimarginalPlan, AmongFewerTuplesKeepsTheMassesAndLiesBetweenTheBestAndTheStart) {
  for (const std::vector<Index>& sizes : {std::vector<Index>{9, 8, 7}, {5, 6, 4, 5}}) {
    const CostedGroups groups(sizes, 21);
    const std::vector<MassTuple> start = groups.glued();
    const double best = groups.cost_of(groups.plan().tuples);
    double last = groups.cost_of(start);
    for (const double most_tuples : {1.0, 150.0, 300.0, 1e6}) {
      const MultimarginalPlan plan =
          multimarginal_plan(groups.weights, groups.costs(), start, most_tuples);
      expect_marginals(groups, plan.tuples);
      const double cost = groups.cost_of(plan.tuples);
      EXPECT_GE(cost, best * (1.0 - 1e-12));
      EXPECT_LE(cost, last * (1.0 + 1e-12));
      last = cost;
    }
    EXPECT_NEAR(last, best, 1e-12 * best);
  }
}

/// Whether fewer than `count` components of the group cost less for this one of the first group.
bool is_near(const CostedGroups& groups, std::size_t group, int first, int component, int count) {
  const RowMatrix costs = groups.costs()(0, static_cast<Index>(group));
  return (costs.row(first).array() < costs(first, component)).count() < count;
}

// Of 150 tuples, each pair of the 5 first and 5 last components may have 6: two components of the
// second group and three of the third. The prices of the optimum among these tuples are too high
// for the fourth component of the third group, which therefore was not a candidate.
TEST(MultimarginalPlan, AmongFewerTuplesSearchesAsManyComponentsAsTheirNumberAllows) {
  double beyond = 0.0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const CostedGroups groups({5, 6, 4, 5}, seed);
    const MultimarginalPlan plan =
        multimarginal_plan(groups.weights, groups.costs(), groups.glued(), 150.0);
    groups.for_each_tuple([&](const std::vector<int>& tuple) {
      if (!is_near(groups, 1, tuple[0], tuple[1], 2)) return;
      double reduced = groups.cost_of(tuple);
      for (std::size_t g = 0; g < tuple.size(); ++g) reduced -= plan.potentials[g][tuple[g]];
      if (is_near(groups, 2, tuple[0], tuple[2], 3)) {
        EXPECT_GE(reduced, -1e-11);
      } else {
        beyond = std::min(beyond, reduced);
      }
    });
  }
  EXPECT_LT(beyond, -0.01);
}

TEST(MultimarginalPlan, EndsWhereAllCostsAreZero) {
  CostedGroups groups({3, 4, 3}, 5);
  for (RowMatrix& places : groups.places) places.setZero();
  const MultimarginalPlan plan = groups.plan();
  expect_marginals(groups, plan.tuples);
  expect_proof(groups, plan);
}

TEST(MultimarginalPlan, TakesAStartWithoutTheComponentsThatHaveNoMass) {
  CostedGroups groups({3, 3, 2}, 6);
  groups.weights = {Vector{{0.5, 0.5, 0.0}}, Vector{{0.0, 0.5, 0.5}}, Vector{{0.5, 0.5}}};
  const std::vector<MassTuple> start = {{{0, 1, 0}, 0.5}, {{1, 2, 1}, 0.5}};
  const MultimarginalPlan plan = multimarginal_plan(groups.weights, groups.costs(), start);
  expect_marginals(groups, plan.tuples);
  expect_proof(groups, plan);
}

}  // namespace
}  // namespace lbw
