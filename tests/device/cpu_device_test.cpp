// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>
#include <limits>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/expect_error.hpp"
#include "support/forked.hpp"
#include "support/mixtures.hpp"
#include "support/recording_storage.hpp"

namespace lbw {
namespace {

// 2500 samples: three chunks, the last block partly filled.
constexpr Index n_samples = 2500;

/// Fitted before main, when objects of the library may not be initialized yet.
const MixtureFit early_fit = fit_mixture(RowMatrix{{1.0}, {2.0}, {6.0}}, {.n_components = 1});

std::vector<double> some_weights() {
  Random random(5);
  std::vector<double> weights(n_samples);
  for (double& weight : weights) weight = random.uniform() < 0.1 ? 0.0 : 2.0 * random.uniform();
  return weights;
}

class CpuDeviceTest : public ::testing::TestWithParam<CovarianceType> {
 protected:
  Mixture mixture = random_mixture({.n_components = 4,
                                    .n_features = 3,
                                    .covariance_type = GetParam(),
                                    .spread = 1.5,
                                    .seed = 3});
  DensityTable table = density_table(mixture);
  RowMatrix samples = sample(mixture, n_samples, 11).samples;
};

TEST(CpuDevice, WorksBeforeMain) { EXPECT_EQ(early_fit.mixture.means(0, 0), 3.0); }

TEST_P(CpuDeviceTest, LogDensitiesFollowTheDefinition) {
  Vector densities;
  cpu_device().log_densities(samples, table, {1}, densities);
  const oracle::LongVector expected = oracle::log_densities(mixture, samples);
  // rounding of a sum of a dozen terms of size up to about 30
  EXPECT_LT((densities.cast<long double>() - expected).cwiseAbs().maxCoeff(), 1e-12L);
}

TEST_P(CpuDeviceTest, ResponsibilitiesFollowTheDefinitionAndSumToOne) {
  RowMatrix responsibilities;
  cpu_device().responsibilities(samples, table, {1}, responsibilities);
  const oracle::LongMatrix expected = oracle::responsibilities(mixture, samples);
  EXPECT_LT((responsibilities.cast<long double>() - expected).cwiseAbs().maxCoeff(), 1e-12L);
  EXPECT_LT((responsibilities.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15 * 4);
}

TEST_P(CpuDeviceTest, LabelsAreTheLargestResponsibility) {
  Labels labels;
  cpu_device().labels(samples, table, {1}, labels);
  const oracle::LongMatrix expected = oracle::responsibilities(mixture, samples);
  for (Index i = 0; i < n_samples; ++i) {
    EXPECT_NEAR(static_cast<double>(expected(i, labels[i])),
                static_cast<double>(expected.row(i).maxCoeff()), 1e-12);
  }
}

TEST_P(CpuDeviceTest, MomentSumsFollowTheDefinition) {
  const std::vector<double> weights = some_weights();
  const MomentSums sums = cpu_device().moment_sums({samples, weights}, table, Precision::f64, {1});
  oracle::LongMatrix r = oracle::responsibilities(mixture, samples);
  const oracle::LongVector log_density = oracle::log_densities(mixture, samples);
  MomentSums expected = MomentSums::about(mixture.means, GetParam());
  long double likelihood = 0.0L;
  for (Index i = 0; i < n_samples; ++i) {
    const double weight = weights[static_cast<std::size_t>(i)];
    likelihood += weight * log_density[i];
    expected.weight += weight;
    for (Index k = 0; k < 4; ++k) {
      const double share = weight * static_cast<double>(r(i, k));
      const Vector difference = (samples.row(i) - mixture.means.row(k)).transpose();
      const oracle::LongMatrix outer = (difference * difference.transpose()).cast<long double>();
      const Matrix compact = oracle::compact(outer, GetParam());
      const double all_features = GetParam() == CovarianceType::spherical ? 3.0 : 1.0;
      expected.component_weight[k] += share;
      expected.first.row(k) += share * difference.transpose();
      expected.second[GetParam() == CovarianceType::tied ? 0 : static_cast<std::size_t>(k)] +=
          share * all_features * compact;
    }
  }
  // sums of 2500 terms: n * eps is 5e-13
  EXPECT_NEAR(sums.weight, expected.weight, 1e-11);
  EXPECT_NEAR(sums.log_likelihood, static_cast<double>(likelihood), 1e-8);
  EXPECT_LT(relative_error(sums.component_weight, expected.component_weight), 1e-12);
  EXPECT_LT(relative_error(sums.first, expected.first), 1e-11);
  for (std::size_t i = 0; i < sums.second.size(); ++i) {
    EXPECT_LT(relative_error(sums.second[i], expected.second[i]), 1e-12);
  }
}

TEST_P(CpuDeviceTest, ResultsAreBitwiseIdenticalAtAnyThreadCount) {
  // enough samples for a second thread
  const RowMatrix plenty = sample(mixture, 60'000, 12).samples;
  const MomentSums one = cpu_device().moment_sums({plenty, {}}, table, Precision::f64, {1});
  for (const int n_threads : {2, 5}) {
    const MomentSums many =
        cpu_device().moment_sums({plenty, {}}, table, Precision::f64, {n_threads});
    EXPECT_EQ(one.log_likelihood, many.log_likelihood);
    EXPECT_EQ(one.first, many.first);
    EXPECT_EQ(one.second, many.second);
  }
}

TEST_P(CpuDeviceTest, FindsTheWorstExplainedSampleOfPositiveWeight) {
  RowMatrix with_outliers = samples;
  with_outliers.row(1234).setConstant(80.0);
  with_outliers.row(1300).setConstant(90.0);
  std::vector<double> weights(n_samples, 1.0);
  weights[1300] = 0.0;
  const MomentSums sums =
      cpu_device().moment_sums({with_outliers, weights}, table, Precision::f64, {2});
  EXPECT_EQ(sums.worst_sample, with_outliers.row(1234).transpose());
  EXPECT_EQ(sums.n_samples, n_samples - 1);
}

TEST_P(CpuDeviceTest, AppliesTheMapOfTheLabel) {
  MapTable maps{mixture.means, {}, RowMatrix::Random(4, 3)};
  for (int k = 0; k < 4; ++k) maps.matrices.push_back(Matrix::Random(3, 3));
  RowMatrix carried(n_samples, 3);
  Labels labels;
  cpu_device().apply_maps(samples, table, maps, {}, {2}, carried);
  cpu_device().labels(samples, table, {1}, labels);
  for (Index i = 0; i < n_samples; ++i) {
    const Index k = labels[i];
    const Vector expected = maps.target_means.row(k).transpose() +
                            maps.matrices[static_cast<std::size_t>(k)] *
                                (samples.row(i) - maps.source_means.row(k)).transpose();
    EXPECT_LT((carried.row(i).transpose() - expected).norm(), 1e-13 * (1.0 + expected.norm()));
  }
}

TEST_P(CpuDeviceTest, EveryLoopGivesTheSamplesBack) {
  RecordingStorage storage(samples);
  const SampleView view = storage.view();
  const auto expect_given_back = [&](const char* loop, const auto& run) {
    for (const int n_threads : {1, 2}) {
      storage.forget();
      run(Execution{n_threads});
      EXPECT_TRUE(storage.all_released()) << loop;
    }
  };
  const Device& device = cpu_device();
  const RowMatrix& centers = mixture.means;
  const Vector center = centers.row(0).transpose();
  MapTable maps{centers, std::vector<Matrix>(4, Matrix::Identity(3, 3)), centers};
  Vector numbers = Vector::Zero(n_samples);
  RowMatrix rows;
  RowMatrix carried(n_samples, 3);
  Labels labels;
  expect_given_back("moment_sums", [&](auto e) {
    (void)device.moment_sums({view, {}}, table, Precision::f64, e);
  });
  expect_given_back("log_densities",
                    [&](auto e) { device.log_densities(view, table, e, numbers); });
  expect_given_back("responsibilities",
                    [&](auto e) { device.responsibilities(view, table, e, rows); });
  expect_given_back("labels", [&](auto e) { device.labels(view, table, e, labels); });
  expect_given_back("apply_maps",
                    [&](auto e) { device.apply_maps(view, table, maps, {}, e, carried); });
  expect_given_back("nearest_sums", [&](auto e) {
    (void)device.nearest_sums({view, {}}, centers, GetParam(), e);
  });
  expect_given_back("potentials", [&](auto e) {
    (void)device.potentials({view, {}}, centers, numbers, e);
  });
  expect_given_back("lower_distances", [&](auto e) {
    device.lower_distances({view, {}}, center, e, numbers);
  });
}

INSTANTIATE_TEST_SUITE_P(AllTypes, CpuDeviceTest, ::testing::ValuesIn(all_covariance_types),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(CpuDevice, AFarPointBelongsToNoComponentAndMakesNoNan) {
  const Mixture mixture{CovarianceType::spherical,
                        Vector::Ones(1),
                        RowMatrix::Zero(1, 1),
                        {Matrix::Constant(1, 1, 1e-300)}};
  const RowMatrix samples = RowMatrix::Constant(1, 1, 1e100);
  const MomentSums sums =
      cpu_device().moment_sums({samples, {}}, density_table(mixture), Precision::f64, {1});
  EXPECT_EQ(sums.component_weight[0], 0.0);
  EXPECT_EQ(sums.log_likelihood, -std::numeric_limits<double>::infinity());
}

TEST(CpuDevice, NearestSumsAreThoseOfAHardAssignment) {
  const RowMatrix centers{{0.0, 0.0}, {10.0, 0.0}};
  const RowMatrix samples{{1.0, 1.0}, {-1.0, 0.0}, {9.0, 2.0}, {5.0, 0.0}};  // the last is a tie
  const MomentSums sums =
      cpu_device().nearest_sums({samples, {}}, centers, CovarianceType::full, {1});
  EXPECT_EQ(sums.component_weight, Eigen::Vector2d(3.0, 1.0));
  EXPECT_EQ(sums.first.row(0), Eigen::RowVector2d(5.0, 1.0));
  EXPECT_EQ(sums.second[1], (Matrix{{1.0, -2.0}, {-2.0, 4.0}}));
  EXPECT_EQ(-sums.log_likelihood, 2.0 + 1.0 + 5.0 + 25.0);
  EXPECT_EQ(sums.worst_sample, Eigen::Vector2d(5.0, 0.0));
}

TEST(CpuDevice, PotentialsAreTheSumsAfterLoweringDistances) {
  Random random(2);
  const RowMatrix samples = random_normal_matrix(n_samples, 2, random);
  const std::vector<double> weights = some_weights();
  const RowMatrix candidates = random_normal_matrix(3, 2, random);
  Vector distances = Vector::Constant(n_samples, std::numeric_limits<double>::infinity());
  cpu_device().lower_distances({samples, {}}, Vector::Zero(2), {2}, distances);
  const Vector potentials = cpu_device().potentials({samples, weights}, candidates, distances, {2});
  for (Index c = 0; c < 3; ++c) {
    Vector lowered = distances;
    cpu_device().lower_distances({samples, {}}, candidates.row(c).transpose(), {1}, lowered);
    double expected = 0.0;
    for (Index i = 0; i < n_samples; ++i) {
      const double direct = std::min(samples.row(i).squaredNorm(),
                                     (samples.row(i) - candidates.row(c)).squaredNorm());
      EXPECT_NEAR(lowered[i], direct, 1e-14 * (1.0 + direct));
      expected += weights[static_cast<std::size_t>(i)] * direct;
    }
    EXPECT_NEAR(potentials[c], expected, 1e-12 * expected);
  }
}

/// Other tests may have registered devices of their own.
template <typename Call>
void expect_no_cuda(Call call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const UnsupportedDevice& error) {
    const std::string words = error.what();
    EXPECT_TRUE(words.starts_with("device 'cuda' is not part of this build, which has ")) << words;
    EXPECT_TRUE(words.ends_with("'cpu'")) << words;
  }
}

TEST(Device, IsTheOneThatAnExecutionNames) {
  EXPECT_EQ(&device_of({}), &cpu_device());
  EXPECT_EQ(&device_of({.n_threads = 2, .device = "cpu"}), &cpu_device());
  expect_no_cuda([] { (void)device_of({.device = "cuda"}); });
}

TEST(Device, IsAskedForByPublicFunctions) {
  const Mixture mixture = random_mixture({.n_components = 2, .n_features = 3, .seed = 1});
  const RowMatrix samples = RowMatrix::Zero(5, 3);
  const Execution cuda{.device = "cuda"};
  expect_no_cuda([&] { (void)log_density(mixture, samples, cuda); });
  expect_no_cuda([&] { (void)labels(mixture, samples, cuda); });
  expect_no_cuda([&] { (void)fit_mixture(samples, {.n_components = 2, .execution = cuda}); });
}

TEST(Devices, AreFoundInAProcessForkedWhileOtherThreadsLookForThem) {
  if (!may_fork_beside_threads) GTEST_SKIP();
  EXPECT_TRUE(ends_in_children_of_busy_threads(300, [] { (void)device_of({}); }));
}

}  // namespace
}  // namespace lbw
