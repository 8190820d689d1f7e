// SPDX-License-Identifier: MIT
#include "device/blend_pass.hpp"

#include <gtest/gtest.h>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

MapTable random_maps(Index n_maps, Index n_features, bool symmetric = false) {
  Random random(3);
  MapTable maps{random_normal_matrix(n_maps, n_features, random),
                {},
                random_normal_matrix(n_maps, n_features, random)};
  for (Index i = 0; i < n_maps; ++i) {
    Matrix matrix = random_normal_matrix(n_features, n_features, random);
    if (symmetric) matrix = (matrix + matrix.transpose()).eval();
    maps.matrices.push_back(matrix);
  }
  return maps;
}

TEST(BlendPass, AgreesWithThePlainLoopsAlsoInPlaceAndFromFloats) {
  for (const CovarianceType type : all_covariance_types) {
    for (const Index d : {1, 2, 3, 7, 10, 25, 40}) {  // 25 exceeds the quadratic features
      const Mixture mixture = random_mixture(
          {.n_components = 6, .n_features = d, .covariance_type = type, .spread = 1.0, .seed = 7});
      const DensityTable table = density_table(mixture);
      const MapTable maps = random_maps(6, d, d != 7);
      const RowMatrix samples = sample(mixture, 700, 11).samples;
      const RowMatrixF floats = samples.cast<float>();
      RowMatrix expected(700, d);
      RowMatrix expected_of_floats(700, d);
      plain_device().blend_maps(samples, table, maps, {}, {1}, expected);
      plain_device().blend_maps(floats, table, maps, {}, {1}, expected_of_floats);
      const double tolerance = 1e-11 * expected.cwiseAbs().maxCoeff();
      for_each_instruction_set([&] {
        RowMatrix carried(700, d);
        cpu_device().blend_maps(samples, table, maps, {}, {2}, carried);
        EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), tolerance) << d;
        RowMatrix in_place = samples;
        cpu_device().blend_maps(in_place, table, maps, {}, {2}, in_place);
        EXPECT_EQ(in_place, carried);
        cpu_device().blend_maps(floats, table, maps, {}, {2}, carried);
        EXPECT_LT((carried - expected_of_floats).cwiseAbs().maxCoeff(), tolerance);
      });
    }
  }
}

TEST(BlendPass, OfDiagonalMapsIsThatOfTheirMatrices) {
  for (const Index d : {1, 2, 7, 10, 40}) {
    const Mixture mixture = random_mixture({.n_components = 6,
                                            .n_features = d,
                                            .covariance_type = CovarianceType::diagonal,
                                            .spread = 1.0,
                                            .seed = 7});
    const DensityTable table = density_table(mixture);
    MapTable dense = random_maps(6, d);
    MapTable diagonal = dense;
    for (std::size_t i = 0; i < 6; ++i) {
      diagonal.matrices[i] = dense.matrices[i].diagonal();
      dense.matrices[i] = Matrix(diagonal.matrices[i].col(0).asDiagonal());
    }
    const RowMatrix samples = sample(mixture, 700, 11).samples;
    const RowMatrixF floats = samples.cast<float>();
    RowMatrix expected(700, d);
    RowMatrix expected_of_floats(700, d);
    plain_device().blend_maps(samples, table, dense, {}, {1}, expected);
    plain_device().blend_maps(floats, table, dense, {}, {1}, expected_of_floats);
    const double tolerance = 1e-11 * expected.cwiseAbs().maxCoeff();
    for_each_instruction_set([&] {
      RowMatrix carried(700, d);
      cpu_device().blend_maps(samples, table, diagonal, {}, {2}, carried);
      EXPECT_LT((carried - expected).cwiseAbs().maxCoeff(), tolerance) << d;
      cpu_device().blend_maps(floats, table, diagonal, {}, {2}, carried);
      EXPECT_LT((carried - expected_of_floats).cwiseAbs().maxCoeff(), tolerance) << d;
    });
  }
}

TEST(BlendPass, TakesSamplesOfNoComponentByTheFirstMap) {
  const Mixture mixture{CovarianceType::spherical,
                        Vector::Constant(2, 0.5),
                        RowMatrix{{0.0}, {1.0}},
                        {Matrix::Constant(1, 1, 1e-300), Matrix::Constant(1, 1, 1e-300)}};
  const MapTable maps{RowMatrix::Zero(2, 1),
                      {Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 3.0)},
                      RowMatrix::Zero(2, 1)};
  const RowMatrix samples = RowMatrix::Constant(1, 1, 1e100);
  for_each_instruction_set([&] {
    RowMatrix carried(1, 1);
    cpu_device().blend_maps(samples, density_table(mixture), maps, {}, {1}, carried);
    EXPECT_EQ(carried(0, 0), 2e100);
  });
}

