// SPDX-License-Identifier: MIT
#include "transport/couple.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stop_token>

#include "core/indexing.hpp"
#include "support/expect_error.hpp"
#include "support/limited_memory.hpp"
#include "support/models.hpp"
#include "transport/component_costs.hpp"

namespace lbw {
namespace {

double cost_of(const Mixture& from, const Mixture& to, const std::vector<int>& permutation) {
  double cost = 0.0;
  for (Index i = 0; i < from.n_components(); ++i) {
    cost +=
        (from.means.row(i) - to.means.row(permutation[static_cast<std::size_t>(i)])).squaredNorm();
  }
  return cost;
}

/// The costs of all pairs of groups along the tuples.
double cost_of_tuples(std::span<const Mixture> mixtures, const Coupling& coupling,
                      ComponentCost cost) {
  double sum = 0.0;
  for (Index a = 0; a < std::ssize(mixtures); ++a) {
    for (Index b = 0; b < a; ++b) {
      const RowMatrix costs = component_costs(mixtures[to_size(a)], mixtures[to_size(b)], cost, {});
      for (Index t = 0; t < coupling.tuples.rows(); ++t) {
        sum += coupling.masses[t] * costs(coupling.tuples(t, a), coupling.tuples(t, b));
      }
    }
  }
  return sum;
}

TEST(CoupleByMatching, IsTheCheapestOfAllPermutationsToEveryGroup) {
  const TransportModel model = random_model({.n_groups = 3, .n_components = 6, .seed = 4});
  for (const Index reference : {0, 1, 2}) {
    const Coupling coupling =
        couple(model.mixtures, reference, CouplingMethod::matching, ComponentCost::means, {});
    EXPECT_EQ(coupling.reference, reference);
    const auto r = static_cast<std::size_t>(reference);
    for (std::size_t g = 0; g < 3; ++g) {
      std::vector<int> permutation(6);
      std::iota(permutation.begin(), permutation.end(), 0);
      double least = cost_of(model.mixtures[r], model.mixtures[g], permutation);
      while (std::next_permutation(permutation.begin(), permutation.end())) {
        least = std::min(least, cost_of(model.mixtures[r], model.mixtures[g], permutation));
      }
      const auto column = coupling.tuples.col(static_cast<Index>(g));
      const std::vector<int> chosen(column.begin(), column.end());
      // rounding of six squares of size 100
      EXPECT_NEAR(cost_of(model.mixtures[r], model.mixtures[g], chosen), least, 1e-11);
      if (g == r) {
        EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
      }
    }
  }
}

/// The groups of a model, each moved a number of billions along a direction of its own.
std::vector<Mixture> far_apart(std::vector<Mixture> mixtures, double distance) {
  for (std::size_t g = 0; g < mixtures.size(); ++g) {
    const Index features = mixtures[g].n_features();
    for (Index f = 0; f < features; ++f) {
      mixtures[g].means.col(f).array() +=
          distance * std::cos(static_cast<double>(g) + 2.0 * static_cast<double>(f));
    }
  }
  return mixtures;
}

TEST(Couple, DoesNotDependOnTheDistanceBetweenTheGroups) {
  const TransportModel model = random_model({.n_groups = 3, .n_components = 6, .seed = 4});
  for (const double distance : {1e3, 1e6, 1e9, 1e11}) {
    const std::vector<Mixture> moved = far_apart(model.mixtures, distance);
    for (const auto method :
         {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
      for (const auto cost : {ComponentCost::means, ComponentCost::bures}) {
        const Coupling here = couple(model.mixtures, 0, method, cost, {});
        const Coupling there = couple(moved, 0, method, cost, {});
        if (method == CouplingMethod::matching) {
          EXPECT_EQ(there.tuples, here.tuples) << distance;
        }
        // the rounding of the means, some hundred times
        const double rounding = 1e-11 + 1e-13 * distance;
        const double expected = cost_of_tuples(model.mixtures, here, cost);
        EXPECT_NEAR(cost_of_tuples(model.mixtures, there, cost), expected, rounding) << distance;
      }
    }
  }
}

// Costs of about 1e18 are multiples of 128.
TEST(Couple, DoesNotDependOnTheDistanceBesideAFarComponent) {
  for (const double far : {1e5, 1e6, 1e7}) {
    Mixture first = random_mixture({.n_components = 4, .n_features = 1, .seed = 1});
    first.weights.setConstant(0.25);
    Mixture second = first;
    first.means = Vector{{0.0, 5.0, 10.0, far}};
    second.means = Vector{{1e9 + 11.0, 1e9 + 1.0, 1e9 + far + 1.0, 1e9 + 6.0}};
    for (const auto method :
         {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
      const Coupling coupling =
          couple(std::vector<Mixture>{first, second}, 0, method, ComponentCost::means, {});
      for (const auto tuple : coupling.tuples.rowwise()) {
        const Index expected[] = {1, 3, 0, 2};
        EXPECT_EQ(tuple[1], expected[tuple[0]]) << far;
      }
    }
  }
}

TEST(TupleMasses, AreTheWeightsOfTheMembers) {
  const TransportModel model = random_model({.n_groups = 3, .seed = 1});
  const RowMatrix masses = tuple_masses(model);
  EXPECT_LT((masses.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15 * 4);
  EXPECT_EQ(masses(2, 1), model.mixtures[1].weights[model.coupling.tuples(2, 1)]);
}

TEST(TupleMasses, OfAPlanAreItsOwn) {
  const TransportModel model = random_plan_model({.n_groups = 3, .seed = 1});
  const RowMatrix masses = tuple_masses(model);
  for (Index g = 0; g < 3; ++g) EXPECT_EQ(masses.col(g), model.coupling.masses);
}

TEST(CoupleByMatching, HasTheMeanWeightOfItsMembersAsMass) {
  const TransportModel model = random_model({.n_groups = 3, .seed = 1});
  const Coupling coupling =
      couple(model.mixtures, 1, CouplingMethod::matching, ComponentCost::means, {});
  EXPECT_NEAR(coupling.masses.sum(), 1.0, 1e-15);
  const auto weight = [&](std::size_t g) {
    return model.mixtures[g].weights[coupling.tuples(2, static_cast<Index>(g))];
  };
  EXPECT_NEAR(coupling.masses[2], (weight(0) + weight(1) + weight(2)) / 3.0, 1e-16);
}

// The means are equal, so the covariances decide.
TEST(CoupleByMatching, UsesCovariancesUnderTheBuresCost) {
  const Matrix wide = Eigen::Vector2d(9.0, 1.0).asDiagonal();
  const Matrix tall = Eigen::Vector2d(1.0, 9.0).asDiagonal();
  const Vector halves = Vector::Constant(2, 0.5);
  const RowMatrix means{{0.0, 0.0}, {0.1, 0.0}};
  const std::vector<Mixture> mixtures = {{CovarianceType::full, halves, means, {wide, tall}},
                                         {CovarianceType::full, halves, means, {tall, wide}}};
  const auto partner = [&](ComponentCost cost) {
    return couple(mixtures, 0, CouplingMethod::matching, cost, {}).tuples(0, 1);
  };
  EXPECT_EQ(partner(ComponentCost::means), 0);
  EXPECT_EQ(partner(ComponentCost::bures), 1);
}

TEST(CoupleByPlan, IsTheMatchingUnderEqualWeightsAndNumbers) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    TransportModel model = random_model({.n_groups = 3, .n_components = 7, .seed = seed});
    for (Mixture& mixture : model.mixtures) mixture.weights.setConstant(1.0 / 7.0);
    for (const ComponentCost cost : {ComponentCost::means, ComponentCost::bures}) {
      const Coupling matched = couple(model.mixtures, 1, CouplingMethod::matching, cost, {});
      const Coupling planned = couple(model.mixtures, 1, CouplingMethod::plan, cost, {});
      EXPECT_EQ(planned.tuples, matched.tuples);  // random means: no ties
      EXPECT_LT((planned.masses - matched.masses).cwiseAbs().maxCoeff(), 1e-16);
    }
  }
}

TEST(CoupleMultimarginal, IsThePlanOfTwoGroupsAndNoDearerOfThree) {
  TransportModel model = random_plan_model({.n_groups = 3, .n_components = 5, .seed = 3});
  const auto cost_of = [&](const Coupling& coupling) {
    double sum = 0.0;
    for (Index t = 0; t < coupling.masses.size(); ++t) {
      for (Index a = 0; a < 3; ++a) {
        for (Index b = a + 1; b < 3; ++b) {
          const Mixture& first = model.mixtures[static_cast<std::size_t>(a)];
          const Mixture& second = model.mixtures[static_cast<std::size_t>(b)];
          sum += coupling.masses[t] *
                 (first.means.row(coupling.tuples(t, a)) - second.means.row(coupling.tuples(t, b)))
                     .squaredNorm();
        }
      }
    }
    return sum;
  };
  const double glued = cost_of(model.coupling);
  model.coupling =
      couple(model.mixtures, 0, CouplingMethod::multimarginal, ComponentCost::means, {});
  check_model(model, "couple");
  EXPECT_EQ(model.coupling.method, CouplingMethod::multimarginal);
  EXPECT_LT(cost_of(model.coupling), glued);
  const std::vector<Mixture> two(model.mixtures.begin(), model.mixtures.begin() + 2);
  const Coupling plan = couple(two, 0, CouplingMethod::plan, ComponentCost::bures, {});
  const Coupling at_once = couple(two, 0, CouplingMethod::multimarginal, ComponentCost::bures, {});
  EXPECT_EQ(at_once.tuples, plan.tuples);
  EXPECT_LT((at_once.masses - plan.masses).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(CoupleMultimarginal, GivesComponentsWithoutMassATuple) {
  TransportModel model = random_plan_model({.n_groups = 3, .n_components = 3, .seed = 3});
  model.mixtures[0].weights << 0.0, 0.5, 0.5;
  model.mixtures[2].weights << 0.25, 0.25, 0.25, 0.25, 0.0;
  model.coupling =
      couple(model.mixtures, 0, CouplingMethod::multimarginal, ComponentCost::means, {});
  check_model(model, "couple");
}

TEST(CoupleByPlan, JoinsGroupsOfDifferentNumbersOfComponents) {
  const TransportModel model = random_plan_model({.n_groups = 4, .n_components = 2, .seed = 3});
  EXPECT_EQ(model.mixtures[3].n_components(), 5);
  EXPECT_EQ(model.coupling.method, CouplingMethod::plan);
  check_model(model, "couple");
}

TEST(CoupleByPlan, NeedsLittleMemoryForManyGroups) {
  if (!can_limit_memory) GTEST_SKIP() << "the address space cannot be limited here";
  constexpr std::size_t n_groups = 2000;
  const Mixture one{
      CovarianceType::diagonal, Vector::Ones(1), RowMatrix::Zero(1, 1), {Matrix::Ones(1, 1)}};
  const std::vector<Mixture> mixtures(n_groups, one);
  // costs of two million pairs need more than 200 MB, and a matrix for each group 0.1 MB
  EXPECT_EQ(outcome_within(
                std::size_t{32} << 20U,
                [&] { (void)couple(mixtures, 0, CouplingMethod::plan, ComponentCost::means, {}); }),
            "done");
}

TEST(Couple, StopsOnRequest) {
  const TransportModel model = random_model({.n_groups = 3, .n_components = 2, .seed = 1});
  std::stop_source source;
  source.request_stop();
  for (const CouplingMethod method :
       {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
    EXPECT_THROW(
        (void)couple(model.mixtures, 0, method, ComponentCost::means, {.stop = source.get_token()}),
        Interrupted);
  }
}

TEST(MatchingMasses, RejectTuplesThatDoNotFitTheMixtures) {
  const TransportModel model = random_model({.n_groups = 2, .n_components = 3, .seed = 1});
  const auto masses_of = [&](const MatrixOf<int, Order::row_major>& tuples) {
    Coupling coupling = model.coupling;
    coupling.tuples = tuples;
    return matching_masses(model.mixtures, coupling);
  };
  expect_error<InvalidArgument>(
      [&] { (void)masses_of(MatrixOf<int, Order::row_major>::Zero(3, 1)); },
      "matching_masses: the coupling joins 1 group, but 2 mixtures were given");
  for (const int component : {-1, 3}) {
    expect_error<InvalidArgument>(
        [&] { (void)masses_of(MatrixOf<int, Order::row_major>::Constant(3, 2, component)); },
        "matching_masses: a tuple refers to component " + std::to_string(component) +
            " of mixture 0, which has 3 components");
  }
}

}  // namespace
}  // namespace lbw
