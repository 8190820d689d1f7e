// SPDX-License-Identifier: MIT
// Compares all vector kernels on all instruction sets of this machine with the plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "device/cpu_device.hpp"
#include "device/kernel_table.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/moment_checks.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

struct Case {
  Index n_features;
  Index n_components;
  CovarianceType covariance_type;
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.covariance_type)) +
         std::to_string(info.param.n_features) + "x" + std::to_string(info.param.n_components);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const CovarianceType type : all_covariance_types) {
    // one, two and three features have special loops; 25 exceeds the quadratic features, and 37
    // exceeds four of the longest vectors
    for (const Index d : {1, 2, 3, 7, 10, 25, 37}) {
      for (const Index k : {1, 5, 13}) cases.push_back({d, k, type});
    }
  }
  return cases;
}

std::vector<double> some_weights(Index n) {
  Random random(5);
  std::vector<double> weights(static_cast<std::size_t>(n));
  for (double& weight : weights) weight = random.uniform() < 0.1 ? 0.0 : 3.0 * random.uniform();
  return weights;
}

class Kernels : public ::testing::TestWithParam<Case> {
 protected:
  // two chunks, the last block partly filled
  static constexpr Index n_samples = 1700;

  Mixture mixture = random_mixture({.n_components = GetParam().n_components,
                                    .n_features = GetParam().n_features,
                                    .covariance_type = GetParam().covariance_type,
                                    .spread = 1.5,
                                    .seed = 7});
  DensityTable table = density_table(mixture);
  RowMatrix samples = sample(mixture, n_samples, 11).samples;
  std::vector<double> weights = some_weights(n_samples);
};

void expect_close(const MomentSums& actual, const MomentSums& expected, double tolerance) {
  EXPECT_EQ(actual.n_samples, expected.n_samples);
  EXPECT_NEAR(actual.weight, expected.weight, 1e-12 * expected.weight);
  EXPECT_NEAR(actual.log_likelihood, expected.log_likelihood,
              tolerance * std::abs(expected.log_likelihood));
  EXPECT_LT(relative_error(actual.component_weight, expected.component_weight), tolerance);
  // first moments cancel, so errors are relative to the weights and the size of the samples
  EXPECT_LT((actual.first - expected.first).norm(),
            tolerance * expected.weight * (1.0 + expected.centers.norm()));
  for (std::size_t i = 0; i < expected.second.size(); ++i) {
    EXPECT_LT((actual.second[i] - expected.second[i]).norm(),
              tolerance * (expected.second[i].norm() + 1.0));
  }
}

TEST_P(Kernels, MomentSumsAgreeWithThePlainLoops) {
  const MomentSums expected =
      plain_device().moment_sums({samples, weights}, table, Precision::f64, {1});
  for_each_instruction_set([&] {
    expect_close(cpu_device().moment_sums({samples, weights}, table, Precision::f64, {2}), expected,
                 1e-11);
    expect_close(cpu_device().moment_sums({samples, weights}, table, Precision::f32, {2}), expected,
                 1e-5);
  });
}

TEST_P(Kernels, SinglePrecisionKeepsTheLikelihoodToAMillionth) {
  const MomentSums expected = plain_device().moment_sums({samples, {}}, table, Precision::f64, {1});
  for_each_instruction_set([&] {
    const MomentSums sums = cpu_device().moment_sums({samples, {}}, table, Precision::f32, {2});
    EXPECT_NEAR(sums.log_likelihood, expected.log_likelihood,
                1e-6 * std::abs(expected.log_likelihood));
  });
}

TEST_P(Kernels, DensitiesAndLabelsAgreeWithThePlainLoops) {
  Vector expected;
  Labels expected_labels;
  RowMatrix expected_responsibilities;
  plain_device().log_densities(samples, table, {1}, expected);
  plain_device().labels(samples, table, {1}, expected_labels);
  plain_device().responsibilities(samples, table, {1}, expected_responsibilities);
  for_each_instruction_set([&] {
    Vector densities;
    Labels labels;
    RowMatrix responsibilities;
    cpu_device().log_densities(samples, table, {2}, densities);
    cpu_device().labels(samples, table, {2}, labels);
    cpu_device().responsibilities(samples, table, {2}, responsibilities);
    EXPECT_LT((densities - expected).cwiseAbs().maxCoeff(),
              1e-12 * (1.0 + expected.cwiseAbs().maxCoeff()));
    EXPECT_LT((responsibilities - expected_responsibilities).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(labels, expected_labels);
  });
}

TEST_P(Kernels, MapsAgreeWithThePlainLoopsAlsoInPlaceAndFromFloats) {
  const Index k = GetParam().n_components;
  const Index d = GetParam().n_features;
  Random random(3);
  MapTable maps{mixture.means, {}, random_normal_matrix(k, d, random)};
  for (Index i = 0; i < k; ++i) maps.matrices.emplace_back(random_normal_matrix(d, d, random));
  RowMatrix expected(n_samples, d);
  plain_device().apply_maps(samples, table, maps, {}, {1}, expected);
  const RowMatrixF floats = samples.cast<float>();
  RowMatrix expected_of_floats(n_samples, d);
  plain_device().apply_maps(floats, table, maps, {}, {1}, expected_of_floats);
  const double tolerance = 1e-13 * expected.cwiseAbs().maxCoeff();
  for_each_instruction_set([&] {
    RowMatrix carried(n_samples, d);
    cpu_device().apply_maps(samples, table, maps, {}, {2}, carried);
    EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), tolerance);
    RowMatrix in_place = samples;
    cpu_device().apply_maps(in_place, table, maps, {}, {2}, in_place);
    EXPECT_EQ(in_place, carried);
    cpu_device().apply_maps(floats, table, maps, {}, {2}, carried);
    EXPECT_LT((carried - expected_of_floats).cwiseAbs().maxCoeff(), tolerance);
  });
}

