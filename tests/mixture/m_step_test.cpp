// SPDX-License-Identifier: MIT
#include "mixture/m_step.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>

#include "mixture/shrink.hpp"
#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(NextMixture, IsTheTextbookStepForEveryTypeAndWithWeights) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture current =
        random_mixture({.n_features = 3, .covariance_type = type, .spread = 1.0, .seed = 8});
    const RowMatrix samples = sample(current, 900, 4).samples;
    std::vector<double> weights(900);
    Random random(3);
    for (double& weight : weights) weight = random.uniform();
    const NextMixture plain = next_mixture(current, moment_sums(current, samples), 1e-3);
    EXPECT_LT(mixture_error(plain.mixture, oracle::em_step(current, samples, 1e-3)), 1e-12);
    const NextMixture weighted = next_mixture(current, moment_sums(current, samples, weights), 0.0);
    EXPECT_LT(mixture_error(weighted.mixture, oracle::em_step(current, samples, 0.0, weights)),
              1e-12);
    EXPECT_EQ(plain.replaced_components, 0);
  }
}

/// The textbook step with covariances shrunk towards their mean variance, then floored.
Mixture shrunk_step(const Mixture& current, const RowMatrix& samples, double floor,
                    const Shrinkage& shrinkage) {
  Mixture next = oracle::em_step(current, samples, 0.0);
  const CovarianceType type = current.covariance_type;
  for (std::size_t i = 0; i < next.covariances.size(); ++i) {
    Matrix& covariance = next.covariances[i];
    const bool matrix = type == CovarianceType::full || type == CovarianceType::tied;
    const Matrix full = matrix ? covariance : Matrix(covariance.col(0).asDiagonal());
    const Matrix identity = Matrix::Identity(full.rows(), full.cols());
    const double share = type == CovarianceType::tied ? 1.0 : next.weights[static_cast<Index>(i)];
    const double amount =
        shrinkage_amount(shrinkage, covariance, type, share * static_cast<double>(samples.rows()));
    const Matrix drawn = (1.0 - amount) * full + amount * full.diagonal().mean() * identity;
    const Matrix floored = drawn + floor * identity;
    covariance = matrix ? floored : Matrix(floored.diagonal());
  }
  return next;
}

TEST(NextMixture, ShrinksEveryCovarianceBeforeTheFloor) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture current =
        random_mixture({.n_features = 3, .covariance_type = type, .spread = 1.0, .seed = 8});
    const RowMatrix samples = sample(current, 90, 4).samples;
    const MomentSums sums = moment_sums(current, samples);
    for (const Shrinkage& shrinkage : {Shrinkage{.automatic = true}, Shrinkage{.amount = 0.3}}) {
      const NextMixture next = next_mixture(current, sums, 0.25, shrinkage);
      EXPECT_LT(mixture_error(next.mixture, shrunk_step(current, samples, 0.25, shrinkage)), 1e-12);
    }
  }
}

TEST(NextMixture, KeepsDigitsFarFromTheOrigin) {
  Mixture current = random_mixture({.seed = 2});
  RowMatrix samples = sample(current, 500, 4).samples;
  const Mixture expected = oracle::em_step(current, samples, 0.0);
  const Eigen::RowVector2d shift(1e6, -1e6);
  samples.rowwise() += shift;
  current.means.rowwise() += shift;
  Mixture moved = next_mixture(current, moment_sums(current, samples), 0.0).mixture;
  moved.means.rowwise() -= shift;
  // samples at 1e6 have an error of 1e-10; squares about the origin would have an error of 1e-4
  EXPECT_LT(mixture_error(moved, expected), 1e-8);
}

/// Two components, of which the second has no samples nearby.
Mixture with_empty_component(CovarianceType type) {
  Mixture mixture = random_mixture({.n_components = 2, .covariance_type = type, .seed = 5});
  mixture.means.row(1).setConstant(1e4);
  return mixture;
}