TEST(BlendPass, DoesNotDependOnTheBatch) {
  const Mixture mixture = random_mixture({.n_components = 5, .n_features = 3, .seed = 6});
  const DensityTable table = density_table(mixture);
  const MapTable maps = random_maps(5, 3);
  const RowMatrix samples = sample(mixture, 700, 1).samples;
  RowMatrix all(700, 3);
  cpu_device().blend_maps(samples, table, maps, {}, {1}, all);
  for (Index i = 0; i < samples.rows(); i += 37) {
    RowMatrix one(1, 3);
    cpu_device().blend_maps(samples.middleRows(i, 1), table, maps, {}, {1}, one);
    EXPECT_EQ(one.row(0), all.row(i));
  }
}

// Points of many components and points of few have different kernels, chosen for a whole block.
TEST(BlendPass, DoesNotDependOnTheOverlapOfOtherPoints) {
  for (const Index d : {2, 5, 10, 15}) {
    const Mixture mixture =
        random_mixture({.n_components = 9, .n_features = d, .spread = 0.3, .seed = 6});
    const DensityTable table = density_table(mixture);
    const MapTable maps = random_maps(9, d, true);
    const RowMatrix samples = sample(mixture, 300, 1).samples;
    RowMatrix far = 1e3 * RowMatrix::Ones(300, d);
    for_each_instruction_set([&] {
      RowMatrix together(300, d);
      cpu_device().blend_maps(samples, table, maps, {}, {1}, together);
      RowMatrix beside_far(300, d);
      for (Index i = 0; i < samples.rows(); i += 37) {
        far.row(i) = samples.row(i);
        cpu_device().blend_maps(far, table, maps, {}, {1}, beside_far);
        EXPECT_EQ(beside_far.row(i), together.row(i)) << d;
      }
    });
  }
}

// Dropped responsibilities must not pull points towards 0.
TEST(BlendPass, IsAccurateFarFromZero) {
  const Index k = 20;
  for (const double offset : {0.0, 0x1p20, 0x1p30, 0x1p40}) {
    Vector centers = Vector::Constant(k, 8.25);
    Vector targets(k);
    for (Index i = 0; i < k; ++i) targets[i] = 10.0 + 0.125 * static_cast<double>(i);
    centers.head(2) = Vector{{0.0, 1.0}};
    targets.head(2) = Vector{{5.0, 9.0}};
    const DensityTable table{CovarianceType::full, centers.array() + offset, Vector::Zero(k),
                             std::vector<Matrix>(20, Matrix::Identity(1, 1))};
    const MapTable maps{table.means, std::vector<Matrix>(20, Matrix::Constant(1, 1, 1.5)),
                        targets.array() + offset};
    const RowMatrix points = Vector{{0.75, 2.0, 4.0}}.array() + offset;
    RowMatrix expected(3, 1);
    RowMatrix found(3, 1);
    plain_device().blend_maps(points, table, maps, {}, {1}, expected);
    cpu_device().blend_maps(points, table, maps, {}, {1}, found);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-10 + 4e-15 * offset) << offset;
  }
}

// One component far away must not cost the others their digits.
TEST(BlendPass, IsAccurateBesideAFarComponent) {
  for (const double far : {1e3, 1e9, 1e15, 1e20}) {
    const RowMatrix means{{0.0}, {1.0}, {far}};
    const DensityTable table{CovarianceType::full, means, Vector::Zero(3),
                             std::vector<Matrix>(3, Matrix::Identity(1, 1))};
    const MapTable maps{means, std::vector<Matrix>(3, Matrix::Identity(1, 1)), means.array() + 1.0};
    const RowMatrix points{{0.7}, {-2.5}};
    RowMatrix found(2, 1);
    cpu_device().blend_maps(points, table, maps, {}, {1}, found);
    EXPECT_NEAR(found(0, 0), 1.7, 1e-11) << far;
    EXPECT_NEAR(found(1, 0), -1.5, 1e-11) << far;
  }
}

}  // namespace
}  // namespace lbw