TEST_P(Kernels, DiagonalMapsAreThoseOfTheirMatrices) {
  const Index k = GetParam().n_components;
  const Index d = GetParam().n_features;
  Random random(3);
  MapTable diagonal{mixture.means, {}, random_normal_matrix(k, d, random)};
  MapTable dense = diagonal;
  for (Index i = 0; i < k; ++i) {
    diagonal.matrices.emplace_back(random_normal_matrix(d, 1, random));
    dense.matrices.emplace_back(diagonal.matrices.back().col(0).asDiagonal());
  }
  RowMatrix expected(n_samples, d);
  plain_device().apply_maps(samples, table, dense, {}, {1}, expected);
  const RowMatrixF floats = samples.cast<float>();
  RowMatrix expected_of_floats(n_samples, d);
  plain_device().apply_maps(floats, table, dense, {}, {1}, expected_of_floats);
  const double tolerance = 1e-13 * expected.cwiseAbs().maxCoeff();
  for_each_instruction_set([&] {
    RowMatrix carried(n_samples, d);
    cpu_device().apply_maps(samples, table, diagonal, {}, {2}, carried);
    EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), tolerance);
    RowMatrix in_place = samples;
    cpu_device().apply_maps(in_place, table, diagonal, {}, {2}, in_place);
    EXPECT_EQ(in_place, carried);
    cpu_device().apply_maps(floats, table, diagonal, {}, {2}, carried);
    EXPECT_LT((carried - expected_of_floats).cwiseAbs().maxCoeff(), tolerance);
  });
}

TEST_P(Kernels, NearestSumsAgreeWithThePlainLoops) {
  const RowMatrix centers = mixture.means;
  const MomentSums expected =
      plain_device().nearest_sums({samples, weights}, centers, GetParam().covariance_type, {1});
  for_each_instruction_set([&] {
    const MomentSums sums =
        cpu_device().nearest_sums({samples, weights}, centers, GetParam().covariance_type, {2});
    expect_close(sums, expected, 1e-12);
    EXPECT_EQ(sums.worst_sample, expected.worst_sample);
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, Kernels, ::testing::ValuesIn(all_cases()), name_of);

TEST(Kernels, EveryInstructionSetGivesTheSameBitsAtAnyThreadCountAndPlace) {
  const Mixture mixture = random_mixture({.n_components = 6, .n_features = 5, .seed = 2});
  const DensityTable table = density_table(mixture);
  constexpr Index n = 30'000;  // enough samples for a second thread
  const RowMatrix samples = sample(mixture, n, 1).samples;
  RowMatrix elsewhere(n + 1, 5);
  elsewhere.bottomRows(n) = samples;
  for_each_instruction_set([&] {
    const MomentSums one = cpu_device().moment_sums({samples, {}}, table, Precision::f64, {1});
    for (const int n_threads : {2, 3, 7}) {
      const MomentSums many = cpu_device().moment_sums({elsewhere.bottomRows(n), {}}, table,
                                                       Precision::f64, {n_threads});
      EXPECT_EQ(one.log_likelihood, many.log_likelihood);
      EXPECT_EQ(one.first, many.first);
      EXPECT_EQ(one.second, many.second);
    }
  });
}

// The width of this component is a thousandth of its distance from the others. Quadratic features
// would lose seven digits of its covariance.
TEST(Kernels, TinyFarComponentsKeepTheirDigits) {
  Mixture mixture = random_mixture({.n_components = 3, .n_features = 2, .spread = 50.0, .seed = 4});
  mixture.covariances[1] *= 1e-6;
  const DensityTable table = density_table(mixture);
  EXPECT_EQ(KernelTable::fastest(table, Precision::f64).kind, KernelTable::Kind::whitened);
  const RowMatrix samples = sample(mixture, 2000, 5).samples;
  const MomentSums expected = plain_device().moment_sums({samples, {}}, table, Precision::f64, {1});
  for_each_instruction_set([&] {
    const MomentSums sums = cpu_device().moment_sums({samples, {}}, table, Precision::f64, {1});
    EXPECT_LT(relative_error(sums.second[1], expected.second[1]), 1e-9);
  });
}

TEST(Kernels, DoublePrecisionIsUsedWhereSinglePrecisionOverflows) {
  Mixture mixture = random_mixture({.n_components = 2, .n_features = 2, .seed = 4});
  EXPECT_EQ(KernelTable::fastest(density_table(mixture), Precision::f32).precision, Precision::f32);
  const RowMatrix means = mixture.means;
  for (const double far : {1e5, 1e14}) {  // in standard deviations, and in absolute values
    mixture.means = far * means;
    EXPECT_EQ(KernelTable::fastest(density_table(mixture), Precision::f32).precision,
              Precision::f64);
  }
}

TEST(Kernels, FarSamplesMakeNoNanInEitherPrecision) {
  const Mixture mixture = random_mixture({.n_components = 2, .n_features = 3, .seed = 4});
  for_each_instruction_set([&] { expect_finite_sums_of_far_samples(mixture); });
}

}  // namespace
}  // namespace lbw