TEST(NextMixture, PutsAnEmptyComponentOnTheWorstExplainedSample) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture current = with_empty_component(type);
    RowMatrix samples = sample(random_mixture({.n_components = 1, .seed = 5}), 200, 1).samples;
    samples.row(77) << 60.0, -50.0;
    const NextMixture next = next_mixture(current, moment_sums(current, samples), 1e-6);
    EXPECT_EQ(next.replaced_components, 1);
    EXPECT_EQ(next.mixture.means.row(1), samples.row(77));
    EXPECT_NEAR(next.mixture.weights[1], 0.5, 1e-15);
    check_mixture(next.mixture, "next_mixture", "mixture");
  }
}

TEST(MStep, KeepsAnEmptyComponentInPlaceOnRequest) {
  const Mixture current = with_empty_component(CovarianceType::full);
  const RowMatrix samples = sample(random_mixture({.n_components = 1, .seed = 5}), 200, 1).samples;
  const NextMixture next =
      m_step(current, moment_sums(current, samples), {.floor = 1e-6}, LostComponents::keep);
  EXPECT_EQ(next.replaced_components, 0);
  EXPECT_EQ(next.mixture.means.row(1), current.means.row(1));
  EXPECT_EQ(next.mixture.covariances[1], current.covariances[1]);
  EXPECT_TRUE(all_finite(next.mixture));
}

TEST(MStep, CountsComponentsWhoseSamplesDetermineNoCovariance) {
  const RowMatrix spread = sample(random_mixture({.n_components = 1, .seed = 5}), 200, 1).samples;
  RowMatrix samples = spread;
  samples.bottomRows(20).setConstant(500.0);  // twenty equal points: covariance 0
  for (const CovarianceType type : all_covariance_types) {
    Mixture current = random_mixture({.n_components = 2, .covariance_type = type, .seed = 5});
    current.means.row(1).setConstant(500.0);
    const auto unestimated = [&](const RowMatrix& rows, double floor) {
      return m_step(current, moment_sums(current, rows), {.floor = floor}, LostComponents::keep)
          .unestimated_components;
    };
    const bool is_shared = type == CovarianceType::tied;
    EXPECT_EQ(unestimated(samples, 0.0), is_shared ? 0 : 1);
    EXPECT_EQ(unestimated(samples, 1e-6), 0);
    EXPECT_EQ(unestimated(spread, 0.0), 0);  // an empty component has no samples to describe
    const RowMatrix two_points = samples.bottomRows(20);
    EXPECT_EQ(unestimated(two_points, 0.0), is_shared ? 2 : 1);
  }
}

TEST(NextMixture, ReplacesAComponentThatCollapsedOntoOnePoint) {
  Mixture current = random_mixture({.n_components = 2, .seed = 5});
  current.means.row(1).setConstant(500.0);
  RowMatrix samples = sample(random_mixture({.n_components = 1, .seed = 5}), 200, 1).samples;
  samples.bottomRows(20).setConstant(500.0);  // twenty equal points: covariance 0
  EXPECT_EQ(next_mixture(current, moment_sums(current, samples), 0.0).replaced_components, 1);
  // with a floor it is an ordinary narrow component
  const NextMixture floored = next_mixture(current, moment_sums(current, samples), 1e-6);
  EXPECT_EQ(floored.replaced_components, 0);
  EXPECT_LT(relative_error(floored.mixture.covariances[1], 1e-6 * Matrix::Identity(2, 2)), 1e-9);
}

