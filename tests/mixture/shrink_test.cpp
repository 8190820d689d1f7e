// SPDX-License-Identifier: MIT
#include "mixture/shrink.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/generators.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

constexpr Shrinkage automatic_shrinkage{.automatic = true};

/// The covariance of n samples about a known mean: S = X^T X / n.
Matrix estimate(const Matrix& root, Index n_samples, Random& random) {
  const Matrix x = random_normal_matrix(n_samples, root.rows(), random) * root;
  return x.transpose() * x / static_cast<double>(n_samples);
}

// The iteration whose limit is the closed form (Chen, Wiesel, Eldar, Hero 2010, Eq. 21-22): the
// optimal amount for the true covariance, with the last shrunk estimate in its place.
double iterated_amount(const Matrix& s, double n) {
  const auto d = static_cast<double>(s.rows());
  const double trace = s.trace();
  double amount = 0.5;
  for (int i = 0; i < 10'000; ++i) {
    const double cross = (1.0 - amount) * s.squaredNorm() + amount * trace * trace / d;
    amount = ((1.0 - 2.0 / d) * cross + trace * trace) /
             ((n + 1.0 - 2.0 / d) * cross + (1.0 - n / d) * trace * trace);
  }
  return amount;
}

// The same for independent features: E tr S^2 = (1 + 2/n) tr R^2, E (tr S)^2 = (tr R)^2 + 2/n tr
// R^2 for the true covariance R, so the optimum is E tr (R - S)(F - S) / E ||S - F||^2 with F =
// tr(S)/d I.
double iterated_diagonal_amount(const Vector& s, double n) {
  const auto d = static_cast<double>(s.size());
  const double trace = s.sum();
  double amount = 0.5;
  for (int i = 0; i < 10'000; ++i) {
    const double cross = (1.0 - amount) * s.squaredNorm() + amount * trace * trace / d;
    const double error = 2.0 / n * (1.0 - 1.0 / d) * cross;
    amount = error / (cross + error - trace * trace / d);
  }
  return amount;
}

TEST(ShrinkageAmount, IsTheLimitOfItsIteration) {
  Random random(4);
  for (const Index d : {2, 5, 30}) {
    const Matrix root = random_covariance(graded_eigenvalues(d, 30.0), random);
    for (const Index n : {20, 300}) {
      const auto samples = static_cast<double>(n);
      const Matrix s = estimate(root, n, random);
      const double expected = std::min(1.0, iterated_amount(s, samples));
      for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied}) {
        EXPECT_NEAR(shrinkage_amount(automatic_shrinkage, s, type, samples), expected, 1e-9);
      }
      const double diagonal = std::min(1.0, iterated_diagonal_amount(s.diagonal(), samples));
      EXPECT_NEAR(
          shrinkage_amount(automatic_shrinkage, s.diagonal(), CovarianceType::diagonal, samples),
          diagonal, 1e-9);
    }
  }
}

/// Mean squared error of shrunk estimates over many draws, by type.
double mean_error(const Shrinkage& shrinkage, CovarianceType type, const Matrix& root, Index n) {
  Random random(8);
  const Matrix truth = root.transpose() * root;
  double sum = 0.0;
  for (int draw = 0; draw < 40; ++draw) {
    Matrix s = estimate(root, n, random);
    if (type == CovarianceType::diagonal) s = Matrix(s.diagonal());
    shrink(s, type, shrinkage_amount(shrinkage, s, type, static_cast<double>(n)));
    sum += type == CovarianceType::diagonal ? (s - truth.diagonal()).squaredNorm()
                                            : (s - truth).squaredNorm();
  }
  return sum;
}

TEST(ShrinkageAmount, IsNearlyAsGoodAsTheBestFixedOne) {
  Random random(6);
  const Matrix rotated = random_covariance(graded_eigenvalues(20, 4.0), random);
  const Matrix straight = graded_eigenvalues(20, 4.0).asDiagonal().toDenseMatrix();
  for (const auto& [type, root] :
       {std::pair{CovarianceType::full, rotated}, {CovarianceType::diagonal, straight}}) {
    const double chosen = mean_error(automatic_shrinkage, type, root, 15);
    double best = mean_error({}, type, root, 15);
    EXPECT_LT(chosen, 0.9 * best);  // better than no shrinkage
    for (int step = 1; step <= 20; ++step) {
      best = std::min(best, mean_error({.amount = 0.05 * step}, type, root, 15));
    }
    EXPECT_LT(chosen, 1.1 * best) << to_string(type);
  }
}

TEST(ShrinkageAmount, StaysInRangeAtTheEdges) {
  const Matrix equal = 3.0 * Matrix::Identity(4, 4);
  EXPECT_EQ(shrinkage_amount(automatic_shrinkage, equal, CovarianceType::full, 1e6), 1.0);
  EXPECT_EQ(shrinkage_amount(automatic_shrinkage, Matrix::Zero(4, 4), CovarianceType::full, 10.0),
            0.0);
  const Matrix graded = graded_eigenvalues(4, 1e3).asDiagonal();
  EXPECT_LT(shrinkage_amount(automatic_shrinkage, graded, CovarianceType::full, 1e9), 1e-8);
  for (const double scale : {1e-200, 1e200}) {
    EXPECT_NEAR(shrinkage_amount(automatic_shrinkage, scale * graded, CovarianceType::full, 50.0),
                shrinkage_amount(automatic_shrinkage, graded, CovarianceType::full, 50.0), 1e-12);
  }
  const Matrix one = Matrix::Ones(1, 1);
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::diagonal, CovarianceType::spherical}) {
    EXPECT_EQ(shrinkage_amount(automatic_shrinkage, one, type, 1.0), 0.0);
    EXPECT_EQ(shrinkage_amount({.amount = 0.5}, one, type, 1.0), 0.0);
  }
}

TEST(Shrink, MovesTowardsTheMeanVariance) {
  Matrix full{{4.0, 1.0}, {1.0, 2.0}};
  shrink(full, CovarianceType::full, 0.25);
  EXPECT_LT(relative_error(full, Matrix{{3.75, 0.75}, {0.75, 2.25}}), 1e-15);
  Matrix diagonal{{4.0}, {2.0}};
  shrink(diagonal, CovarianceType::diagonal, 0.25);
  EXPECT_LT(relative_error(diagonal, Matrix{{3.75}, {2.25}}), 1e-15);
  Matrix spherical{{7.0}};
  shrink(spherical, CovarianceType::spherical, 1.0);
  EXPECT_EQ(spherical(0, 0), 7.0);
}

// Equal weights of 2 count as each sample twice, and twice as many samples need less shrinkage.
TEST(AutomaticShrinkage, CountsAWeightOfTwoAsTwoSamples) {
  const RowMatrix once = normals(40, 8, 3);
  RowMatrix twice(80, 8);
  twice << once, once;
  MixtureOptions options;
  options.covariance_floor = 0.0;
  options.shrinkage = automatic_shrinkage;
  const std::vector<double> weights(40, 2.0);
  const Matrix weighted = fit_mixture(once, options, weights).mixture.covariances.front();
  const Matrix repeated = fit_mixture(twice, options).mixture.covariances.front();
  const Matrix single = fit_mixture(once, options).mixture.covariances.front();
  EXPECT_LT(relative_error(weighted, repeated), 1e-13);
  EXPECT_GT(relative_error(single, repeated), 1e-3);
}

}  // namespace
}  // namespace lbw
