// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <limits>
#include <stdexcept>

#include "support/expect_error.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

const std::vector<double> equal_weights{0.5, 0.5};

TEST(MapBetween, PushesASampledComponentToItsPartnersMeanAndCovariance) {
  for (const CovarianceType type : all_covariance_types) {
    const TransportModel model = random_model({.covariance_type = type, .seed = 2});
    const LocalMap map = map_between(model, "a", "b");
    constexpr Index n = 40'000;
    for (const MapPiece& piece : map.pieces) {
      // one component, so that no point is assigned to another
      Mixture alone{CovarianceType::full, Vector::Ones(1), RowMatrix(1, 2), {}};
      const Gaussian source = model.mixtures[0].component(piece.component);
      alone.means.row(0) = source.mean.transpose();
      alone.covariances.push_back(source.covariance);
      const LocalMap piece_map{alone, {{0, 1.0, piece.map}}};
      const RowMatrix carried = transport(piece_map, sample(alone, n, 3).samples);
      Index tuple = 0;
      while (model.coupling.tuples(tuple, 0) != piece.component) ++tuple;
      const Gaussian target = model.mixtures[1].component(model.coupling.tuples(tuple, 1));
      const Vector mean = carried.colwise().mean().transpose();
      const RowMatrix centered = carried.rowwise() - mean.transpose();
      const Matrix covariance = centered.transpose() * centered / static_cast<double>(n);
      // five standard errors; variances are at most 3, and those of squares 2 * 9
      EXPECT_LT((mean - target.mean).cwiseAbs().maxCoeff(), 5.0 * std::sqrt(3.0 / n));
      EXPECT_LT((covariance - target.covariance).cwiseAbs().maxCoeff(), 5.0 * std::sqrt(18.0 / n));
    }
  }
}

TEST(MapBetween, OfVariancesIsThatOfTheGaussiansTheyStandFor) {
  for (const CovarianceType type : {CovarianceType::diagonal, CovarianceType::spherical}) {
    const TransportModel model =
        random_model({.n_features = 5, .covariance_type = type, .seed = 2});
    for (const double amount : {0.3, 1.0}) {
      for (const MapPiece& piece : map_between(model, "a", "b", amount).pieces) {
        Index tuple = 0;
        while (model.coupling.tuples(tuple, 0) != piece.component) ++tuple;
        const AffineMap expected =
            partial_map(gaussian_map(model.mixtures[0].component(piece.component),
                                     model.mixtures[1].component(model.coupling.tuples(tuple, 1))),
                        amount);
        EXPECT_EQ(piece.map.source_mean, expected.source_mean);
        EXPECT_EQ(piece.map.matrix.cols(), 1);
        EXPECT_LT(relative_error(piece.map.dense_matrix(), expected.matrix), 1e-15);
        EXPECT_LT(relative_error(piece.map.target_mean, expected.target_mean), 1e-15);
      }
    }
  }
}

TEST(MapBetween, OfAPlanHasAPieceForEveryPairWithItsShareOfTheComponent) {
  const TransportModel model = random_plan_model({.n_groups = 3, .seed = 2});
  const LocalMap map = map_between(model, "b", "c");
  RowMatrix pairs = RowMatrix::Zero(5, 6);
  for (Index t = 0; t < model.coupling.masses.size(); ++t) {
    pairs(model.coupling.tuples(t, 1), model.coupling.tuples(t, 2)) += model.coupling.masses[t];
  }
  Vector shares = Vector::Zero(5);
  std::size_t n_pairs = 0;
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 6; ++j) {
      if (pairs(i, j) == 0.0) continue;
      ++n_pairs;
      const Vector target = model.mixtures[2].means.row(j).transpose();
      const auto piece = std::find_if(map.pieces.begin(), map.pieces.end(), [&](const auto& p) {
        return p.component == i && p.map.target_mean == target;
      });
      ASSERT_NE(piece, map.pieces.end());
      EXPECT_NEAR(piece->share, pairs(i, j) / model.mixtures[1].weights[i], 1e-14);
      shares[i] += piece->share;
    }
  }
  EXPECT_EQ(map.pieces.size(), n_pairs);
  EXPECT_LT((shares.array() - 1.0).abs().maxCoeff(), 1e-15);
  EXPECT_TRUE(
      std::is_sorted(map.pieces.begin(), map.pieces.end(),
                     [](const auto& a, const auto& b) { return a.component < b.component; }));
}

