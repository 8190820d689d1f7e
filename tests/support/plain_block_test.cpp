// SPDX-License-Identifier: MIT
#include "support/plain_block.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(SampleBlock, PadsWithWeightZeroAndReadsFloats) {
  const RowMatrixF samples = RowMatrixF::Constant(300, 2, 1.5F);
  SampleBlock block(2);
  block.load({samples, {}}, 256, 300);
  EXPECT_EQ(block.count, 44);
  EXPECT_EQ(block.features[1][43], 1.5);
  EXPECT_EQ(block.features[1][44], 0.0);
  EXPECT_EQ(block.weights[43], 1.0);
  EXPECT_EQ(block.weights[44], 0.0);
}

TEST(SampleBlock, DoesNotDependOnWhereTheSamplesLie) {
  std::vector<double> memory(2 * 256 + 1);
  Random random(1);
  for (double& value : memory) value = random.normal();
  std::vector<double> shifted(memory.begin() + 1, memory.end());
  SampleBlock here(2);
  SampleBlock there(2);
  here.load({SampleView(memory.data() + 1, 256, 2, 2), {}}, 0, 256);
  there.load({SampleView(shifted.data(), 256, 2, 2), {}}, 0, 256);
  EXPECT_EQ(lane_dot(here.features[0], here.features[1]),
            lane_dot(there.features[0], there.features[1]));
}

TEST(LaneDot, IsTheSumOfProducts) {
  Lane left{};
  Lane right{};
  double expected = 0.0;
  for (std::size_t i = 0; i < block_size; ++i) {
    left[i] = static_cast<double>(i);
    right[i] = 2.0;
    expected += 2.0 * static_cast<double>(i);  // integers, so every order gives the same sum
  }
  EXPECT_EQ(lane_dot(left, right), expected);
  EXPECT_EQ(lane_sum(left), expected / 2.0);
}

TEST(SampleView, SeesRowBlocksMapsAndColumns) {
  const RowMatrix samples = RowMatrix::Random(6, 3);
  const auto block = samples.block(2, 0, 3, 2);
  const SampleView part(block);
  EXPECT_EQ(part.n_samples(), 3);
  EXPECT_EQ(part.n_features(), 2);
  EXPECT_EQ(part(1, 1), samples(3, 1));
  EXPECT_EQ(part.rows(1, 2)(0, 0), samples(3, 0));
  const Vector column = Vector::Random(5);
  EXPECT_EQ(SampleView(column).n_features(), 1);
  EXPECT_EQ(SampleView(column)(4, 0), column[4]);
  EXPECT_EQ(SampleView(samples).row(5), samples.row(5).transpose());
}

}  // namespace
}  // namespace lbw
