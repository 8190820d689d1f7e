// SPDX-License-Identifier: MIT
#include "device/cluster_pass.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "device/cpu_device.hpp"
#include "support/each_instruction_set.hpp"
#include "support/generators.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

/// Ten steps of k-means, each compared with the sums of all distances.
void expect_plain_steps(const WeightedSamples& samples, RowMatrix centers, double tolerance) {
  const auto expected = plain_device().moving_centers(samples, {1});
  const auto fast = cpu_device().moving_centers(samples, {1});
  const auto threaded = cpu_device().moving_centers(samples, {2});
  for (int step = 0; step < 10; ++step) {
    const RowMatrix all = expected->sums(centers);
    const RowMatrix found = fast->sums(centers);
    EXPECT_EQ(threaded->sums(centers), found);
    EXPECT_LT((found.col(0) - all.col(0)).norm(), 1e-12 * all.col(0).norm()) << step;
    for (Index k = 0; k < centers.rows(); ++k) {
      if (all(k, 0) == 0.0) continue;
      const auto shift = all.row(k).tail(centers.cols()) / all(k, 0);
      const auto other = found.row(k).tail(centers.cols()) / found(k, 0);
      EXPECT_LT((shift - other).norm(), tolerance) << "step " << step << ", center " << k;
      centers.row(k) += shift;
    }
  }
}

RowMatrix first_rows(const RowMatrix& samples, Index count) { return samples.topRows(count); }

TEST(ClusterPass, MovesCentersAsAllDistancesDo) {
  for_each_instruction_set([] {
    for (const Index d : {1, 2, 10, 37}) {
      Random random(static_cast<std::uint64_t>(d));
      const RowMatrix samples = random_normal_matrix(20'001, d, random);
      expect_plain_steps({samples, {}}, first_rows(samples, 12), 1e-13);
    }
  });
}

TEST(ClusterPass, WeighsSamples) {
  Random random(1);
  const RowMatrix samples = random_normal_matrix(3000, 3, random);
  std::vector<double> weights;
  for (Index i = 0; i < 3000; ++i) weights.push_back(i % 7 == 0 ? 0.0 : 1e3 * random.uniform());
  expect_plain_steps({samples, weights}, first_rows(samples, 8), 1e-13);
}

// Samples that change their center are added to one sum and subtracted from another. Far ones would
// leave nothing but rounding errors in the sums of near ones.
TEST(ClusterPass, KeepsDigitsOfCentersThatFarSamplesLeave) {
  Random random(2);
  RowMatrix samples = random_normal_matrix(3000, 2, random);
  samples.bottomRows(10).setConstant(1e14);
  RowMatrix centers = first_rows(samples, 6);
  const WeightedSamples all{samples, {}};
  const auto fast = cpu_device().moving_centers(all, {1});
  (void)fast->sums(centers);
  centers.row(0) = samples.row(2999);  // takes the far samples from the last center
  const RowMatrix found = fast->sums(centers);
  const RowMatrix plain = plain_device().moving_centers(all, {1})->sums(centers);
  EXPECT_EQ(found.col(0), plain.col(0));
  for (Index k = 1; k < 6; ++k) {
    EXPECT_LT((found.row(k) - plain.row(k)).norm(), 1e-9 * (1.0 + plain.row(k).norm())) << k;
  }
}

TEST(ClusterPass, FindsSamplesFarFromZero) {
  Random random(3);
  const RowMatrix samples = random_normal_matrix(2000, 4, random).array() + 1e8;
  expect_plain_steps({samples, {}}, first_rows(samples, 9), 1e-6);
}

TEST(ClusterPass, ReadsSinglePrecision) {
  Random random(4);
  const auto samples =
      MatrixOf<float, Order::row_major>(random_normal_matrix(2000, 5, random).cast<float>());
  const SampleView view(samples);
  expect_plain_steps({view, {}}, RowMatrix(samples.topRows(7).cast<double>()), 1e-13);
}

TEST(ClusterPass, AssignsTiesToTheFirstCenter) {
  const RowMatrix samples{{0.0}, {1.0}, {2.0}};
  RowMatrix centers{{2.0}, {0.0}, {0.0}};
  const WeightedSamples all{samples, {}};
  const auto nearest = cpu_device().moving_centers(all, {1});
  EXPECT_EQ(nearest->sums(centers).col(0), Eigen::Vector3d(2.0, 1.0, 0.0));
  std::swap(centers(0, 0), centers(1, 0));
  EXPECT_EQ(nearest->sums(centers).col(0), Eigen::Vector3d(2.0, 1.0, 0.0));
}

}  // namespace
}  // namespace lbw
