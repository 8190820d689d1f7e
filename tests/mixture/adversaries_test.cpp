// SPDX-License-Identifier: MIT
// Densities and fits at the ends of double precision: a result is accurate, or an error names the
// cause.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/fit_mixture.hpp>
#include <numbers>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

/// All values multiplied by 2^power, in steps that neither overflow nor underflow.
Mixture times_power(Mixture mixture, int power) {
  for (const int half : {power / 2, power - power / 2}) {
    mixture.means *= std::ldexp(1.0, half);
    for (Matrix& covariance : mixture.covariances) covariance *= std::ldexp(1.0, 2 * half);
  }
  return mixture;
}

/// Samples of a mixture, rounded to multiples of 2^-20, so that shifts by 2^30 are exact.
RowMatrix on_a_grid(const Mixture& mixture, Index n_samples) {
  RowMatrix samples = sample(mixture, n_samples, 3).samples;
  for (Index i = 0; i < samples.size(); ++i) {
    samples.data()[i] = std::ldexp(std::round(std::ldexp(samples.data()[i], 20)), -20);
  }
  return samples;
}

constexpr double far_away = 0x1p30;  // 1e9 standard deviations

TEST(DensityAdversaries, FollowTheDefinitionAtAnyScaleAndFarFromTheOrigin) {
  for (const CovarianceType type : all_covariance_types) {
    for (const Index d : {1, 3, 40}) {
      const Mixture mixture = random_mixture({.n_features = d, .covariance_type = type, .seed = 7});
      const RowMatrix samples = on_a_grid(mixture, 100);
      const oracle::LongVector expected = oracle::log_densities(mixture, samples);
      const oracle::LongMatrix shares = oracle::responsibilities(mixture, samples);
      for (const int power : {-490, -300, -40, 0, 40, 300}) {  // 1e-148 to 1e90
        const Mixture other = times_power(mixture, power);
        const RowMatrix points = std::ldexp(1.0, power) * samples;
        const Vector shifted =
            log_density(other, points).array() + static_cast<double>(d * power) * std::numbers::ln2;
        // the logarithm of a determinant has the rounding of its magnitude, 1e5 at most
        EXPECT_LT((shifted.cast<long double>() - expected).cwiseAbs().maxCoeff(), 1e-10L);
        EXPECT_LT(
            (responsibilities(other, points).cast<long double>() - shares).cwiseAbs().maxCoeff(),
            1e-10L);
      }
      Mixture away = mixture;
      for (Index i = 0; i < away.means.size(); ++i) {
        away.means.data()[i] = std::ldexp(std::round(std::ldexp(away.means.data()[i], 20)), -20);
      }
      const Vector here = log_density(away, samples);
      away.means.array() += far_away;
      const RowMatrix there = samples.array() + far_away;
      EXPECT_EQ(log_density(away, there), here) << "differences to the means are exact";
    }
  }
}

/// Sums of 200 samples of the mixture, all of the given weight.
MomentSums sums_of_weight(const Mixture& mixture, const RowMatrix& samples, double weight,
                          Precision precision) {
  const std::vector<double> weights(static_cast<std::size_t>(samples.rows()), weight);
  return moment_sums(mixture, samples, weights, {}, precision);
}

TEST(MomentSumsAdversaries, AreAccurateOrRefusedForAnyWeightAndScale) {
  int n_refused = 0;
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const double rounding = precision == Precision::f64 ? 1e-11 : 1e-5;
    for (const CovarianceType type : all_covariance_types) {
      const Mixture mixture = random_mixture({.covariance_type = type, .seed = 7});
      const RowMatrix samples = sample(mixture, 200, 3).samples;
      const MomentSums expected = sums_of_weight(mixture, samples, 1.0, precision);
      for (const int power : {-490, -330, -30, 30, 300}) {
        for (const int of_weight : {-1070, -900, -500, -100, 0, 100, 500, 1010}) {
          MomentSums sums;
          try {
            sums = sums_of_weight(times_power(mixture, power), std::ldexp(1.0, power) * samples,
                                  std::ldexp(1.0, of_weight), precision);
          } catch (const InvalidArgument& error) {
            EXPECT_NE(std::string_view(error.what()).find("scale the weights"),
                      std::string_view::npos)
                << error.what();
            EXPECT_TRUE(of_weight < -1022 || of_weight + 2 * power < -900 ||
                        of_weight + 2 * power > 900);
            ++n_refused;
            continue;
          }
          const auto unscaled = [&](double value, int times) {
            return std::ldexp(std::ldexp(value, -of_weight), -times * power);
          };
          EXPECT_NEAR(unscaled(sums.first(0, 1), 1) / expected.first(0, 1), 1.0, 100 * rounding);
          EXPECT_NEAR(unscaled(sums.second[0](0, 0), 2) / expected.second[0](0, 0), 1.0, rounding)
              << power << " " << of_weight;
        }
      }
    }
  }
  EXPECT_GT(n_refused, 0);
}

