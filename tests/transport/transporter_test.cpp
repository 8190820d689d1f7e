// SPDX-License-Identifier: MIT
#include "transport/transporter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>

#include "core/point_draw.hpp"
#include "support/expect_error.hpp"
#include "support/mixture_oracles.hpp"
#include "support/models.hpp"

namespace lbw {
namespace {

LocalMap map_of_kind(const ModelSettings& settings, MapKind kind, double amount = 1.0) {
  TransportModel model = random_plan_model(settings);
  model.map = kind;
  return map_between(model, "a", "b", amount);
}

oracle::LongVector carried_by(const MapPiece& piece, const RowMatrix& points, Index i) {
  const auto point = points.row(i).transpose().cast<long double>();
  return piece.map.target_mean.cast<long double>() +
         piece.map.dense_matrix().cast<long double>() *
             (point - piece.map.source_mean.cast<long double>());
}

TEST(Transporter, SoftIsTheMeanOfAllPieces) {
  for (const CovarianceType type : all_covariance_types) {
    for (const double amount : {1.0, 0.3}) {
      const LocalMap map =
          map_of_kind({.n_features = 3, .covariance_type = type, .seed = 3}, MapKind::soft, amount);
      const RowMatrix points = sample(map.source, 500, 1).samples;
      const oracle::LongMatrix shares = oracle::responsibilities(map.source, points);
      const RowMatrix carried = transport(map, points);
      for (Index i = 0; i < points.rows(); ++i) {
        oracle::LongVector expected = oracle::LongVector::Zero(3);
        for (const MapPiece& piece : map.pieces) {
          expected += shares(i, piece.component) * static_cast<long double>(piece.share) *
                      carried_by(piece, points, i);
        }
        // densities are accurate to about ten digits
        EXPECT_LT((carried.row(i).transpose() - expected.cast<double>()).norm(), 1e-9);
      }
    }
  }
}

TEST(Transporter, RandomSelectsThePieceByTheRandomNumbersOfThePoint) {
  for (const CovarianceType type : all_covariance_types) {
    LocalMap map =
        map_of_kind({.n_features = 3, .covariance_type = type, .seed = 4}, MapKind::random);
    map.seed = 77;
    const RowMatrix points = sample(map.source, 3000, 1).samples;
    const oracle::LongMatrix shares = oracle::responsibilities(map.source, points);
    const RowMatrix carried = transport(map, points);
    const PointDraws draws(77, 3);
    std::vector<int> n_taken(map.pieces.size(), 0);
    for (Index i = 0; i < points.rows(); ++i) {
      const PointDraw draw = draws.of(points.row(i).data());
      long double before = 0.0;
      for (std::size_t p = 0; p < map.pieces.size(); ++p) {
        const MapPiece& piece = map.pieces[p];
        if (p == 0 || piece.component != map.pieces[p - 1].component) before = 0.0;
        long double first = 0.0;
        for (int k = 0; k < piece.component; ++k) first += shares(i, k);
        // in the interval of this component for the first number and of this piece for the second
        const bool taken = draw.first >= first && draw.first < first + shares(i, piece.component) &&
                           draw.second >= before && draw.second < before + piece.share;
        before += piece.share;
        if (!taken) continue;
        ++n_taken[p];
        EXPECT_LT((carried.row(i).transpose() - carried_by(piece, points, i).cast<double>()).norm(),
                  1e-12);
      }
    }
    // none of the three thousand points is within rounding of a boundary
    EXPECT_EQ(std::accumulate(n_taken.begin(), n_taken.end(), 0), 3000);
    EXPECT_GT(std::count_if(n_taken.begin(), n_taken.end(), [](int n) { return n > 20; }), 5);
  }
}

struct Moments {
  Vector mean;
  Matrix covariance;
};

Moments moments_of(const Mixture& mixture) {
  Moments moments{mixture.means.transpose() * mixture.weights, Matrix::Zero(2, 2)};
  for (Index k = 0; k < mixture.n_components(); ++k) {
    const Gaussian component = mixture.component(k);
    const Vector away = component.mean - moments.mean;
    moments.covariance += mixture.weights[k] * (component.covariance + away * away.transpose());
  }
  return moments;
}

Moments moments_of(const RowMatrix& samples) {
  const Vector mean = samples.colwise().mean().transpose();
  const RowMatrix centered = samples.rowwise() - mean.transpose();
  return {mean, centered.transpose() * centered / static_cast<double>(samples.rows())};
}

// Hard and soft maps do not have this property.
TEST(Transporter, RandomTransportsTheSourceMixtureToTheTargetMixture) {
  TransportModel model = random_plan_model({.seed = 12});
  const Mixture& target = model.mixtures[1];
  constexpr Index n = 200'000;
  const RowMatrix points = sample(model.mixtures[0], n, 3).samples;
  const Moments wanted = moments_of(target);
  const Vector masses = target.weights;
  const Vector own = log_density(target, sample(target, n, 9).samples);
  const double spread = std::sqrt((own.array() - own.mean()).square().mean());
  const auto distance_of = [&](MapKind kind) {
    model.map = kind;
    const RowMatrix carried = transport(map_between(model, "a", "b"), points);
    const Moments moments = moments_of(carried);
    const Vector found = responsibilities(target, carried).colwise().mean().transpose();
    const double scale = std::sqrt(wanted.covariance.trace() / n);
    return std::max({(moments.mean - wanted.mean).norm() / scale,
                     // fourth moments of these mixtures are at most about 3 times squared second
                     (moments.covariance - wanted.covariance).norm() /
                         (2.0 * wanted.covariance.trace() / std::sqrt(n)),
                     (found - masses).cwiseAbs().maxCoeff() / (0.5 / std::sqrt(n)),
                     std::abs(mean_log_likelihood(target, carried) - own.mean()) /
                         (spread * std::sqrt(2.0 / n))});
  };
  EXPECT_LT(distance_of(MapKind::random), 4.0);  // standard errors
  EXPECT_GT(distance_of(MapKind::hard), 10.0);
  EXPECT_GT(distance_of(MapKind::soft), 10.0);
}

TEST(Transporter, SoftIsContinuousWhereHardIsNot) {
  TransportModel model = random_plan_model({.seed = 5});
  const Vector from = model.mixtures[0].means.row(0).transpose();
  const Vector to = model.mixtures[0].means.row(1).transpose();
  const auto largest_step = [&](MapKind kind, Index n) {
    RowMatrix line(n, 2);
    for (Index i = 0; i < n; ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(n - 1);
      line.row(i) = ((1.0 - t) * from + t * to).transpose();
    }
    model.map = kind;
    const RowMatrix carried = transport(map_between(model, "a", "b"), line);
    return (carried.bottomRows(n - 1) - carried.topRows(n - 1)).rowwise().norm().maxCoeff();
  };
  EXPECT_LT(largest_step(MapKind::soft, 100'001), 0.11 * largest_step(MapKind::soft, 10'001));
  EXPECT_GT(largest_step(MapKind::hard, 100'001), 0.9 * largest_step(MapKind::hard, 10'001));
}

TEST(Transporter, TransportsAPointEquallyInAnyBatchOrderThreadAndPrecision) {
  for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
    const LocalMap map = map_of_kind({.n_features = 3, .seed = 7}, kind);
    const RowMatrixF floats = sample(map.source, 60'000, 1).samples.cast<float>();
    const RowMatrix points = floats.cast<double>();
    const RowMatrix carried = transport(map, points, {1});
    EXPECT_EQ(transport(map, points, {3}), carried);
    EXPECT_EQ(transport(map, floats), carried);
    EXPECT_EQ(transport(map, points.middleRows(1001, 77)), carried.middleRows(1001, 77));
    EXPECT_EQ(transport(map, RowMatrix(points.colwise().reverse())),
              RowMatrix(carried.colwise().reverse()));
    RowMatrix in_place = points;
    transport_into(map, in_place, in_place);
    EXPECT_EQ(in_place, carried);
    RowMatrix batched(60'000, 3);
    Index n_taken = 0;
    transport_in_batches(map, points, [&](const RowMatrix& rows) {
      batched.middleRows(n_taken, rows.rows()) = rows;
      n_taken += rows.rows();
    });
    EXPECT_EQ(batched, carried);
  }
}

TEST(Transporter, OfEveryKindIsTheIdentityForEqualGroups) {
  for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
    const LocalMap map = map_of_kind({.seed = 7}, kind, 0.0);
    const RowMatrix points = sample(map.source, 300, 1).samples;
    EXPECT_EQ(transport(map, points), points);
  }
}

TEST(Transporter, OfOnePieceIsThatPieceWhateverTheKind) {
  const Mixture source{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 2), {Matrix::Identity(2, 2)}};
  const Matrix matrix{{2.0, 1.0}, {1.0, 3.0}};
  const AffineMap affine{Eigen::Vector2d(1.0, 2.0), matrix, Eigen::Vector2d(5.0, -1.0)};
  const RowMatrix points{{0.5, 0.25}, {1e90, -1e90}};
  const RowMatrix expected = transport({source, {{0, 1.0, affine}}}, points);
  for (const MapKind kind : {MapKind::soft, MapKind::random}) {
    EXPECT_EQ(transport({source, {{0, 1.0, affine}}, kind, 3}, points), expected);
  }
}

TEST(Transporter, DrawsOtherPiecesUnderAnotherSeed) {
  LocalMap map = map_of_kind({.seed = 7}, MapKind::random);
  const RowMatrix points = sample(map.source, 300, 1).samples;
  const RowMatrix carried = transport(map, points);
  ++map.seed;
  const RowMatrix other = transport(map, points);
  const auto n_moved = ((carried - other).rowwise().norm().array() > 1e-6).count();
  EXPECT_GT(n_moved, 30);
  EXPECT_LT(n_moved, 300);
}

TEST(Transporter, ChecksThePiecesOfAMap) {
  struct Row {
    std::function<void(LocalMap&)> spoil;
    const char* expected;
  };
  const Row rows[] = {
      {[](LocalMap& m) { m.pieces.front().component = 9; },
       "f: map.pieces[0].component is 9, expected 0 to 3"},
      {[](LocalMap& m) { m.pieces.front().share = -0.5; },
       "f: map.pieces[0].share is -0.5, expected a finite number >= 0"},
      {[](LocalMap& m) { m.pieces.front().share = std::numeric_limits<double>::infinity(); },
       "f: map.pieces[0].share is inf, expected a finite number >= 0"},
      {[](LocalMap& m) { m.pieces.front().map.matrix.resize(1, 2); },
       "f: map.pieces[0].map does not have 2 features"},
      {[](LocalMap& m) { m.pieces[1].map.matrix = Matrix::Ones(2, 1); },
       "f: map.pieces[1].map.matrix has 1 column and that of the first 2, expected the same number "
       "in all"},
      {[](LocalMap& m) {
         std::erase_if(m.pieces, [](const MapPiece& piece) { return piece.component == 2; });
       },
       "f: map.pieces has no piece of component 2"},
      {[](LocalMap& m) {
         for (MapPiece& piece : m.pieces) piece.share *= piece.component == 1 ? 0.0 : 1.0;
       },
       "f: the shares of map.pieces of component 1 sum to 0, expected a positive sum"},
      {[](LocalMap& m) { m.source.weights.setConstant(0.5); },
       "f: map.source.weights sum to 2, expected 1 within 1e-9"},
  };
  for (const Row& row : rows) {
    LocalMap map = map_of_kind({}, MapKind::soft);
    check_map(map, "f");
    row.spoil(map);
    expect_error<InvalidArgument>([&] { check_map(map, "f"); }, row.expected);
  }
}

}  // namespace
}  // namespace lbw
