// SPDX-License-Identifier: MIT
#include "mixture/start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/error.hpp>
#include <lbw/random.hpp>
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

TEST(HasDistinctSamples, CountsRowsOfPositiveWeightOnce) {
  const RowMatrix samples{{1.0, 2.0}, {1.0, 2.0}, {0.0, 0.0}, {-0.0, 0.0}, {5.0, 5.0}};
  const std::vector<double> weights{1.0, 1.0, 1.0, 1.0, 0.0};
  EXPECT_TRUE(has_distinct_samples({samples, {}}, 3));
  EXPECT_FALSE(has_distinct_samples({samples, {}}, 4));
  EXPECT_FALSE(has_distinct_samples({samples, weights}, 3));
}

/// The definition: all numbers in a row, each place swapped with a random one behind it.
TEST(RandomStart, TakesTheFirstDistinctSamplesOfAShuffle) {
  RowMatrix samples(50, 2);
  for (Index i = 0; i < 50; ++i) samples.row(i).setConstant(static_cast<double>(i / 2));  // twins
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

TEST(SharedStart, SplitsEverySampleAmongTheComponents) {
  const RowMatrix samples = sample(random_mixture({.n_components = 3, .seed = 1}), 500, 2).samples;
  MixtureOptions options;
  options.n_components = 4;
  options.start = MixtureStart::random_responsibilities;
  const Mixture start = starting_mixture({samples, {}}, options, unit_sample, {});
  const Vector together = start.means.transpose() * start.weights;
  EXPECT_LT((together - samples.colwise().mean().transpose()).norm(), 1e-12);
  for (const Matrix& covariance : start.covariances) EXPECT_EQ(covariance, unit_spread);
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

TEST(SeedStart, SharesTheSpreadWithinClusters) {
  const RowMatrix samples = sample(random_mixture({.n_components = 3, .seed = 1}), 500, 2).samples;
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options;
    options.n_components = 3;
    options.covariance_type = type;
    options.start = MixtureStart::kmeans_plusplus;
    const Mixture start = starting_mixture({samples, {}}, options, unit_sample_of(type), {});
    Matrix scatter = Matrix::Zero(2, 2);
    for (Index k = 0; k < 3; ++k) {
      std::vector<Index> members;
      for (Index i = 0; i < samples.rows(); ++i) {
        Index nearest = 0;
        (start.means.rowwise() - samples.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
        if (nearest == k) members.push_back(i);
      }
      const RowMatrix cluster = samples(members, Eigen::all);
      const RowMatrix centered = cluster.rowwise() - cluster.colwise().mean();
      scatter += centered.transpose() * centered;
    }
    const Matrix within = scatter / 500.0 + 1e-6 * Matrix::Identity(2, 2);
    for (const Matrix& covariance : start.covariances) {
      EXPECT_LT(relative_error(covariance, oracle::compact(within.cast<long double>(), type)),
                1e-12);
    }
  }
}

TEST(HasDistinctSamples, GivesEverySampleBack) {
  const RowMatrix samples = RowMatrix::Zero(100'000, 3);
  const RecordingStorage storage(samples);
  EXPECT_FALSE(has_distinct_samples({storage.view(), {}}, 2));
  EXPECT_TRUE(storage.all_released());
  EXPECT_LE(storage.largest(), std::size_t{1} << 20U);
}

INSTANTIATE_TEST_SUITE_P(All, StartTest,
                         ::testing::Values(MixtureStart::kmeans, MixtureStart::kmeans_plusplus,
                                           MixtureStart::random_points,
                                           MixtureStart::random_responsibilities));

TEST(MixtureStartNames, ReadBack) {
  for (const char* name : {"kmeans", "kmeans++", "random", "responsibilities"}) {
    EXPECT_EQ(to_string(mixture_start_from(name)), name);
  }
  expect_error<InvalidArgument>(
      [] { (void)mixture_start_from("best"); },
      "start: 'best' is unknown, expected 'kmeans', 'kmeans++', 'random' or 'responsibilities'");
}

}  // namespace
}  // namespace lbw