TEST(MomentSumsAdversaries, SayThatProductsUnderflow) {
  const Mixture mixture = times_power(
      {CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 1), {Matrix::Ones(1, 1)}}, -40);
  expect_error<InvalidArgument>(
      [&] {
        (void)moment_sums(mixture, RowMatrix(RowMatrix::Ones(2, 1)),
                          std::vector<double>(2, 1e-300));
      },
      "moment_sums: the products of weights (1e-300 on average) and squared features "
      "(8.271806125530277e-25 is the least variance) underflow; scale the weights up");
}

// The smallest normal number is 2.2e-308; a variance above 1 does not make up for lost digits.
TEST(MomentSumsAdversaries, SayThatWeightsUnderflow) {
  const Mixture mixture{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 1), {4.0 * Matrix::Ones(1, 1)}};
  expect_error<InvalidArgument>(
      [&] {
        (void)moment_sums(mixture, RowMatrix(RowMatrix::Ones(2, 1)),
                          std::vector<double>(2, 1.5e-308));
      },
      "moment_sums: the products of weights (1.5e-308 on average) and squared features "
      "(4 is the least variance) underflow; scale the weights up");
}

constexpr MixtureStart all_starts[] = {MixtureStart::kmeans, MixtureStart::kmeans_plusplus,
                                       MixtureStart::random_points,
                                       MixtureStart::random_responsibilities};

// Without an absolute floor, a fit commutes with units. Powers of two are exact, so that only
// kernels differ, whose rounding EM amplifies.
TEST(FitAdversaries, ScaleWithTheSamplesOrSayThatTheyAreTooSmall) {
  for (const CovarianceType type : all_covariance_types) {
    const RowMatrix samples =
        sample(random_mixture({.covariance_type = type, .seed = 7}), 300, 3).samples;
    for (const MixtureStart start : all_starts) {
      const MixtureOptions options{.n_components = 3,
                                   .covariance_type = type,
                                   .covariance_floor = 0.0,
                                   .relative_covariance_floor = 1e-3,
                                   .start = start};
      const MixtureFit expected = fit_mixture(samples, options);
      for (const int power : {-495, -300, -40, 40, 300}) {  // 1e-149 to 1e90
        const MixtureFit fit = fit_mixture(RowMatrix(std::ldexp(1.0, power) * samples), options);
        EXPECT_EQ(fit.iterations, expected.iterations);
        EXPECT_LT(mixture_error(times_power(fit.mixture, -power), expected.mixture), 1e-8)
            << to_string(type) << " " << to_string(start) << " " << power;
      }
      for (const int power : {-1060, -600, -530, -510}) {
        EXPECT_THROW((void)fit_mixture(RowMatrix(std::ldexp(1.0, power) * samples), options),
                     NumericalError);
      }
    }
  }
  const RowMatrix tiny{{0x1p-508}, {-0x1p-508}};
  expect_error<NumericalError>(
      [&] { (void)fit_mixture(tiny, {.covariance_floor = 0.0}); },
      "fit_mixture: the variance of a feature is 1.424047269444609e-306, which is too small for "
      "double precision; rescale features of standard deviations below 1e-150, or increase "
      "covariance_floor");
}

TEST(FitAdversaries, DoNotDependOnADistantOrigin) {
  for (const CovarianceType type : all_covariance_types) {
    const RowMatrix samples = on_a_grid(random_mixture({.covariance_type = type, .seed = 7}), 300);
    const MixtureOptions options{.n_components = 3, .covariance_type = type};
    const MixtureFit expected = fit_mixture(samples, options);
    MixtureFit fit = fit_mixture(RowMatrix(samples.array() + far_away), options);
    fit.mixture.means.array() -= far_away;
    // means are rounded to 1e-7, which moves covariances by as much
    EXPECT_LT(mixture_error(fit.mixture, expected.mixture), 1e-5) << to_string(type);
    EXPECT_NEAR(fit.mean_log_likelihood, expected.mean_log_likelihood, 1e-9);
  }
}

