// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/transport.hpp>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/models.hpp"
#include "transport/couple.hpp"

namespace lbw {
namespace {

TEST(CouplingCost, OfTwoGroupsIsWhatItMustBe) {
  const TransportModel model = random_plan_model({.seed = 5}, ComponentCost::bures);
  const CouplingCost found = coupling_cost(model);
  EXPECT_NEAR(found.cost, found.at_least, 1e-12 * found.cost);
  const double distance = mixture_distance(model.mixtures[0], model.mixtures[1]);
  EXPECT_NEAR(found.cost, distance * distance, 1e-12 * found.cost);
}

TEST(CouplingCost, OfAllAtOnceLiesBetweenTheBoundAndThatOfPlansToAReference) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    TransportModel model = random_plan_model({.n_groups = 3, .seed = seed});
    const CouplingCost by_reference = coupling_cost(model);
    model.coupling =
        couple(model.mixtures, 0, CouplingMethod::multimarginal, ComponentCost::means, {});
    const CouplingCost at_once = coupling_cost(model);
    EXPECT_EQ(at_once.at_least, by_reference.at_least);
    EXPECT_LE(at_once.at_least, at_once.cost * (1.0 + 1e-12));
    EXPECT_LE(at_once.cost, by_reference.cost * (1.0 + 1e-12));
    double direct = 0.0;
    for (Index t = 0; t < model.coupling.masses.size(); ++t) {
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = a + 1; b < 3; ++b) {
          const auto mean = [&](std::size_t g) {
            return Vector(
                model.mixtures[g].means.row(model.coupling.tuples(t, static_cast<Index>(g))));
          };
          direct += model.coupling.masses[t] * (mean(a) - mean(b)).squaredNorm();
        }
      }
    }
    EXPECT_NEAR(at_once.cost, direct, 1e-12 * direct);
  }
}

TEST(CouplingCost, RefusesAMatching) {
  expect_error<InvalidArgument>(
      [] { (void)coupling_cost(random_model({})); },
      "coupling_cost: the coupling is a matching, expected plan or multimarginal");
}

}  // namespace
}  // namespace lbw
