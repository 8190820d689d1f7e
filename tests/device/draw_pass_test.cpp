// SPDX-License-Identifier: MIT
#include "device/draw_pass.hpp"

#include <gtest/gtest.h>

#include "device/cpu_device.hpp"
#include "mixture/covariances.hpp"
#include "support/each_instruction_set.hpp"
#include "support/mixtures.hpp"
#include "support/plain_device.hpp"

namespace lbw {
namespace {

/// Maps that send every point to the number of the piece.
MapTable numbered_maps(Index n_pieces, Index n_features) {
  MapTable maps{RowMatrix::Zero(n_pieces, n_features), {}, RowMatrix(n_pieces, n_features)};
  for (Index i = 0; i < n_pieces; ++i) {
    maps.matrices.push_back(Matrix::Zero(n_features, n_features));
    maps.target_means.row(i).setConstant(static_cast<double>(i));
  }
  return maps;
}

Index n_pieces_of(Index component) { return 1 + component % 3; }

/// One, two, three, one, two, ... pieces per component, of increasing size.
PieceTable some_pieces(Index n_components, std::uint64_t seed) {
  PieceTable pieces{seed, {}, RowMatrix::Constant(n_components, 2, 2.0)};
  int first = 0;
  for (Index k = 0; k < n_components; ++k) {
    const Index n = n_pieces_of(k);
    pieces.first_piece.push_back(first);
    first += static_cast<int>(n);
    for (Index i = 1; i < n; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(n);
      pieces.borders(k, i - 1) = part * part;
    }
  }
  return pieces;
}

RowMatrix drawn(const Device& device, SampleView samples, const DensityTable& table,
                const PieceTable& pieces, const Execution& execution) {
  RowMatrix out(samples.n_samples(), samples.n_features());
  const Index last = table.n_components() - 1;
  const Index n_pieces = pieces.first_piece.back() + n_pieces_of(last);
  const MapTable maps = numbered_maps(n_pieces, samples.n_features());
  device.draw_maps(samples, table, maps, pieces, {}, {}, execution, out);
  return out;
}

TEST(PieceTable, DrawsByCumulativeShares) {
  const PieceTable pieces{0, {0, 1}, RowMatrix{{2.0}, {0.25}}};
  EXPECT_EQ(pieces.piece(0, 0.999), 0);
  EXPECT_EQ(pieces.piece(1, 0.0), 1);
  EXPECT_EQ(pieces.piece(1, 0.2499), 1);
  EXPECT_EQ(pieces.piece(1, 0.25), 2);
  EXPECT_EQ(pieces.piece(2, 0.5), 0);  // no component was found
}

// The screening in single precision must not change a draw: every point draws the same piece as in
// the plain loops in double precision. No random number here is within rounding of a boundary.
TEST(DrawPass, IsThatOfThePlainLoopsOnEveryInstructionSet) {
  for (const CovarianceType type : all_covariance_types) {
    for (const Index d : {1, 2, 3, 10, 25}) {
      const Mixture mixture =
          random_mixture({.n_components = 7,
                          .n_features = d,
                          .covariance_type = type,
                          .spread = 0.5,  // so that every boundary region is wide
                          .seed = 7});
      const DensityTable table = density_table(mixture);
      const PieceTable pieces = some_pieces(7, 5);
      RowMatrix samples = sample(mixture, 5000, 11).samples;
      samples.topRows(50) *= 100.0;
      const RowMatrix expected = drawn(plain_device(), samples, table, pieces, {1});
      const RowMatrixF floats = samples.cast<float>();
      const RowMatrix expected_of_floats = drawn(plain_device(), floats, table, pieces, {1});
      for_each_instruction_set([&] {
        EXPECT_EQ(drawn(cpu_device(), samples, table, pieces, {2}), expected) << d;
        EXPECT_EQ(drawn(cpu_device(), floats, table, pieces, {2}), expected_of_floats) << d;
      });
    }
  }
}

// Two pairs of overlapping components, far from the overall mean. Their responsibilities in single
// precision have errors of about 1e-4, which would change the draws of a few of these samples.
TEST(DrawPass, IsExactForDrawsThatNeedDoublePrecision) {
  const Mixture mixture{CovarianceType::full, Vector::Constant(4, 0.25),
                        RowMatrix{{-1500.5, 0.0}, {-1499.5, 0.0}, {1499.5, 0.0}, {1500.5, 0.0}},
                        std::vector<Matrix>(4, Matrix::Identity(2, 2))};
  const DensityTable table = density_table(mixture);
  ASSERT_TRUE(LabelTables(table).has_screen);
  const RowMatrix samples = sample(mixture, 50'000, 1).samples;
  const PieceTable pieces = some_pieces(4, 2);
  const RowMatrix expected = drawn(plain_device(), samples, table, pieces, {1});
  for_each_instruction_set(
      [&] { EXPECT_EQ(drawn(cpu_device(), samples, table, pieces, {2}), expected); });
}

TEST(DrawPass, TakesEveryPieceAsOftenAsItsProbabilitySays) {
  const Mixture mixture =
      random_mixture({.n_components = 4, .n_features = 5, .spread = 0.3, .seed = 2});
  const DensityTable table = density_table(mixture);
  ASSERT_TRUE(LabelTables(table).has_screen);
  const PieceTable pieces = some_pieces(4, 1);
  constexpr Index n = 100'000;
  const RowMatrix samples = sample(mixture, n, 3).samples;
  const RowMatrix pieces_drawn = drawn(cpu_device(), samples, table, pieces, {2});
  const Vector shares = responsibilities(mixture, samples).colwise().mean().transpose();
  for (int k = 0; k < 4; ++k) {
    double before = 0.0;
    for (int i = 0; i < n_pieces_of(k); ++i) {
      const double upto = i + 1 < n_pieces_of(k) ? pieces.borders(k, i) : 1.0;
      const int piece = pieces.first_piece[static_cast<std::size_t>(k)] + i;
      const double found = static_cast<double>((pieces_drawn.col(0).array() == piece).count()) / n;
      EXPECT_NEAR(found, shares[k] * (upto - before), 4.0 * 0.5 / std::sqrt(n));
      before = upto;
    }
  }
}

TEST(DrawPass, TakesSamplesOfNoComponentByTheFirst) {
  const Mixture mixture{CovarianceType::spherical,
                        Vector::Constant(2, 0.5),
                        RowMatrix{{0.0}, {1.0}},
                        {Matrix::Constant(1, 1, 1e-300), Matrix::Constant(1, 1, 1e-300)}};
  const RowMatrix samples = RowMatrix::Constant(1, 1, 1e100);
  const PieceTable pieces{0, {0, 1}, RowMatrix(2, 0)};
  for_each_instruction_set([&] {
    EXPECT_EQ(drawn(cpu_device(), samples, density_table(mixture), pieces, {1})(0, 0), 0.0);
  });
}

}  // namespace
}  // namespace lbw
