// SPDX-License-Identifier: MIT
#include "transport/couple.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/models.hpp"

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

TEST(CoupleByMeans, IsTheCheapestOfAllPermutationsToEveryGroup) {
  const TransportModel model = random_model({.n_groups = 3, .n_components = 6, .seed = 4});
  for (const Index reference : {0, 1, 2}) {
    const Coupling coupling = couple_by_means(model.mixtures, reference);
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

TEST(TupleMasses, AreTheWeightsOfTheMembers) {
  const TransportModel model = random_model({.n_groups = 3, .seed = 1});
  const RowMatrix masses = tuple_masses(model);
  EXPECT_LT((masses.colwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15 * 4);
  EXPECT_EQ(masses(2, 1), model.mixtures[1].weights[model.coupling.tuples(2, 1)]);
}

}  // namespace
}  // namespace lbw
