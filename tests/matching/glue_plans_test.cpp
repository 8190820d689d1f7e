// SPDX-License-Identifier: MIT
#include "matching/glue_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <lbw/assignment.hpp>
#include <map>
#include <utility>
#include <vector>

#include "support/generators.hpp"

namespace lbw {
namespace {

/// Groups of some components with random weights and points in the plane.
struct Groups {
  std::vector<Vector> weights;
  std::vector<RowMatrix> places;

  Groups(const std::vector<Index>& sizes, std::uint64_t seed) {
    Random random(seed);
    for (const Index size : sizes) {
      Vector drawn(size);
      for (double& weight : drawn) weight = 0.1 + random.uniform();
      weights.push_back(drawn / drawn.sum());
      places.push_back(random_normal_matrix(size, 2, random));
    }
  }

  [[nodiscard]] double cost(std::size_t a, int i, std::size_t b, int j) const {
    return (places[a].row(i) - places[b].row(j)).squaredNorm();
  }

  [[nodiscard]] RowMatrix costs(Index first, Index second) const {
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    RowMatrix costs(weights[a].size(), weights[b].size());
    for (int i = 0; i < costs.rows(); ++i) {
      for (int j = 0; j < costs.cols(); ++j) costs(i, j) = cost(a, i, b, j);
    }
    return costs;
  }

  [[nodiscard]] std::vector<MassTuple> glued(Index reference) const {
    return glue_plans(weights, reference, [&](Index a, Index b) { return costs(a, b); });
  }

  /// The sum of the costs of all pairs of groups.
  [[nodiscard]] double cost_of(const std::vector<MassTuple>& tuples) const {
    double sum = 0.0;
    for (const MassTuple& tuple : tuples) {
      for (std::size_t a = 0; a < weights.size(); ++a) {
        for (std::size_t b = a + 1; b < weights.size(); ++b) {
          sum += tuple.mass * cost(a, tuple.components[a], b, tuple.components[b]);
        }
      }
    }
    return sum;
  }
};

Vector marginal(const std::vector<MassTuple>& tuples, std::size_t group, Index size) {
  Vector sums = Vector::Zero(size);
  for (const MassTuple& tuple : tuples) sums[tuple.components[group]] += tuple.mass;
  return sums;
}

TEST(GluePlans, OfTwoGroupsAreTheEntriesOfThePlan) {
  const Groups groups({4, 6}, 1);
  const Plan plan = transport_plan(groups.costs(0, 1), groups.weights[0], groups.weights[1]);
  const std::vector<MassTuple> tuples = groups.glued(0);
  ASSERT_EQ(tuples.size(), plan.entries.size());
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    EXPECT_EQ(tuples[t].components,
              (std::vector<int>{plan.entries[t].row, plan.entries[t].column}));
    EXPECT_NEAR(tuples[t].mass, plan.entries[t].mass, 1e-16);
  }
}

TEST(GluePlans, HaveTheWeightsOfEveryGroupAsSums) {
  const Groups groups({5, 3, 7, 4}, 2);
  for (const Index reference : {0, 2, 3}) {
    const std::vector<MassTuple> tuples = groups.glued(reference);
    for (std::size_t g = 0; g < 4; ++g) {
      const Vector& weights = groups.weights[g];
      EXPECT_LT((marginal(tuples, g, weights.size()) - weights).cwiseAbs().maxCoeff(), 1e-15);
    }
    EXPECT_LE(tuples.size(), 5U + 3U + 7U + 4U);
  }
}

TEST(GluePlans, KeepThePlanToTheReferenceOptimal) {
  const Groups groups({5, 6, 4}, 3);
  const std::vector<MassTuple> tuples = groups.glued(1);
  for (const std::size_t g : {0U, 2U}) {
    double cost = 0.0;
    for (const MassTuple& tuple : tuples) {
      cost += tuple.mass * groups.cost(1, tuple.components[1], g, tuple.components[g]);
    }
    const RowMatrix costs = groups.costs(1, static_cast<Index>(g));
    EXPECT_NEAR(cost, transport_plan(costs, groups.weights[1], groups.weights[g]).cost, 1e-14);
  }
}

/// The portions of two groups of each component of the reference, drawn independently.
double independent_cost(const Groups& groups) {
  std::vector<MassTuple> tuples;
  const Plan first = transport_plan(groups.costs(0, 1), groups.weights[0], groups.weights[1]);
  const Plan second = transport_plan(groups.costs(0, 2), groups.weights[0], groups.weights[2]);
  for (const PlanEntry& one : first.entries) {
    for (const PlanEntry& two : second.entries) {
      if (one.row != two.row) continue;
      tuples.push_back(
          {{one.row, one.column, two.column}, one.mass * two.mass / groups.weights[0][one.row]});
    }
  }
  return groups.cost_of(tuples);
}

TEST(GluePlans, CostNoMoreThanPartnersDrawnIndependently) {
  double gained = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Groups groups({3, 8, 8}, seed);
    const double glued = groups.cost_of(groups.glued(0));
    EXPECT_LE(glued, independent_cost(groups) + 1e-14);
    gained += independent_cost(groups) - glued;
  }
  EXPECT_GT(gained, 0.1);
}

