// SPDX-License-Identifier: MIT
#include "quantile/table_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <lbw/types.hpp>

namespace lbw {
namespace {

std::vector<double> normal_values(Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(random.normal());
  return values;
}

TEST(TableMoments, AreThoseOfTheQuantileFunction) {
  const QuantileTable uniform{Vector{{2.0, 3.0, 4.0}}};
  EXPECT_NEAR(table_moments(uniform).mean, 3.0, 1e-15);
  EXPECT_NEAR(table_moments(uniform).deviation, 2.0 / std::sqrt(12.0), 1e-15);
  const TableMoments normal = table_moments(quantile_table(normal_values(50'000, 1)));
  EXPECT_NEAR(normal.mean, 0.0, 0.02);
  EXPECT_NEAR(normal.deviation, 1.0, 0.02);
}

// An atom of half the mass is mapped to the mean over its levels.
TEST(ImageMoments, TakeAtomsTogether) {
  const QuantileTable source{Vector{{0.0, 0.0, 0.0, 1.0, 2.0}}};
  const QuantileTable target{Vector{{0.0, 2.0, 4.0, 4.0, 4.0}}};
  const TableMoments image = image_moments(source, target);
  EXPECT_NEAR(image.mean, 3.0, 1e-15);
  EXPECT_NEAR(image.deviation, 1.0, 1e-15);  // half at 2, half at 4
  const TableMoments whole = image_moments(target, source);
  EXPECT_NEAR(whole.mean, 0.5, 1e-15);
}

TEST(AtomMass, CountsFlatLevelsButNotTheEndsOfFewSamples) {
  EXPECT_EQ(atom_mass(QuantileTable{Vector{{0.0, 0.0, 0.0, 1.0, 2.0}}}, 1e9), 0.5 - 5e-10);
  EXPECT_EQ(atom_mass(QuantileTable{Vector{{0.0, 1.0, 1.0, 2.0, 3.0}}}, 1e9), 0.25);
  EXPECT_EQ(atom_mass(QuantileTable{Vector{{3.0, 3.0}}}, 10.0), 1.0);
  EXPECT_EQ(atom_mass(quantile_table(normal_values(5, 2)), 5.0), 0.0);
  EXPECT_EQ(atom_mass(quantile_table(normal_values(1000, 3)), 1000.0), 0.0);
}

TEST(PoolDistances, AgreeWithTheDefinitionForUniformDistributions) {
  const QuantileTable left{Vector{{0.0, 1.0}}};   // uniform on [0, 1]
  const QuantileTable right{Vector{{1.0, 2.0}}};  // uniform on [1, 2]
  const std::vector<const QuantileTable*> tables = {&left, &right};
  const PoolDistances pool = pool_distances(tables, std::vector<double>{0.5, 0.5});
  // F_left - F = x / 2 on [0, 1] and (2 - x) / 2 on [1, 2]: 2 * 1/12
  EXPECT_NEAR(pool.distances[0], 1.0 / 6.0, 1e-15);
  EXPECT_NEAR(pool.distances[1], 1.0 / 6.0, 1e-15);
  // F = x / 2 on [0, 2]: 1 - 2/3
  EXPECT_NEAR(pool.noise, 1.0 / 3.0, 1e-15);
}

TEST(PoolDistances, MayBeBounded) {
  const QuantileTable left{Vector{{0.0, 1.0}}};
  const QuantileTable right{Vector{{1.0, 2.0}}};
  const std::vector<const QuantileTable*> tables = {&left, &right};
  const PoolDistances pool = pool_distances(tables, std::vector<double>{0.5, 0.5}, {1.0, 2.0});
  // (2 - x) / 2 and F (1 - F) with F = x / 2 on [1, 2]
  EXPECT_NEAR(pool.distances[0], 1.0 / 12.0, 1e-15);
  EXPECT_NEAR(pool.noise, 1.0 / 6.0, 1e-15);
  EXPECT_EQ(pool_distances(tables, std::vector<double>{0.5, 0.5}, {3.0, 4.0}).noise, 0.0);
}

TEST(PoolDistances, HoldForAtoms) {
  Vector few = Vector::Zero(101);
  few.tail(31).setOnes();  // the step from 0 to 1 is between the levels .70 and .71
  Vector many = Vector::Zero(101);
  many.tail(61).setOnes();
  const QuantileTable a{few};
  const QuantileTable b{many};
  const std::vector<const QuantileTable*> tables = {&a, &b};
  const PoolDistances pool = pool_distances(tables, std::vector<double>{0.5, 0.5});
  // between 0 and 1 F rises from .69 to .70 and from .39 to .40; F - F_a is .15 throughout
  EXPECT_NEAR(pool.distances[0], 0.0225, 1e-12);
  EXPECT_NEAR(pool.noise, 0.545 * 0.455, 1e-4);
}

// Cramer's distance of n samples from their distribution is noise / n on average, whatever it is.
TEST(PoolDistances, OfSamplesOfOneDistributionAreTheNoise) {
  double seen = 0.0;
  double expected = 0.0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const QuantileTable few = quantile_table(normal_values(40, 2 * seed + 10));
    const QuantileTable many = quantile_table(normal_values(160, 2 * seed + 11));
    const std::vector<const QuantileTable*> tables = {&few, &many};
    const PoolDistances pool = pool_distances(tables, std::vector<double>{0.2, 0.8});
    seen += pool.distances[0];
    expected += (1.0 / 40.0 - 1.0 / 200.0) * pool.noise;
  }
  EXPECT_NEAR(seen / expected, 1.0, 0.12);  // the mean of 300 has a deviation of about .04
}

}  // namespace
}  // namespace lbw
