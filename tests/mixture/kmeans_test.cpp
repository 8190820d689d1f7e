// SPDX-License-Identifier: MIT
#include "mixture/kmeans.hpp"

#include <gtest/gtest.h>

#include <set>

#include "device/cpu_device.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

double inertia(const RowMatrix& samples, const RowMatrix& centers) {
  return -cpu_device()
              .nearest_sums({samples, {}}, centers, CovarianceType::spherical, {1})
              .log_likelihood;
}

TEST(KmeansPlusPlus, TakesOneSampleOfEachFarCluster) {
  const Mixture mixture = random_mixture({.n_components = 6, .spread = 200.0, .seed = 3});
  const MixtureSample drawn = sample(mixture, 1500, 1);
  Random random(7);
  const RowMatrix seeds = kmeans_plusplus({drawn.samples, {}}, 6, random, {1});
  const Labels found = labels(mixture, seeds);
  EXPECT_EQ(std::set<int>(found.begin(), found.end()).size(), 6U);
}

TEST(KmeansPlusPlus, NeverTakesASampleOfWeightZero) {
  RowMatrix samples = RowMatrix::Random(100, 2);
  samples.row(50).setConstant(1e6);  // by distance alone it would be taken
  std::vector<double> weights(100, 1.0);
  weights[50] = 0.0;
  Random random(1);
  const RowMatrix seeds = kmeans_plusplus({samples, weights}, 10, random, {1});
  EXPECT_LT(seeds.maxCoeff(), 2.0);
}

TEST(KmeansPlusPlus, FindsDistinctSeedsWhereSquaresUnderflow) {
  RowMatrix samples(5, 1);
  samples << 1e-200, 1e-200, 2e-200, 3e-200, 3e-200;
  Random random(1);
  const RowMatrix seeds = kmeans_plusplus({samples, {}}, 3, random, {1});
  EXPECT_EQ(std::set<double>(seeds.data(), seeds.data() + 3).size(), 3U);
}

TEST(Lloyd, NeverRaisesTheInertiaAndReachesTheClusterMeans) {
  const Mixture mixture = random_mixture({.n_components = 4, .spread = 100.0, .seed = 6});
  const MixtureSample drawn = sample(mixture, 2000, 1);
  Random random(2);
  const RowMatrix seeds = kmeans_plusplus({drawn.samples, {}}, 4, random, {1});
  const RowMatrix centers = lloyd({drawn.samples, {}}, seeds, {2});
  EXPECT_LT(inertia(drawn.samples, centers), inertia(drawn.samples, seeds));
  const Labels found = labels(mixture, centers);
  for (Index c = 0; c < 4; ++c) {
    Vector sum = Vector::Zero(2);
    double count = 0.0;
    for (Index i = 0; i < 2000; ++i) {
      if (drawn.labels[i] != found[c]) continue;
      sum += drawn.samples.row(i).transpose();
      count += 1.0;
    }
    EXPECT_LT((centers.row(c).transpose() - sum / count).norm(), 1e-9);
  }
}

TEST(Lloyd, ReportsTheNumberOfStepsAfterEach) {
  const RowMatrix samples = Vector::LinSpaced(100, 0.0, 99.0);
  std::vector<int> steps;
  const RowMatrix centers =
      lloyd({samples, {}}, RowMatrix{{0.0}, {1.0}}, {1}, [&](int step) { steps.push_back(step); });
  EXPECT_EQ(centers, (RowMatrix{{24.5}, {74.5}}));
  ASSERT_GT(steps.size(), 2U);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], static_cast<int>(i) + 1);
}

TEST(Lloyd, MovesAnEmptyCenterToTheFarthestSample) {
  const RowMatrix samples{{0.0}, {1.0}, {100.0}, {101.0}};
  const RowMatrix start{{0.5}, {1e6}};
  const RowMatrix centers = lloyd({samples, {}}, start, {1});
  EXPECT_NEAR(centers(0, 0), 0.5, 1e-12);
  EXPECT_NEAR(centers(1, 0), 100.5, 1e-12);
}

}  // namespace
}  // namespace lbw
