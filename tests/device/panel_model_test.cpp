// SPDX-License-Identifier: MIT
// Densities and moment sums of many features, compared with loops in extended precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "device/cpu_device.hpp"
#include "device/kernel_table.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/moment_checks.hpp"

namespace lbw {
namespace {

using Long = long double;

/// The sums of a pass from their definition.
struct Expected {
  std::vector<Long> log_density;
  std::vector<Long> weight;               // (n_components)
  std::vector<std::vector<Long>> first;   // (n_components, n_features)
  std::vector<std::vector<Long>> second;  // (n_components, n_features^2), the lower triangle
  Long log_likelihood = 0.0L;
};

std::vector<Long> difference(const RowMatrix& samples, Index sample, const RowMatrix& means,
                             Index component) {
  std::vector<Long> result;
  for (Index f = 0; f < samples.cols(); ++f) {
    result.push_back(static_cast<Long>(samples(sample, f)) - means(component, f));
  }
  return result;
}

Long joint_density(const DensityTable& table, Index component, const std::vector<Long>& point) {
  const Matrix& whitening = table.whitening_of(component);
  Long joint = table.log_scale[component];
  for (Index row = 0; row < whitening.rows(); ++row) {
    Long sum = 0.0L;
    for (Index c = 0; c <= row; ++c) sum += whitening(row, c) * point[static_cast<std::size_t>(c)];
    joint -= 0.5L * sum * sum;
  }
  return joint;
}

Expected expected_sums(const RowMatrix& samples, const std::vector<double>& weights,
                       const DensityTable& table) {
  const auto d = static_cast<std::size_t>(table.n_features());
  const auto n_components = static_cast<std::size_t>(table.n_components());
  Expected sums;
  sums.weight.assign(n_components, 0.0L);
  sums.first.assign(n_components, std::vector<Long>(d, 0.0L));
  sums.second.assign(n_components, std::vector<Long>(d * d, 0.0L));
  for (Index i = 0; i < samples.rows(); ++i) {
    std::vector<std::vector<Long>> points;
    std::vector<Long> joint;
    for (Index k = 0; k < table.n_components(); ++k) {
      points.push_back(difference(samples, i, table.means, k));
      joint.push_back(joint_density(table, k, points.back()));
    }
    const Long largest = *std::max_element(joint.begin(), joint.end());
    Long total = 0.0L;
    for (const Long value : joint) total += std::exp(value - largest);
    sums.log_density.push_back(largest + std::log(total));
    const Long weight = weights.empty() ? 1.0L : weights[static_cast<std::size_t>(i)];
    sums.log_likelihood += weight * sums.log_density.back();
    for (std::size_t k = 0; k < n_components; ++k) {
      const Long share = weight * std::exp(joint[k] - largest) / total;
      if (share == 0.0L) continue;
      sums.weight[k] += share;
      for (std::size_t a = 0; a < d; ++a) {
        const Long left = share * points[k][a];
        sums.first[k][a] += left;
        for (std::size_t b = 0; b <= a; ++b) sums.second[k][a * d + b] += left * points[k][b];
      }
    }
  }
  return sums;
}

/// Errors are relative to the weight, its product with the deviation, and the largest variance.
void expect_close(const MomentSums& actual, const Expected& expected, double tolerance) {
  const auto d = static_cast<std::size_t>(actual.centers.cols());
  const auto likelihood = static_cast<double>(expected.log_likelihood);
  EXPECT_NEAR(actual.log_likelihood, likelihood, tolerance * std::abs(likelihood));
  std::vector<Long> tied(d * d, 0.0L);
  for (std::size_t k = 0; k < expected.weight.size(); ++k) {
    const bool is_tied = actual.covariance_type == CovarianceType::tied;
    std::vector<Long>& second = is_tied ? tied : const_cast<std::vector<Long>&>(expected.second[k]);
    if (is_tied) {
      for (std::size_t i = 0; i < d * d; ++i) tied[i] += expected.second[k][i];
    }
    const double weight = static_cast<double>(expected.weight[k]);
    EXPECT_NEAR(actual.component_weight[static_cast<Index>(k)], weight, tolerance * weight);
    Long largest = 0.0L;
    for (std::size_t a = 0; a < d; ++a) largest = std::max(largest, second[a * d + a]);
    double worst_first = 0.0;
    double worst_second = 0.0;
    for (std::size_t a = 0; a < d; ++a) {
      const auto row = static_cast<Index>(a);
      worst_first = std::max(worst_first, std::abs(actual.first(static_cast<Index>(k), row) -
                                                   static_cast<double>(expected.first[k][a])));
      if (is_tied && k + 1 < expected.weight.size()) continue;
      const Matrix& sums = actual.second[is_tied ? 0 : k];
      for (std::size_t b = 0; b <= a; ++b) {
        const auto wanted = static_cast<double>(second[a * d + b]);
        worst_second = std::max({worst_second, std::abs(sums(row, static_cast<Index>(b)) - wanted),
                                 std::abs(sums(static_cast<Index>(b), row) - wanted)});
      }
    }
    EXPECT_LE(worst_first, tolerance * std::sqrt(weight * static_cast<double>(largest)));
    EXPECT_LE(worst_second, tolerance * static_cast<double>(largest));
  }
}

/// Components so close that every point belongs to all of them, also with many features.
Mixture overlapping(Index d, Index k, CovarianceType type, double condition = 30.0) {
  Random random(static_cast<std::uint64_t>(d));
  const Matrix covariance = random_covariance(graded_eigenvalues(d, condition), random);
  Mixture mixture{CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, d), {covariance}};
  mixture.means = sample(mixture, k, 1).samples / std::sqrt(static_cast<double>(d));
  mixture.weights = Vector::Constant(k, 1.0 / static_cast<double>(k));
  mixture.covariance_type = type;
  mixture.covariances.clear();
  for (Index i = 0; i < (type == CovarianceType::tied ? 1 : k); ++i) {
    mixture.covariances.emplace_back(covariance * (1.0 + 0.02 * static_cast<double>(i)));
  }
  return mixture;
}

std::vector<double> panel_weights(Index n) {
  Random random(5);
  std::vector<double> weights(static_cast<std::size_t>(n));
  for (double& weight : weights) weight = random.uniform() < 0.2 ? 0.0 : 3.0 * random.uniform();
  return weights;
}

void check_all(const Mixture& mixture, const RowMatrix& samples, const std::vector<double>& weights,
               double tolerance, double single_tolerance) {
  const DensityTable table = density_table(mixture);
  const Expected expected = expected_sums(samples, weights, table);
  for_each_instruction_set([&] {
    expect_close(cpu_device().moment_sums({samples, weights}, table, Precision::f64, {2}), expected,
                 tolerance);
    expect_close(cpu_device().moment_sums({samples, weights}, table, Precision::f32, {2}), expected,
                 single_tolerance);
    Vector densities;
    cpu_device().log_densities(samples, table, {2}, densities);
    for (Index i = 0; i < samples.rows(); ++i) {
      const auto wanted = static_cast<double>(expected.log_density[static_cast<std::size_t>(i)]);
      EXPECT_NEAR(densities[i], wanted, tolerance * (1.0 + std::abs(wanted)));
    }
  });
}

class ManyFeatures : public ::testing::TestWithParam<Index> {};

// Single precision rounds every sample, which changes log-densities by 1e-7 of the number of
// features times the condition of the factor, and responsibilities by as much.
TEST_P(ManyFeatures, SumsAndDensitiesAgreeWithTheirDefinition) {
  const Index d = GetParam();
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied}) {
    const Mixture mixture = overlapping(d, 3, type);
    const Index n = d > 100 ? 70 : 300;
    const RowMatrix samples = sample(mixture, n, 11).samples;
    check_all(mixture, samples, {}, 1e-12, 1e-4);
    check_all(mixture, samples, panel_weights(n), 1e-12, 1e-4);
  }
}

