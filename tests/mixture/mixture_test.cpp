// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(Mixture, WritesOutTheCovarianceOfEachType) {
  const RowMatrix means{{1.0, 2.0}, {3.0, 4.0}};
  const Vector weights = Vector::Constant(2, 0.5);
  const Matrix matrix{{2.0, 0.5}, {0.5, 1.0}};
  const Mixture tied{CovarianceType::tied, weights, means, {matrix}};
  EXPECT_EQ(tied.component(1).covariance, matrix);
  EXPECT_EQ(tied.component(1).mean, Eigen::Vector2d(3.0, 4.0));
  const Mixture diagonal{CovarianceType::diagonal,
                         weights,
                         means,
                         {Eigen::Vector2d(1.0, 2.0), Eigen::Vector2d(3.0, 4.0)}};
  EXPECT_EQ(diagonal.component(1).covariance, (Matrix{{3.0, 0.0}, {0.0, 4.0}}));
  const Mixture spherical{CovarianceType::spherical,
                          weights,
                          means,
                          {Matrix::Constant(1, 1, 5.0), Matrix::Constant(1, 1, 6.0)}};
  EXPECT_EQ(spherical.component(0).covariance, 5.0 * Matrix::Identity(2, 2));
}

TEST(Mixture, CountsItsFreeParameters) {
  // k = 3, d = 2: 2 weights and 6 coordinates of means, then the covariances
  const Index expected[] = {8 + 9, 8 + 3, 8 + 6, 8 + 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(n_parameters(random_mixture({.covariance_type = all_covariance_types[i]})),
              expected[i]);
  }
}

TEST(CheckMixture, NamesWhatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Row {
    std::function<void(Mixture&)> spoil;
    const char* expected;
  };
  const Row rows[] = {
      {[](Mixture& m) { m.means.resize(0, 2); },
       "f: m.means is empty, expected one row per component"},
      {[](Mixture& m) { m.covariances.pop_back(); }, "f: m has 1 covariances, expected 2 (full)"},
      {[](Mixture& m) { m.covariances[0].resize(1, 2); },
       "f: m.covariances[0] has shape (1, 2), expected (2, 2)"},
      {[](Mixture& m) { m.covariances[1].resize(2, 1); },
       "f: m.covariances[1] has shape (2, 1), expected (2, 2)"},
      {[](Mixture& m) { m.weights.resize(3); }, "f: m.weights has 3 entries, expected 2"},
      {[](Mixture& m) { m.weights << -0.5, 1.5; },
       "f: m.weights[0] is -0.5, expected a number >= 0"},
      {[](Mixture& m) { m.weights << 0.5, 0.25; },
       "f: m.weights sum to 0.75, expected 1 within 1e-9"},
      {[&](Mixture& m) { m.weights << 0.5, nan; },
       "f: m.weights[1] is nan, expected a number >= 0"},
      {[&](Mixture& m) { m.means(0, 1) = nan; }, "f: m.means contains values that are not finite"},
      {[&](Mixture& m) { m.covariances[0](0, 1) = nan; },
       "f: m.covariances[0] contains values that are not finite"},
      {[](Mixture& m) { m.covariances[0](0, 1) = 0.5; }, "f: m.covariances[0] is not symmetric"},
      {[](Mixture& m) { m.covariances[1](0, 0) = -1.0; },
       "f: m.covariances[1] is not positive definite"},
      {[](Mixture& m) { m.covariances[1].setOnes(); },
       "f: m.covariances[1] is not positive definite"},
  };
  for (const Row& row : rows) {
    Mixture mixture{CovarianceType::full,
                    Vector::Constant(2, 0.5),
                    RowMatrix::Zero(2, 2),
                    {Matrix::Identity(2, 2), Matrix::Identity(2, 2)}};
    check_mixture(mixture, "f", "m");
    row.spoil(mixture);
    expect_error<InvalidArgument>([&] { check_mixture(mixture, "f", "m"); }, row.expected);
  }
}

}  // namespace
}  // namespace lbw