// A constant feature is independent of the others and has the variance of the floor.
TEST(FitAdversaries, AddTheDensityOfAConstantFeature) {
  const RowMatrix samples = sample(random_mixture({.seed = 7}), 300, 3).samples;
  RowMatrix more(300, 3);
  more << samples, RowMatrix::Constant(300, 1, 1e9);
  const double of_constant = -0.5 * std::log(2.0 * std::numbers::pi * 1e-6);
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal}) {
    const MixtureOptions options{.n_components = 3, .covariance_type = type};
    const double expected = fit_mixture(samples, options).mean_log_likelihood + of_constant;
    EXPECT_NEAR(fit_mixture(more, options).mean_log_likelihood, expected, 1e-6) << to_string(type);
  }
}

// With u = (x + x') / sqrt(2) and v = (x - x') / sqrt(2), the copy x' of x adds the feature v = 0.
TEST(FitAdversaries, AddTheDensityOfADuplicatedFeature) {
  const RowMatrix samples = sample(random_mixture({.seed = 7}), 300, 3).samples;
  RowMatrix more(300, 3);
  more << samples, samples.col(0);
  RowMatrix stretched = samples;
  stretched.col(0) *= std::numbers::sqrt2;
  const double of_copy = -0.5 * std::log(2.0 * std::numbers::pi * 1e-6);
  const double expected = fit_mixture(stretched, {}).mean_log_likelihood + of_copy;
  // the condition is 1e7
  EXPECT_NEAR(fit_mixture(more, {}).mean_log_likelihood, expected, 1e-7);
}

// One component has the weighted moments of the samples.
TEST(FitAdversaries, HaveTheMomentsOfWeightsOfAnyMagnitude) {
  const RowMatrix samples = sample(random_mixture({.seed = 7}), 300, 3).samples;
  Random random(5);
  for (const double digits : {5.0, 100.0, 300.0}) {
    std::vector<double> weights;
    for (int i = 0; i < 300; ++i) {
      weights.push_back(std::pow(10.0, digits * (2.0 * random.uniform() - 1.0)));
    }
    long double total = 0.0L;
    oracle::LongVector mean = oracle::LongVector::Zero(2);
    for (Index i = 0; i < 300; ++i) {
      total += weights[static_cast<std::size_t>(i)];
      mean += weights[static_cast<std::size_t>(i)] * samples.row(i).transpose().cast<long double>();
    }
    mean /= total;
    oracle::LongMatrix covariance = 1e-6L * oracle::LongMatrix::Identity(2, 2);
    for (Index i = 0; i < 300; ++i) {
      const oracle::LongVector from_mean = samples.row(i).transpose().cast<long double>() - mean;
      covariance +=
          weights[static_cast<std::size_t>(i)] / total * (from_mean * from_mean.transpose());
    }
    const Mixture fitted = fit_mixture(samples, {}, weights).mixture;
    EXPECT_LT((fitted.means.row(0).transpose() - mean.cast<double>()).norm(), 1e-12);
    EXPECT_LT(relative_error(fitted.covariances[0], covariance.cast<double>()), 1e-11);
  }
}

// Rounded to single precision, a point moves by more deviations the worse the condition is.
TEST(SinglePrecisionAdversaries, UseDoublePrecisionWhereRoundingIsManyDeviations) {
  Random random(6);
  for (const double condition : {1e2, 1e6, 1e10, 1e14}) {
    for (const Index d : {2, 5}) {
      const Mixture mixture{CovarianceType::full,
                            Vector::Ones(1),
                            RowMatrix::Zero(1, d),
                            {random_covariance(graded_eigenvalues(d, condition), random)}};
      const RowMatrix samples = sample(mixture, 500, 3).samples;
      const MomentSums expected = moment_sums(mixture, samples);
      const MomentSums single = moment_sums(mixture, samples, {}, {}, Precision::f32);
      EXPECT_NEAR(single.log_likelihood / 500.0, expected.log_likelihood / 500.0, 1e-4)
          << condition << " " << d;
      const Mixture next = next_mixture(mixture, single, 0.0).mixture;
      EXPECT_LT(relative_error(next.covariances[0],
                               next_mixture(mixture, expected, 0.0).mixture.covariances[0]),
                1e-5);
    }
  }
}

TEST(CheckMixture, NamesVariancesThatAreTooSmall) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture mixture{
        type, Vector::Ones(1), RowMatrix::Zero(1, 1), {Matrix::Constant(1, 1, 1e-310)}};
    expect_error<InvalidArgument>(
        [&] { (void)log_density(mixture, RowMatrix(RowMatrix::Zero(1, 1))); },
        "log_density: mixture.covariances[0] has the variance 1e-310, which is too small for "
        "double precision; rescale the features");
  }
}

}  // namespace
}  // namespace lbw