// Points on an axis have no variance along the other, and two points lie on a line in any
// direction.
TEST(NextMixture, RefusesSumsThatDetermineNoCovariance) {
  const RowMatrix on_an_axis{{1.0, 0.0}, {2.0, 0.0}, {4.0, 0.0}};
  const RowMatrix two{{1.0, 2.0}, {3.0, 5.0}};
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied}) {
    for (const int n_components : {1, 2}) {
      Mixture current = random_mixture({.n_components = n_components, .covariance_type = type});
      current.means.setZero();
      for (const RowMatrix& samples : {on_an_axis, two}) {
        const MomentSums sums = moment_sums(current, samples);
        const bool parts = samples.rows() == 3 && n_components == 2 && type == CovarianceType::full;
        expect_error<NumericalError>(
            [&] { (void)next_mixture(current, sums, 0.0); },
            (parts                 ? "next_mixture: no component has samples that span the"
             : samples.rows() == 2 ? "next_mixture: the 2 samples of sums do not span their"
                                   : "next_mixture: the 3 samples of sums do not span their") +
                std::string(" 2 features in double precision with a covariance_floor of 0; use "
                            "fewer components, add the sums of more samples, or increase "
                            "covariance_floor"));
        EXPECT_NO_THROW((void)next_mixture(current, sums, 1e-3));
      }
    }
  }
}

TEST(NextMixture, NamesTheComponentsIfOnlyTheSamplesOfAllSpanTheFeatures) {
  Mixture current = random_mixture({.n_components = 3, .seed = 1});
  current.means = RowMatrix{{0.0, 0.0}, {100.0, 0.0}, {0.0, 100.0}};
  const MomentSums sums = moment_sums(current, current.means);  // one sample for each component
  expect_error<NumericalError>(
      [&] { (void)next_mixture(current, sums, 0.0); },
      "next_mixture: no component has samples that span the 2 features in double precision with a "
      "covariance_floor of 0; use fewer components, add the sums of more samples, or increase "
      "covariance_floor");
}

TEST(NextMixture, RefusesSumsOfAnotherMixtureAndABadFloor) {
  const Mixture current = random_mixture({.seed = 1});
  const RowMatrix samples = sample(current, 50, 1).samples;
  const MomentSums sums = moment_sums(current, samples);
  expect_error<InvalidArgument>(
      [&] { (void)next_mixture(random_mixture({.seed = 2}), sums, 1e-6); },
      "next_mixture: sums were not computed with the mixture current");
  expect_error<InvalidArgument>([&] { (void)next_mixture(current, sums, -1.0); },
                                "next_mixture: covariance_floor is -1, expected a number >= 0");
  const MomentSums empty = MomentSums::about(current.means, current.covariance_type);
  expect_error<InvalidArgument>(
      [&] { (void)next_mixture(current, empty, 1e-6); },
      "next_mixture: sums contain no samples of finite density under current");
}

TEST(NextMixture, KeepsComponentsOfLightSamplesAsCopiesDo) {
  const std::vector<double> light = {-1.0, -0.5, 0.0, 0.5, 1.0};
  constexpr int n_copies = 10'000;
  RowMatrix samples(10, 1);
  std::vector<double> weights(10, 1.0);
  for (std::size_t i = 0; i < 5; ++i) {
    samples(static_cast<Index>(i), 0) = light[i];
    samples(static_cast<Index>(i) + 5, 0) = 30.0 + light[i];
    weights[i + 5] = n_copies;
  }
  const Mixture current{CovarianceType::full,
                        Vector{{0.5, 0.5}},
                        RowMatrix{{0.1}, {30.0}},
                        {Matrix::Ones(1, 1), Matrix::Ones(1, 1)}};
  const NextMixture next = next_mixture(current, moment_sums(current, samples, weights), 1e-6);
  EXPECT_EQ(next.replaced_components, 0);
  EXPECT_NEAR(next.mixture.means(0, 0), 0.0, 1e-12);
  EXPECT_NEAR(next.mixture.means(1, 0), 30.0, 1e-12);

  MixtureOptions options;
  options.n_components = 2;
  options.initial = current;
  const MixtureFit fit = fit_mixture(samples, options, weights);
  EXPECT_EQ(fit.replaced_components, 0);
  EXPECT_NEAR(fit.mixture.means(0, 0), 0.0, 1e-9);
  EXPECT_NEAR(fit.mixture.weights[0], 1.0 / (1.0 + n_copies), 1e-9);
}

}  // namespace
}  // namespace lbw
