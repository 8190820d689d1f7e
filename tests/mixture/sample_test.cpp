// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(Sample, HasTheMomentsOfEachComponent) {
  for (const CovarianceType type : all_covariance_types) {
    const Mixture mixture = random_mixture({.n_features = 3, .covariance_type = type, .seed = 12});
    constexpr Index n = 60'000;
    const MixtureSample drawn = sample(mixture, n, 5);
    for (int k = 0; k < 3; ++k) {
      Vector mean = Vector::Zero(3);
      Matrix second = Matrix::Zero(3, 3);
      double count = 0.0;
      for (Index i = 0; i < n; ++i) {
        if (drawn.labels[i] != k) continue;
        const Vector difference = (drawn.samples.row(i) - mixture.means.row(k)).transpose();
        mean += difference;
        second += difference * difference.transpose();
        count += 1.0;
      }
      // five standard errors; variances are at most 3, and those of squares 2 * 9
      EXPECT_NEAR(count / n, mixture.weights[k], 5.0 * std::sqrt(0.25 / n));
      EXPECT_LT((mean / count).cwiseAbs().maxCoeff(), 5.0 * std::sqrt(3.0 / count));
      EXPECT_LT((second / count - mixture.component(k).covariance).cwiseAbs().maxCoeff(),
                5.0 * std::sqrt(18.0 / count));
    }
  }
}

TEST(Sample, IsAFunctionOfTheSeed) {
  const Mixture mixture = random_mixture({});
  EXPECT_EQ(sample(mixture, 10, 1).samples, sample(mixture, 10, 1).samples);
  EXPECT_NE(sample(mixture, 10, 1).samples, sample(mixture, 10, 2).samples);
  EXPECT_EQ(sample(mixture, 10, 1).samples, sample(mixture, 20, 1).samples.topRows(10));
}

// Samples of many features are drawn in blocks, samples of few one by one.
TEST(Sample, HasTheMomentsOfManyFeatures) {
  for (const CovarianceType type : all_covariance_types) {
    constexpr Index d = 30;
    const Mixture mixture =
        random_mixture({.n_components = 2, .n_features = d, .covariance_type = type, .seed = 12});
    constexpr Index n = 20'000;
    const MixtureSample drawn = sample(mixture, n, 5);
    for (int k = 0; k < 2; ++k) {
      const Gaussian component = mixture.component(k);
      const Matrix root = component.covariance.llt().matrixL();
      Matrix second = Matrix::Zero(d, d);
      Vector mean = Vector::Zero(d);
      double count = 0.0;
      for (Index i = 0; i < n; ++i) {
        if (drawn.labels[i] != k) continue;
        const Vector white = root.triangularView<Eigen::Lower>().solve(
            drawn.samples.row(i).transpose() - component.mean);
        mean += white;
        second += white * white.transpose();
        count += 1.0;
      }
      // six standard errors of 495 normal numbers
      EXPECT_LT((mean / count).cwiseAbs().maxCoeff(), 6.0 * std::sqrt(1.0 / count));
      EXPECT_LT((second / count - Matrix::Identity(d, d)).cwiseAbs().maxCoeff(),
                6.0 * std::sqrt(2.0 / count));
    }
    EXPECT_EQ(sample(mixture, 250, 5).samples, drawn.samples.topRows(250));
  }
}

TEST(Sample, NeverDrawsAComponentWithoutWeight) {
  Mixture mixture = random_mixture({});
  mixture.weights << 0.0, 1.0, 0.0;
  EXPECT_EQ(sample(mixture, 100, 1).labels, Labels::Constant(100, 1));
}

TEST(Sample, RefusesNoSamples) {
  expect_error<InvalidArgument>([] { (void)sample(random_mixture({}), 0, 1); },
                                "sample: n_samples is 0, expected 1 or more");
}

}  // namespace
}  // namespace lbw