TEST(MapBetween, OfAPlanSharesAComponentWithoutMassEqually) {
  TransportModel model = random_plan_model({.n_components = 2, .seed = 1});
  model.mixtures[0].weights << 1.0, 0.0;
  model.mixtures[1].weights << 1.0, 0.0, 0.0;
  model.coupling.tuples.resize(3, 2);
  model.coupling.tuples << 0, 0, 1, 1, 1, 2;
  model.coupling.masses = Vector{{1.0, 0.0, 0.0}};
  const LocalMap map = map_between(model, "a", "b");
  ASSERT_EQ(map.pieces.size(), 3U);
  EXPECT_EQ(map.pieces[0].share, 1.0);
  EXPECT_EQ(map.pieces[1].share, 0.5);
  EXPECT_EQ(map.pieces[2].share, 0.5);
}

TEST(MapToBarycenter, OfAPlanHasAPieceForEveryTuple) {
  const TransportModel model = random_plan_model({.n_groups = 3, .seed = 2});
  const LocalMap map = map_to_barycenter(model, "b", std::vector<double>{0.3, 0.3, 0.4});
  EXPECT_EQ(std::ssize(map.pieces), model.coupling.masses.size());
  const RowMatrix points = sample(model.mixtures[1], 200, 4).samples;
  EXPECT_EQ(transport(map_to_barycenter(model, "b", corner(3, 1)), points), points);
}

TEST(Transport, TransportsEachPointByThePairOfItsLabel) {  // Eq. 9 with deviation P2, by definition
  const TransportModel model = random_model({.n_groups = 3, .n_features = 3, .seed = 8});
  const RowMatrix points = sample(model.mixtures[2], 300, 4).samples;
  const RowMatrix carried = transport(map_between(model, "c", "b"), points);
  const Labels label = labels(model.mixtures[2], points);
  for (Index i = 0; i < points.rows(); ++i) {
    Index tuple = 0;
    while (model.coupling.tuples(tuple, 2) != label[i]) ++tuple;
    const AffineMap pair =
        gaussian_map(model.mixtures[2].component(label[i]),
                     model.mixtures[1].component(model.coupling.tuples(tuple, 1)));
    const Vector expected = pair(points.row(i).transpose());
    EXPECT_LT((carried.row(i).transpose() - expected).norm(), 1e-13 * (1.0 + expected.norm()));
  }
}

TEST(MapToBarycenter, IsTheIdentityAtItsOwnCornerAndTheGroupMapAtAnothers) {
  for (const CovarianceType type : all_covariance_types) {
    const TransportModel model = random_model({.n_groups = 3, .covariance_type = type, .seed = 5});
    const RowMatrix points = 1e3 * sample(model.mixtures[1], 200, 4).samples;
    EXPECT_EQ(transport(map_to_barycenter(model, "b", corner(3, 1)), points), points);
    EXPECT_EQ(transport(map_to_barycenter(model, "b", corner(3, 2)), points),
              transport(map_between(model, "b", "c"), points));
    EXPECT_EQ(transport(map_between(model, "b", "b"), points), points);
  }
}

TEST(MapBetween, InterpolatesPartially) {
  const TransportModel model = random_model({.seed = 5});
  const RowMatrix points = sample(model.mixtures[0], 200, 4).samples;
  const RowMatrix whole = transport(map_between(model, "a", "b"), points);
  EXPECT_EQ(transport(map_between(model, "a", "b", 0.0), points), points);
  EXPECT_EQ(transport(map_between(model, "a", "b", 1.0), points), whole);
  const RowMatrix part = transport(map_between(model, "a", "b", 0.25), points);
  EXPECT_LT(relative_error(part, 0.75 * points + 0.25 * whole), 1e-14);
  // on the geodesic, halfway to b is the barycenter with equal weights
  const RowMatrix half = transport(map_between(model, "a", "b", 0.5), points);
  EXPECT_LT(relative_error(half, transport(map_to_barycenter(model, "a", equal_weights), points)),
            1e-11);
}

TEST(MapBetween, CommutesWithRelabelledComponents) {
  const TransportModel model = random_model({.seed = 11});
  TransportModel relabelled = model;
  Mixture& mixture = relabelled.mixtures[0];
  std::swap(mixture.covariances[0], mixture.covariances[3]);
  mixture.means.row(0).swap(mixture.means.row(3));
  std::swap(mixture.weights[0], mixture.weights[3]);
  for (Index t = 0; t < 4; ++t) {
    int& component = relabelled.coupling.tuples(t, 0);
    if (component == 0 || component == 3) component = 3 - component;
  }
  const RowMatrix points = sample(model.mixtures[0], 200, 4).samples;
  EXPECT_EQ(transport(map_between(relabelled, "a", "b"), points),
            transport(map_between(model, "a", "b"), points));
}

TEST(Transport, TakesTheHeaviestPieceOfAComponent) {
  const AffineMap left{Vector::Zero(1), Matrix::Identity(1, 1), Vector::Constant(1, -1.0)};
  const AffineMap right{Vector::Zero(1), Matrix::Identity(1, 1), Vector::Constant(1, 1.0)};
  const Mixture source{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 1), {Matrix::Identity(1, 1)}};
  const RowMatrix origin = RowMatrix::Zero(1, 1);
  EXPECT_EQ(transport({source, {{0, 0.4, left}, {0, 0.6, right}}}, origin)(0, 0), 1.0);
  EXPECT_EQ(transport({source, {{0, 0.5, left}, {0, 0.5, right}}}, origin)(0, 0), -1.0);
}