TEST_P(ManyFeatures, MeansFarFromZeroLoseNoDigits) {
  Mixture mixture = overlapping(GetParam(), 2, CovarianceType::full);
  RowMatrix samples = sample(mixture, 40, 11).samples;
  // steps of 2^-20 remain exact at 2^20, so that moving everything does not round
  samples = (samples * 0x1p20).array().round() * 0x1p-20;
  mixture.means = (mixture.means * 0x1p20).array().round() * 0x1p-20;
  samples.array() += 0x1p20;
  mixture.means.array() += 0x1p20;
  check_all(mixture, samples, {}, 1e-12, 1e-4);
}

TEST_P(ManyFeatures, SamplesInSinglePrecisionGiveTheSumsOfTheirValues) {
  const Mixture mixture = overlapping(GetParam(), 2, CovarianceType::full);
  const RowMatrixF floats = sample(mixture, 45, 3).samples.cast<float>();
  const RowMatrix doubles = floats.cast<double>();
  const DensityTable table = density_table(mixture);
  for_each_instruction_set([&] {
    for (const Precision precision : {Precision::f64, Precision::f32}) {
      const MomentSums expected = cpu_device().moment_sums({doubles, {}}, table, precision, {1});
      const MomentSums sums = cpu_device().moment_sums({floats, {}}, table, precision, {1});
      EXPECT_EQ(sums.log_likelihood, expected.log_likelihood);
      EXPECT_EQ(sums.first, expected.first);
      EXPECT_EQ(sums.second, expected.second);
    }
  });
}

