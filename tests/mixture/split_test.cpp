// SPDX-License-Identifier: MIT
#include "mixture/split.hpp"

#include <gtest/gtest.h>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

/// Mean and covariance of the whole mixture.
Gaussian overall(const Mixture& mixture) {
  Gaussian whole{mixture.means.transpose() * mixture.weights,
                 Matrix::Zero(mixture.n_features(), mixture.n_features())};
  for (Index i = 0; i < mixture.n_components(); ++i) {
    const Gaussian component = mixture.component(i);
    const Vector difference = component.mean - whole.mean;
    whole.covariance +=
        mixture.weights[i] * (component.covariance + difference * difference.transpose());
  }
  return whole;
}

TEST(SplitHeaviest, GivesAValidMixtureWithTheSameMeanAndForFullTheSameCovariance) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture mixture = random_mixture({.n_features = 3, .covariance_type = type, .seed = 3});
    const Mixture grown = split_heaviest(mixture);
    check_mixture(grown, "split_heaviest", "grown");
    EXPECT_EQ(grown.n_components(), 4);
    EXPECT_LT(relative_error(overall(grown).mean, overall(mixture).mean), 1e-14);
    if (type == CovarianceType::full) {
      EXPECT_LT(relative_error(overall(grown).covariance, overall(mixture).covariance), 1e-14);
    }
    Index heaviest = 0;
    mixture.weights.maxCoeff(&heaviest);
    EXPECT_EQ(grown.weights[3], mixture.weights[heaviest] / 2.0);
    EXPECT_NE(grown.means.row(heaviest), mixture.means.row(heaviest));
  }
}

}  // namespace
}  // namespace lbw
