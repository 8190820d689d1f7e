// SPDX-License-Identifier: MIT
#include "transport/fit_noise.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(FindNoise, IgnoresSamplesWithoutWeight) {
  const RowMatrix grid{{0.0}, {1.0}, {2.0}, {0.0}, {1.0}, {2.0}, {0.0},
                       {1.0}, {2.0}, {0.0}, {1.0}, {2.0}, {0.3}};
  std::vector<double> weights(13, 1.0);
  weights.back() = 0.0;
  TransportOptions options;
  options.dither.amount = 0.5;
  const std::vector<Group> all{{"a", grid}, {"b", grid}};
  const std::vector<Group> weighted{{"a", grid, weights}, {"b", grid, weights}};
  EXPECT_TRUE(find_noise(all, options).empty());
  const Vector widths = find_noise(weighted, options).widths;
  ASSERT_EQ(widths.size(), 1);
  EXPECT_EQ(widths[0], 0.5);
}

TEST(DitheredGroups, OwnTheirSamplesOnlyIfTheyWereMoved) {
  const RowMatrix samples{{0.0}, {1.0}, {2.0}};
  const std::vector<Group> groups{{"a", samples}};
  const DitheredGroups unmoved = dithered_groups(groups, {}, 0, {});
  EXPECT_EQ(unmoved.groups.front().samples.row_data(0), groups.front().samples.row_data(0));
  const DitheredGroups moved = dithered_groups(groups, {.widths = Vector::Ones(1)}, 0, {});
  EXPECT_NE(moved.groups.front().samples.row(0), groups.front().samples.row(0));
  EXPECT_EQ(moved.groups.front().name, "a");
}

}  // namespace
}  // namespace lbw
