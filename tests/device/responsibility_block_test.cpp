// SPDX-License-Identifier: MIT
#include "device/responsibility_block.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"

namespace lbw {
namespace {

/// Three components of unit variance: at 0, and at both sides so far away that a sample at 0 has
/// e^-difference of the density of the first one.
DensityTable three_components(Index d, CovarianceType type, double difference) {
  const CovarianceLayout& layout = layout_of(type);
  Mixture mixture{type, Vector::Constant(3, 1.0 / 3.0), RowMatrix::Zero(3, d), {}};
  mixture.means(1, d - 1) = std::sqrt(2.0 * difference);
  mixture.means(2, d - 1) = -mixture.means(1, d - 1);
  const Matrix unit = layout.has_matrices() ? Matrix(Matrix::Identity(d, d))
                                            : Matrix(Matrix::Ones(layout.n_rows(d), 1));
  mixture.covariances.assign(layout.is_shared ? 1 : 3, unit);
  return density_table(mixture);
}

class Relevance : public ::testing::TestWithParam<Index> {
 protected:
  /// The weight of the second component, of samples at 0.
  double weight_at(CovarianceType type, double difference, Precision precision) const {
    const DensityTable table = three_components(GetParam(), type, difference);
    return cpu_device().moment_sums({samples, {}}, table, precision, {1}).component_weight[1];
  }

  const RowMatrix samples = RowMatrix::Zero(300, GetParam());
};

constexpr CovarianceType all_types[] = {CovarianceType::full, CovarianceType::tied,
                                        CovarianceType::diagonal, CovarianceType::spherical};

// A component at the limit holds less than e^-64 of all samples, which changes no sum.
TEST_P(Relevance, MomentSumsHaveAllResponsibilitiesAboveTheLimitAndNoOthers) {
  for_each_instruction_set([&] {
    for (const CovarianceType type : all_types) {
      // log-densities of about 64 have errors of 1e-14 and 1e-5
      const double weight = weight_at(type, 64.0, Precision::f64);
      EXPECT_NEAR(weight / (300.0 * std::exp(-64.0)), 1.0, 1e-12);
      EXPECT_EQ(weight_at(type, 66.0, Precision::f64), 0.0);
      const double single = weight_at(type, 44.0, Precision::f32);
      EXPECT_NEAR(single / (300.0 * std::exp(-44.0)), 1.0, 1e-4);
      EXPECT_EQ(weight_at(type, 46.0, Precision::f32), 0.0);
    }
  });
}

TEST_P(Relevance, ResponsibilitiesThatAreResultsAreNotLeftOut) {
  for_each_instruction_set([&] {
    for (const CovarianceType type : all_types) {
      const DensityTable table = three_components(GetParam(), type, 290.0);
      RowMatrix shares;
      cpu_device().responsibilities(samples, table, {1}, shares);
      EXPECT_NEAR(shares(7, 1) / std::exp(-290.0), 1.0, 1e-11);
      EXPECT_NEAR(shares(7, 2) / std::exp(-290.0), 1.0, 1e-11);
    }
  });
}

// one size for each kind of kernel, and the borders of vectors
INSTANTIATE_TEST_SUITE_P(Sizes, Relevance, ::testing::Values(1, 2, 3, 10, 17, 26, 33, 130));

}  // namespace
}  // namespace lbw
