// SPDX-License-Identifier: MIT
#include "mixture/start.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <numeric>
#include <set>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"
#include "support/recording_storage.hpp"

namespace lbw {
namespace {

const Matrix unit_spread = Matrix::Identity(2, 2);
const WholeSample unit_sample{unit_spread, {.floor = 1e-6}};

WholeSample unit_sample_of(CovarianceType type) {
  return {oracle::compact(unit_spread.cast<long double>(), type), {.floor = 1e-6}};
}

TEST(NDistinctSamples, CountsRowsOfPositiveWeightOnce) {
  const RowMatrix samples{{1.0, 2.0}, {1.0, 2.0}, {0.0, 0.0}, {-0.0, 0.0}, {5.0, 5.0}};
  const std::vector<double> weights{1.0, 1.0, 1.0, 1.0, 0.0};
  EXPECT_EQ(n_distinct_samples({samples, {}}, 2), 2);
  EXPECT_EQ(n_distinct_samples({samples, {}}, 4), 3);
  EXPECT_EQ(n_distinct_samples({samples, weights}, 3), 2);
}

/// The definition: each number of a range is swapped with a random later one.
TEST(RandomStart, TakesTheFirstDistinctSamplesOfAShuffle) {
  RowMatrix samples(50, 2);
  for (Index i = 0; i < 50; ++i) samples.row(i).setConstant(static_cast<double>(i / 2));  // copies
  MixtureOptions options;
  options.n_components = 25;
  options.start = MixtureStart::random_points;
  options.seed = 9;
  std::vector<Index> order(50);
  std::iota(order.begin(), order.end(), Index{0});
  Random random(9, 3);
  std::vector<double> expected;
  for (std::size_t i = 0; expected.size() < 25; ++i) {
    std::swap(order[i], order[i + random.below(50 - i)]);
    const auto value = static_cast<double>(order[i] / 2);
    if (std::ranges::find(expected, value) == expected.end()) expected.push_back(value);
  }
  const Mixture start = starting_mixture({samples, {}}, options, unit_sample, {.stream = 3});
  for (std::size_t i = 0; i < 25; ++i)
    EXPECT_EQ(start.means(static_cast<Index>(i), 0), expected[i]);
}

TEST(RandomStart, TakesNoSampleWithoutWeight) {
  const RowMatrix samples = Vector::LinSpaced(10, 0.0, 9.0).replicate(1, 2);
  std::vector<double> weights(10, 0.0);
  weights[3] = weights[8] = 1.0;
  MixtureOptions options;
  options.n_components = 2;
  options.start = MixtureStart::random_points;
  const Mixture start = starting_mixture({samples, weights}, options, unit_sample, {});
  EXPECT_EQ(start.means.col(0).minCoeff(), 3.0);
  EXPECT_EQ(start.means.col(0).maxCoeff(), 8.0);
}

/// Two clusters at 0 and 1 whose samples are within 0.1 of their center, and one sample far away.
RowMatrix clusters_and_a_far_sample(double far) {
  RowMatrix samples(41, 1);
  for (Index i = 0; i < 40; ++i) {
    samples(i, 0) = static_cast<double>(i % 2) + 0.005 * static_cast<double>(i - 20);
  }
  samples(40, 0) = far;
  return samples;
}

// EM would stop at once if all samples belonged equally to both clusters.
TEST(NarrowStart, SeparatesClustersThatAreNearBesideTheScale) {
  const RowMatrix samples = clusters_and_a_far_sample(1e9);
  for (const MixtureStart start : {MixtureStart::kmeans_plusplus, MixtureStart::random_points}) {
    MixtureOptions options;
    options.n_components = 3;
    options.start = start;
    options.n_init = 20;
    EXPECT_GT(fit_mixture(samples, options).mean_log_likelihood, -0.7) << to_string(start);
  }
  MixtureOptions scaled;
  scaled.n_components = 2;
  scaled.start_scales = Vector::Constant(1, 1e9);
  const Mixture mixture = fit_mixture(RowMatrix(samples.topRows(40)), scaled).mixture;
  EXPECT_NEAR(mixture.means.minCoeff(), 0.0, 0.01);
  EXPECT_NEAR(mixture.means.maxCoeff(), 1.0, 0.01);
}

// Seeds are moved a little, by much less than their distances also if one of them is far away.
TEST(ClusterStart, SeparatesClustersBesideACodeThatIsFarAway) {
  const RowMatrix centers{{0.0, 0.0}, {5.0, 8.0}, {10.0, 3.0}};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    RowMatrix samples(400, 2);
    for (Index i = 0; i < 400; ++i) {
      for (Index f = 0; f < 2; ++f) samples(i, f) = centers(i % 3, f) + 0.3 * random.normal();
      if (i % 20 == 0) samples(i, 0) = 1e9;
    }
    MixtureOptions options;
    options.n_components = 4;
    options.max_iterations = 500;
    options.seed = seed;
    EXPECT_GT(fit_mixture(samples, options).mean_log_likelihood, -1.7) << seed;
  }
}

TEST(SharedStart, SplitsEverySampleAmongTheComponents) {
  const RowMatrix samples = sample(random_mixture({.n_components = 3, .seed = 1}), 500, 2).samples;
  MixtureOptions options;
  options.n_components = 4;
  options.start = MixtureStart::random_responsibilities;
  const Mixture start = starting_mixture({samples, {}}, options, unit_sample, {});
  const Vector mean = samples.colwise().mean().transpose();
  EXPECT_LT((start.means.transpose() * start.weights - mean).norm(), 1e-12);
  // the law of total variance; the floor of unit_sample is in every covariance
  const RowMatrix centered = samples.rowwise() - mean.transpose();
  const Matrix whole = centered.transpose() * centered / 500.0;
  Matrix together = -1e-6 * Matrix::Identity(2, 2);
  for (Index k = 0; k < 4; ++k) {
    const Vector shift = start.means.row(k).transpose() - mean;
    const Matrix& own = start.covariances[static_cast<std::size_t>(k)];
    together += start.weights[k] * (own + shift * shift.transpose());
    EXPECT_GT(relative_error(own, whole), 1e-4);  // each has its own
  }
  EXPECT_LT(relative_error(together, whole), 1e-12);
}

// Equal means would be a saddle point that EM does not leave.
TEST(SharedStart, MovesMeansOfATiedCovarianceApart) {
  const RowMatrix samples = sample(random_mixture({.n_components = 3, .seed = 1}), 500, 2).samples;
  MixtureOptions options;
  options.n_components = 4;
  options.covariance_type = CovarianceType::tied;
  options.start = MixtureStart::random_responsibilities;
  const WholeSample whole_sample = unit_sample_of(CovarianceType::tied);
  const Mixture start = starting_mixture({samples, {}}, options, whole_sample, {});
  check_mixture(start, "start", "mixture");
  const Vector mean = samples.colwise().mean().transpose();
  EXPECT_LT((start.means.transpose() * start.weights - mean).norm(), 1e-12);
  const RowMatrix shifts = start.means.rowwise() - mean.transpose();
  const Matrix between = shifts.transpose() * start.weights.asDiagonal() * shifts;
  const RowMatrix centered = samples.rowwise() - mean.transpose();
  const Matrix whole =
      centered.transpose() * centered / 500.0 + 1e-6 * Matrix::Identity(2, 2);  // the floor
  EXPECT_LT(relative_error(start.covariances.front() + between, whole), 1e-12);
  // half over all directions together, minus the initial deviations of 1/sqrt(500)
  EXPECT_NEAR((whole.inverse() * between).trace(), 0.5, 0.01);
}

TEST(SharedStart, KeepsEqualMeansOfEqualSamples) {
  MixtureOptions options;
  options.n_components = 3;
  options.covariance_type = CovarianceType::tied;
  options.start = MixtureStart::random_responsibilities;
  const WholeSample whole = unit_sample_of(CovarianceType::tied);
  const RowMatrix samples = RowMatrix::Zero(10, 2);
  EXPECT_EQ(starting_mixture({samples, {}}, options, whole, {}).means, RowMatrix::Zero(3, 2));
}

class StartTest : public ::testing::TestWithParam<MixtureStart> {};

TEST_P(StartTest, GivesAValidMixtureOfEveryTypeAndRepeats) {
  const RowMatrix samples = sample(random_mixture({.n_components = 5, .seed = 1}), 800, 2).samples;
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options;
    options.n_components = 5;
    options.covariance_type = type;
    options.start = GetParam();
    const WholeSample whole = unit_sample_of(type);
    const Mixture start = starting_mixture({samples, {}}, options, whole, {.stream = 4});
    check_mixture(start, "start", "mixture");
    EXPECT_EQ(start.n_components(), 5);
    EXPECT_EQ(starting_mixture({samples, {}}, options, whole, {.stream = 4}).means, start.means);
    EXPECT_NE(starting_mixture({samples, {}}, options, whole, {.stream = 5}).means, start.means);
  }
}