std::vector<Index> border_sizes() {
  std::vector<Index> sizes = {63, 64, 65, 66, 127, 128, 129, 130, 300};
  for (Index d = 15; d <= 40; ++d) sizes.push_back(d);
  return sizes;
}

// the borders of vectors, tiles and panels of all instruction sets
INSTANTIATE_TEST_SUITE_P(Sizes, ManyFeatures, ::testing::ValuesIn(border_sizes()));

TEST(PanelModel, EveryNumberOfSamplesAgreesWithTheDefinition) {
  const Mixture mixture = overlapping(33, 2, CovarianceType::full);
  const RowMatrix samples = sample(mixture, 1030, 11).samples;
  for (const Index n :
       {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1030}) {
    check_all(mixture, samples.topRows(n), {}, 1e-12, 1e-4);
  }
}

TEST(PanelModel, BadlyConditionedCovariancesKeepTheirDigits) {
  // log-densities lose the square root of the condition, 1e4, of sixteen digits
  const Mixture mixture = overlapping(40, 3, CovarianceType::full, 1e8);
  const DensityTable table = density_table(mixture);
  const RowMatrix samples = sample(mixture, 300, 11).samples;
  const Expected expected = expected_sums(samples, {}, table);
  for_each_instruction_set([&] {
    expect_close(cpu_device().moment_sums({samples, {}}, table, Precision::f64, {2}), expected,
                 1e-11);
  });
}

// Far components have responsibilities that are exactly 0. Leaving them out must change nothing.
TEST(PanelModel, SeparateComponentsAgreeWithTheDefinition) {
  for (const Index d : {16, 40, 130}) {
    const Mixture mixture =
        random_mixture({.n_components = 7, .n_features = d, .spread = 2.0, .seed = 7});
    const RowMatrix samples = sample(mixture, 300, 11).samples;
    check_all(mixture, samples, {}, 1e-12, 1e-4);
    check_all(mixture, samples, panel_weights(300), 1e-12, 1e-4);
  }
}

// Points of a small component wait until there are enough of them, those of a large one do not.
TEST(PanelModel, ComponentsWithFewAndManyPointsPerBlockAgreeWithTheDefinition) {
  Mixture mixture =
      random_mixture({.n_components = 3, .n_features = 33, .spread = 20.0, .seed = 7});
  mixture.weights << 0.8, 0.17, 0.03;
  const RowMatrix samples = sample(mixture, 3'000, 11).samples;
  check_all(mixture, samples, {}, 1e-12, 1e-4);
  check_all(mixture, samples, panel_weights(3'000), 1e-12, 1e-4);
}

TEST(PanelModel, ResultsAreBitwiseEqualForAnyNumberOfThreads) {
  const Mixture mixture = overlapping(33, 4, CovarianceType::full);
  const RowMatrix samples = sample(mixture, 9'000, 1).samples;
  for_each_instruction_set([&] { expect_same_sums_for_any_threads(mixture, samples); });
}

TEST(PanelModel, FarSamplesMakeNoNanInEitherPrecision) {
  const Mixture mixture = overlapping(30, 2, CovarianceType::full);
  for_each_instruction_set([&] { expect_finite_sums_of_far_samples(mixture); });
}

}  // namespace
}  // namespace lbw