TEST(Transport, GivesTheSameBitsForAnyThreadCountBatchAndPrecision) {
  const TransportModel model = random_model({.n_features = 3, .seed = 7});
  const LocalMap map = map_between(model, "a", "b");
  const RowMatrixF floats = sample(model.mixtures[0], 60'000, 1).samples.cast<float>();
  const RowMatrix points = floats.cast<double>();
  const RowMatrix carried = transport(map, points, {1});
  EXPECT_EQ(transport(map, points, {3}), carried);
  EXPECT_EQ(transport(map, floats), carried);
  EXPECT_EQ(transport(map, points.middleRows(1001, 77)), carried.middleRows(1001, 77));
}

TEST(TransportInto, WritesTheBitsOfTransportAlsoInPlaceAndBetweenOtherColumns) {
  const TransportModel model = random_model({.seed = 4});
  const LocalMap map = map_between(model, "a", "b");
  const RowMatrix samples = sample(model.mixtures[0], 3000, 1).samples;
  const RowMatrix expected = transport(map, samples);
  RowMatrix in_place = samples;
  transport_into(map, in_place, in_place);
  EXPECT_EQ(in_place, expected);
  RowMatrix wide = RowMatrix::Constant(3000, 5, 7.0);
  transport_into(map, samples, wide.middleCols(1, 2));
  EXPECT_EQ(wide.middleCols(1, 2), expected);
  EXPECT_TRUE((wide.col(0).array() == 7.0).all() && (wide.rightCols(2).array() == 7.0).all());
}

TEST(TransportInto, ChecksAllSamplesBeforeItOverwritesThem) {
  const TransportModel model = random_model({.seed = 4});
  const LocalMap map = map_between(model, "a", "b");
  RowMatrix samples = sample(model.mixtures[0], 3000, 1).samples;
  samples(2999, 1) = std::numeric_limits<double>::quiet_NaN();
  const RowMatrix before = samples.topRows(2999);
  expect_error<InvalidArgument>(
      [&] { transport_into(map, samples, samples); },
      "transport_into: samples contains nan at row 2999, column 1 (counted "
      "from 0), expected finite values");
  EXPECT_EQ(samples.topRows(2999), before);
  expect_error<InvalidArgument>(
      [&] {
        RowMatrix narrow(3000, 1);
        transport_into(map, samples, narrow);
      },
      "transport_into: out is 3000 x 1, expected 3000 x 2, the shape of the samples");
}

// Output above 16 MiB bypasses the cache.
TEST(Transport, WritesLargeOutputLikeSmall) {
  const TransportModel model = random_model({.seed = 4});
  const LocalMap map = map_between(model, "a", "b");
  const RowMatrix samples = sample(model.mixtures[0], 1'100'000, 1).samples;
  const RowMatrix carried = transport(map, samples);
  for (const Index first : {Index{0}, Index{500'123}, Index{1'099'000}}) {
    EXPECT_EQ(carried.middleRows(first, 1000), transport(map, samples.middleRows(first, 1000)));
  }
}

TEST(TransportInBatches, GivesTheRowsOfTransportInOrder) {
  const TransportModel model = random_model({.n_features = 3, .seed = 7});
  const LocalMap map = map_between(model, "a", "b");
  const RowMatrix points = sample(model.mixtures[0], 1'500'000, 1).samples;  // 34 MiB
  const RowMatrix expected = transport(map, points);
  for (const int n_threads : {1, 2}) {
    Index n_taken = 0;
    int n_batches = 0;
    transport_in_batches(map, points,
                         [&](const RowMatrix& carried) {
                           EXPECT_LE(carried.size() * 8, 16 << 20);
                           ASSERT_TRUE(carried == expected.middleRows(n_taken, carried.rows()));
                           n_taken += carried.rows();
                           ++n_batches;
                         },
                         {n_threads});
    EXPECT_EQ(n_taken, points.rows());
    EXPECT_EQ(n_batches, 3);
  }
}

TEST(TransportInBatches, ChecksAllSamplesBeforeTheFirstBatch) {
  const TransportModel model = random_model({});
  const LocalMap map = map_between(model, "a", "b");
  RowMatrix points = RowMatrix::Zero(1'100'000, 2);  // two batches
  points(1'099'999, 1) = 1e101;
  bool taken = false;
  const auto take = [&](const RowMatrix&) { taken = true; };
  expect_error<InvalidArgument>(
      [&] { transport_in_batches(map, points, take); },
      "transport_in_batches: samples contains 1e+101 at row 1099999, column 1 (counted from 0), "
      "expected finite values up to 1e+100; rescale that feature");
  EXPECT_FALSE(taken);
  expect_error<InvalidArgument>([&] { transport_in_batches(map, points.topRows(1), {}); },
                                "transport_in_batches: take is empty, expected a function");
}

TEST(TransportInBatches, EndsWithWhatTakeThrows) {
  const TransportModel model = random_model({});
  const RowMatrix points = RowMatrix::Zero(1'100'000, 2);
  int n_batches = 0;
  EXPECT_THROW(transport_in_batches(map_between(model, "a", "b"), points,
                                    [&](const RowMatrix&) {
                                      ++n_batches;
                                      throw std::runtime_error("enough");
                                    }),
               std::runtime_error);
  EXPECT_EQ(n_batches, 1);
}

TEST(MapToBarycenter, AtACornerIsTheMapToThatGroupBitByBit) {
  for (const CovarianceType type : all_covariance_types) {
    TransportModel model =
        random_plan_model({.n_groups = 3, .covariance_type = type, .seed = 8}, {});
    const RowMatrix points = sample(model.mixtures[0], 500, 1).samples;
    for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
      model.map = kind;
      for (const double amount : {0.3, 1.0}) {
        const RowMatrix expected = transport(map_between(model, "a", "b", amount), points);
        for (const double weight : {1.0, 3.0, 1e308}) {
          const std::vector<double> weights = {0.0, weight, 0.0};
          EXPECT_EQ(transport(map_to_barycenter(model, "a", weights, amount), points), expected);
        }
      }
    }
  }
}

TEST(LocalMap, RefusesBadArguments) {
  const TransportModel model = random_model({});
  expect_error<InvalidArgument>([&] { (void)map_between(model, "a", "z"); },
                                "group 'z' is not in the model, expected one of 'a', 'b'");
  expect_error<InvalidArgument>([&] { (void)map_between(model, "a", "b", 1.5); },
                                "map_between: amount is 1.5, expected a number from 0 to 1");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error<InvalidArgument>([&] { (void)map_to_barycenter(model, "a", equal_weights, nan); },
                                "map_to_barycenter: amount is nan, expected a number from 0 to 1");
  LocalMap map = map_between(model, "a", "b");
  expect_error<InvalidArgument>([&] { (void)transport(map, RowMatrix(RowMatrix::Zero(1, 3))); },
                                "transport: samples have 3 features, the map has 2");
  expect_error<InvalidArgument>(
      [&] { (void)transport(map, RowMatrix(RowMatrix::Constant(1, 2, nan))); },
      "transport: samples contains nan at row 0, column 0 (counted from 0), expected finite "
      "values");
  map.pieces.pop_back();
  expect_error<InvalidArgument>([&] { (void)transport(map, RowMatrix(RowMatrix::Zero(1, 2))); },
                                "transport: map.pieces has no piece of component 3");
  map.pieces.front().component = 9;
  expect_error<InvalidArgument>([&] { (void)transport(map, RowMatrix(RowMatrix::Zero(1, 2))); },
                                "transport: map.pieces[0].component is 9, expected 0 to 3");
  map.pieces.front().component = 0;
  map.pieces.front().map.matrix.resize(1, 2);
  expect_error<InvalidArgument>([&] { (void)transport(map, RowMatrix(RowMatrix::Zero(1, 2))); },
                                "transport: map.pieces[0].map does not have 2 features");
}

/// A mixture of one Gaussian of mean 0.
Mixture one_gaussian(const Matrix& covariance) {
  return {
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, covariance.rows()), {covariance}};
}

TEST(MapBetween, KeepsCorrelationsOfFeaturesInAnyUnits) {
  for (const double unit : {1.0, 1e6, 1e13, 1e15}) {
    const Vector units{{0.1, unit}};
    const auto covariance = [&](double correlation) -> Matrix {
      return units.asDiagonal() * Matrix{{1.0, correlation}, {correlation, 1.0}} *
             units.asDiagonal();
    };
    TransportModel model = random_model({.n_components = 1});
    model.mixtures = {one_gaussian(covariance(-0.9)), one_gaussian(covariance(0.3))};
    const Matrix map = map_between(model, "a", "b").pieces.front().map.dense_matrix();
    const Matrix image = map * covariance(-0.9) * map.transpose();
    const Matrix in_units =
        units.cwiseInverse().asDiagonal() * image * units.cwiseInverse().asDiagonal();
    EXPECT_NEAR(in_units(0, 1), 0.3, 1e-9) << unit;
    EXPECT_NEAR(in_units(0, 0), 1.0, 1e-9) << unit;
    EXPECT_NEAR(in_units(1, 1), 1.0, 1e-9) << unit;
  }
}

}  // namespace
}  // namespace lbw
