// SPDX-License-Identifier: MIT
// Densities and moment sums of tied covariances, compared with the plain loops.
#include "device/shared_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/moment_checks.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

/// A mixture whose means are `spread` standard deviations apart.
Mixture tied_mixture(Index d, Index k, double spread) {
  return random_mixture({.n_components = k,
                         .n_features = d,
                         .covariance_type = CovarianceType::tied,
                         .spread = spread / std::sqrt(static_cast<double>(d)),
                         .seed = 7});
}

/// Errors are relative to the weights and to the largest variance.
void expect_close_sums(const MomentSums& actual, const MomentSums& expected, double tolerance) {
  EXPECT_NEAR(actual.log_likelihood, expected.log_likelihood,
              tolerance * std::abs(expected.log_likelihood));
  const double variance = expected.second[0].diagonal().maxCoeff();
  EXPECT_LE((actual.component_weight - expected.component_weight).cwiseAbs().maxCoeff(),
            tolerance * expected.weight);
  EXPECT_LE((actual.first - expected.first).cwiseAbs().maxCoeff(),
            tolerance * std::sqrt(expected.weight * variance));
  EXPECT_LE((actual.second[0] - expected.second[0]).cwiseAbs().maxCoeff(), tolerance * variance);
}

void check_sums(const Mixture& mixture, Index n, double tolerance, double single_tolerance) {
  const DensityTable table = density_table(mixture);
  const RowMatrix samples = sample(mixture, n, 11).samples;
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i)
    weights.push_back(i % 5 == 0 ? 0.0 : 0.5 + 0.001 * static_cast<double>(i % 7));
  const MomentSums expected =
      plain_device().moment_sums({samples, weights}, table, Precision::f64, {1});
  Vector expected_densities;
  plain_device().log_densities(samples, table, {1}, expected_densities);
  for_each_instruction_set([&] {
    expect_close_sums(cpu_device().moment_sums({samples, weights}, table, Precision::f64, {2}),
                      expected, tolerance);
    expect_close_sums(cpu_device().moment_sums({samples, weights}, table, Precision::f32, {2}),
                      expected, single_tolerance);
    Vector densities;
    cpu_device().log_densities(samples, table, {2}, densities);
    EXPECT_LE((densities - expected_densities).cwiseAbs().maxCoeff(),
              tolerance * (1.0 + expected_densities.cwiseAbs().maxCoeff()));
  });
}

TEST(SharedModel, SumsOfAnyNumberOfFeaturesAgreeWithThePlainLoops) {
  for (const Index d : {8, 9, 15, 16, 17, 31, 33, 64, 65, 130}) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(d));
    check_sums(tied_mixture(d, 3, 2.0), 300, 1e-12, 1e-4);
  }
}

TEST(SharedModel, SumsOfAnyNumberOfComponentsAgreeWithThePlainLoops) {
  for (const Index k : {2, 3, 4, 5, 6, 7, 8, 9}) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(k));
    check_sums(tied_mixture(11, k, 2.0), 530, 1e-12, 1e-4);
  }
}

TEST(SharedModel, SumsOfAnyNumberOfSamplesAgreeWithThePlainLoops) {
  for (const Index n : {2, 3, 31, 33, 64, 65, 255, 257, 511, 513, 1030, 5000}) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(n));
    check_sums(tied_mixture(13, 3, 2.0), n, 1e-12, 1e-4);
  }
}

// 30 deviations lose three of sixteen digits. Beyond 64, sums are about each mean again.
TEST(SharedModel, DistantComponentsKeepTheirDigits) {
  for (const double spread : {30.0, 1e3, 1e6}) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(spread));
    check_sums(tied_mixture(20, 4, spread), 300, 1e-11, spread > 1e3 ? 1.0 : 1e-3);
  }
}

TEST(SharedModel, MeansFarFromZeroLoseNoDigits) {
  Mixture mixture = tied_mixture(20, 3, 2.0);
  RowMatrix samples = sample(mixture, 100, 11).samples;
  // steps of 2^-20 remain exact at 2^20, so that moving everything does not round
  samples = (samples * 0x1p20).array().round() * 0x1p-20;
  mixture.means = (mixture.means * 0x1p20).array().round() * 0x1p-20;
  const DensityTable near = density_table(mixture);
  const MomentSums expected = plain_device().moment_sums({samples, {}}, near, Precision::f64, {1});
  samples.array() += 0x1p20;
  mixture.means.array() += 0x1p20;
  const DensityTable far = density_table(mixture);
  for_each_instruction_set([&] {
    expect_close_sums(cpu_device().moment_sums({samples, {}}, far, Precision::f64, {1}), expected,
                      1e-12);
  });
}

TEST(SharedModel, ResultsAreBitwiseEqualForAnyNumberOfThreads) {
  const Mixture mixture = tied_mixture(20, 5, 2.0);
  const RowMatrix samples = sample(mixture, 20'000, 1).samples;
  for_each_instruction_set([&] { expect_same_sums_for_any_threads(mixture, samples); });
}

TEST(SharedModel, IsOnlyForCloseComponentsThatShareACovariance) {
  const auto shares = [](const Mixture& mixture) {
    return can_share(KernelTable::fastest(density_table(mixture), Precision::f64));
  };
  EXPECT_TRUE(shares(tied_mixture(20, 3, 2.0)));
  EXPECT_FALSE(shares(tied_mixture(20, 3, 1e3)));
  EXPECT_FALSE(shares(tied_mixture(20, 1, 2.0)));
  EXPECT_FALSE(shares(random_mixture({.n_components = 3, .n_features = 20, .seed = 7})));
  EXPECT_FALSE(can_share(KernelTable::accurate(density_table(tied_mixture(20, 3, 2.0)))));
}

}  // namespace
}  // namespace lbw