// The only component of the first group is divided among all others. The last group joins the
// tuples of the two before it by the plan of least cost to both.
TEST(GluePlans, JoinEachGroupAtTheLeastCostToAllThatHaveJoined) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Groups groups({1, 3, 4, 5}, seed);
    std::map<std::pair<int, int>, double> masses;
    double cost = 0.0;
    const auto to_both = [&](int second, int third, int last) {
      return groups.cost(1, second, 3, last) + groups.cost(2, third, 3, last);
    };
    for (const auto& [components, mass] : groups.glued(0)) {
      masses[{components[1], components[2]}] += mass;
      cost += mass * to_both(components[1], components[2], components[3]);
    }
    RowMatrix costs(std::ssize(masses), 5);
    Vector of_pairs(costs.rows());
    Index row = 0;
    for (const auto& [pair, mass] : masses) {
      of_pairs[row] = mass;
      for (int last = 0; last < 5; ++last)
        costs(row, last) = to_both(pair.first, pair.second, last);
      ++row;
    }
    EXPECT_NEAR(cost, transport_plan(costs, of_pairs, groups.weights[3]).cost, 1e-13);
  }
}

TEST(GluePlans, GiveComponentsWithoutMassATupleOfNone) {
  Groups groups({3, 4, 3}, 4);
  groups.weights[0] << 0.0, 0.5, 0.5;
  groups.weights[1] << 0.25, 0.0, 0.75, 0.0;
  groups.weights[2] << 1e-60, 0.5, 0.5;
  const std::vector<MassTuple> tuples = groups.glued(0);
  for (std::size_t g = 0; g < 3; ++g) {
    const Vector& weights = groups.weights[g];
    EXPECT_LT((marginal(tuples, g, weights.size()) - weights).cwiseAbs().maxCoeff(), 1e-15);
    for (int component = 0; component < weights.size(); ++component) {
      EXPECT_TRUE(
          std::any_of(tuples.begin(), tuples.end(),
                      [&](const MassTuple& tuple) { return tuple.components[g] == component; }))
          << g << ", " << component;
    }
  }
  RowMatrix cost = groups.costs(0, 1);
  Index nearest = 0;
  cost.row(0).minCoeff(&nearest);
  EXPECT_EQ(tuples.front().components[0], 0);
  EXPECT_EQ(tuples.front().components[1], nearest);
}

/// The pairs of groups whose costs are asked for, with the first one as the reference.
std::vector<std::pair<Index, Index>> pairs_asked_for(const Groups& groups) {
  std::vector<std::pair<Index, Index>> pairs;
  (void)glue_plans(groups.weights, 0, [&](Index a, Index b) {
    pairs.emplace_back(a, b);
    return groups.costs(a, b);
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(GluePlans, AskForPairsWithoutTheReferenceOnlyIfAComponentIsDivided) {
  using Pairs = std::vector<std::pair<Index, Index>>;
  EXPECT_EQ(pairs_asked_for(Groups({1, 1, 1, 1}, 5)), (Pairs{{0, 1}, {0, 2}, {0, 3}}));
  // one component of the reference is divided among those of the third group
  EXPECT_EQ(pairs_asked_for(Groups({1, 1, 2, 1}, 5)), (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}}));
}

}  // namespace
}  // namespace lbw