TEST_P(StartTest, SurvivesAsManyComponentsAsDistinctSamplesWithoutFloor) {
  const RowMatrix samples{{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
  MixtureOptions options;
  options.n_components = 3;
  options.start = GetParam();
  const Mixture start = starting_mixture({samples, {}}, options, {unit_spread, {}}, {.stream = 4});
  check_mixture(start, "start", "mixture");
  std::set<std::pair<double, double>> means;
  for (Index i = 0; i < 3; ++i) means.insert({start.means(i, 0), start.means(i, 1)});
  EXPECT_EQ(means.size(), 3U);
}

class NarrowStartTest : public ::testing::TestWithParam<MixtureStart> {};

TEST_P(NarrowStartTest, GivesSamplesToTheNearestMeanFirst) {
  const RowMatrix samples = sample(random_mixture({.n_components = 3, .seed = 1}), 500, 2).samples;
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options;
    options.n_components = 3;
    options.covariance_type = type;
    options.start = GetParam();
    const Mixture start = starting_mixture({samples, {}}, options, unit_sample_of(type), {});
    EXPECT_EQ(start.weights, Vector::Constant(3, 1.0 / 3.0));
    const Labels nearest = labels(start, samples);
    for (Index i = 0; i < samples.rows(); ++i) {
      Index expected = 0;
      (start.means.rowwise() - samples.row(i)).rowwise().squaredNorm().minCoeff(&expected);
      EXPECT_EQ(nearest[i], expected);
    }
  }
}

TEST_P(NarrowStartTest, SharesSamplesThatAreEquallyNear) {
  const RowMatrix samples = Matrix::Identity(5, 5);  // all have the same distance from each other
  MixtureOptions options;
  options.n_components = 3;
  options.start = GetParam();
  const WholeSample whole{Matrix::Identity(5, 5), {.floor = 1e-6}};
  const Mixture start = starting_mixture({samples, {}}, options, whole, {});
  const RowMatrix shares = responsibilities(start, samples);
  EXPECT_NEAR(shares.sum(), 5.0, 1e-12);
  for (Index i = 0; i < 5; ++i) {
    const double most = shares.row(i).maxCoeff();
    EXPECT_TRUE(std::abs(most - 1.0) < 1e-12 || std::abs(most - 1.0 / 3.0) < 1e-12) << most;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NarrowStartTest,
                         ::testing::Values(MixtureStart::kmeans_plusplus,
                                           MixtureStart::random_points));

// Eight categories for two clusters: six of them have the same distance from both seeds.
TEST(KMeansStart, SpreadsSamplesThatAreEquallyNear) {
  const RowMatrix samples = Matrix::Identity(8, 8).replicate(10, 1);
  MixtureOptions options;
  options.n_components = 2;
  const WholeSample whole{Matrix::Identity(8, 8), {.floor = 1e-6}};
  double smaller = 0.0;
  for (int seed = 0; seed < 20; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    smaller += starting_mixture({samples, {}}, options, whole, {}).weights.minCoeff();
  }
  // of eight, all but one in the first cluster make 1/8; one or three of six in the second 2/8, 4/8
  EXPECT_GT(smaller / 20.0, 0.25);
}

TEST(HasDistinctSamples, GivesEverySampleBack) {
  const RowMatrix samples = RowMatrix::Zero(100'000, 3);
  const RecordingStorage storage(samples);
  EXPECT_EQ(n_distinct_samples({storage.view(), {}}, 2), 1);
  EXPECT_TRUE(storage.all_released());
  EXPECT_LE(storage.largest(), std::size_t{1} << 20U);
}

INSTANTIATE_TEST_SUITE_P(All, StartTest,
                         ::testing::Values(MixtureStart::kmeans, MixtureStart::kmeans_plusplus,
                                           MixtureStart::random_points,
                                           MixtureStart::random_responsibilities));

TEST(MixtureStartNames, ReadBack) {
  for (const char* name : {"kmeans", "kmeans++", "random", "responsibilities"}) {
    EXPECT_EQ(to_string(enum_from<MixtureStart>(name)), name);
  }
  expect_error<InvalidArgument>(
      [] { (void)enum_from<MixtureStart>("best"); },
      "start: 'best' is unknown, expected 'kmeans', 'kmeans++', 'random' or 'responsibilities'");
}

}  // namespace
}  // namespace lbw
