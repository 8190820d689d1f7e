// SPDX-License-Identifier: MIT
// Maps of points of many features, compared with their definition in extended precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

using Long = long double;

MapTable random_maps(const RowMatrix& source_means, std::uint64_t seed) {
  const Index k = source_means.rows();
  const Index d = source_means.cols();
  Random random(seed);
  MapTable maps{source_means, {}, random_normal_matrix(k, d, random)};
  for (Index i = 0; i < k; ++i) maps.matrices.emplace_back(random_normal_matrix(d, d, random));
  return maps;
}

/// target_mean + matrix * (x - source_mean) with the map of each sample.
RowMatrix expected_images(const RowMatrix& samples, const MapTable& maps, const Labels& labels) {
  RowMatrix images(samples.rows(), samples.cols());
  for (Index i = 0; i < samples.rows(); ++i) {
    const Index k = labels[i];
    const Matrix& matrix = maps.matrices[static_cast<std::size_t>(k)];
    for (Index f = 0; f < samples.cols(); ++f) {
      Long sum = maps.target_means(k, f);
      for (Index c = 0; c < samples.cols(); ++c) {
        sum += static_cast<Long>(matrix(f, c)) *
               (static_cast<Long>(samples(i, c)) - static_cast<Long>(maps.source_means(k, c)));
      }
      images(i, f) = static_cast<double>(sum);
    }
  }
  return images;
}

void expect_images(const Mixture& mixture, const RowMatrix& samples) {
  const DensityTable table = density_table(mixture);
  const MapTable maps = random_maps(mixture.means, 3);
  Labels labels;
  cpu_device().labels(samples, table, {1}, labels);
  const RowMatrix expected = expected_images(samples, maps, labels);
  // rounding of a sum of as many products as features
  const double tolerance =
      1e-15 * static_cast<double>(samples.cols()) * (1.0 + expected.cwiseAbs().maxCoeff());
  for_each_instruction_set([&] {
    RowMatrix images = RowMatrix::Zero(samples.rows(), samples.cols());
    cpu_device().apply_maps(samples, table, maps, {}, {2}, images);
    EXPECT_LT((images - expected).cwiseAbs().maxCoeff(), tolerance);
    RowMatrix in_place = samples;
    cpu_device().apply_maps(in_place, table, maps, {}, {1}, in_place);
    EXPECT_EQ(in_place, images);
  });
}

// the borders of vectors and panels of all instruction sets
TEST(MapPass, ImagesOfManyFeaturesAgreeWithTheirDefinition) {
  std::vector<Index> sizes = {63, 64, 65, 66, 127, 128, 129, 130, 300};
  for (Index d = 15; d <= 40; ++d) sizes.push_back(d);
  for (const Index d : sizes) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(d));
    const Mixture mixture =
        random_mixture({.n_components = 3, .n_features = d, .spread = 1.0, .seed = 7});
    expect_images(mixture, sample(mixture, 101, 11).samples);
  }
}

// with one component, all points have the same map, so tiles of every number of points occur
TEST(MapPass, ImagesOfAnyNumberOfPointsAgreeWithTheirDefinition) {
  const Mixture mixture = random_mixture({.n_components = 1, .n_features = 33, .seed = 7});
  const RowMatrix samples = sample(mixture, 130, 11).samples;
  for (Index n = 1; n <= samples.rows(); n += n < 20 ? 1 : 11) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(n));
    expect_images(mixture, samples.topRows(n));
  }
}

TEST(MapPass, OutputAroundTheCacheIsTheSame) {
  const Mixture mixture =
      random_mixture({.n_components = 2, .n_features = 129, .spread = 1.0, .seed = 7});
  const DensityTable table = density_table(mixture);
  const MapTable maps = random_maps(mixture.means, 3);
  const RowMatrix samples = sample(mixture, 17'000, 11).samples;  // more than 16 MiB
  RowMatrix all = RowMatrix::Zero(samples.rows(), samples.cols());
  cpu_device().apply_maps(samples, table, maps, {}, {2}, all);
  RowMatrix few = RowMatrix::Zero(100, samples.cols());
  cpu_device().apply_maps(samples.topRows(100), table, maps, {}, {1}, few);
  EXPECT_EQ(all.topRows(100), few);
}

}  // namespace
}  // namespace lbw
