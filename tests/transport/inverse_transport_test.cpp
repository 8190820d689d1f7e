// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <tuple>

#include "support/expect_error.hpp"
#include "support/models.hpp"

#include "support/refined_groups.hpp"

namespace lbw {
namespace {

/// Points on a square grid of side 2 `reach` about the origin.
RowMatrix grid(Index n_per_side, double reach) {
  RowMatrix points(n_per_side * n_per_side, 2);
  const double step = 2.0 * reach / static_cast<double>(n_per_side - 1);
  for (Index i = 0; i < points.rows(); ++i) {
    points.row(i) << static_cast<double>(i / n_per_side) * step - reach,
        static_cast<double>(i % n_per_side) * step - reach;
  }
  return points;
}

/// From a random mixture to the same one with means moved apart and covariances scaled, each
/// component to itself. The pieces overlap little and leave gaps where covariances shrink.
LocalMap map_apart(CovarianceType type, double covariance_scale, double unit = 1.0) {
  TransportModel model = random_model({.covariance_type = type, .seed = 3});
  model.mixtures[0].means *= unit;
  for (Matrix& covariance : model.mixtures[0].covariances) covariance *= unit * unit;
  model.mixtures[1] = model.mixtures[0];
  model.mixtures[1].means *= 1.3;
  for (Matrix& covariance : model.mixtures[1].covariances) covariance *= covariance_scale;
  for (Index t = 0; t < model.coupling.tuples.rows(); ++t) {
    model.coupling.tuples.row(t).setConstant(static_cast<int>(t));
  }
  model.coupling.masses = model.mixtures[0].weights;
  return map_between(model, "a", "b");
}

/// The inverse image of y under the piece of every component, by solving for it.
RowMatrix candidates(const LocalMap& map, const Vector& y) {
  RowMatrix found(map.source.n_components(), y.size());
  for (const MapPiece& piece : map.pieces) {
    const Vector x = piece.map.source_mean +
                     piece.map.dense_matrix().fullPivLu().solve(y - piece.map.target_mean);
    found.row(piece.component) = x.transpose();
  }
  return found;
}

/// The components that contain their candidate.
std::vector<Index> homes(const LocalMap& map, const RowMatrix& found) {
  const Labels of = labels(map.source, found);
  std::vector<Index> inside;
  for (Index i = 0; i < of.size(); ++i) {
    if (of[i] == i) inside.push_back(i);
  }
  return inside;
}

TEST(InverseTransport, OfOneComponentGivesEveryPointBack) {
  for (const CovarianceType type : all_covariance_types) {
    TransportModel model = random_model({.n_components = 1, .covariance_type = type, .seed = 3});
    const RowMatrix points = grid(21, 10.0);
    for (const double amount : {0.0, 0.4, 1.0}) {
      for (const MapKind kind : {MapKind::hard, MapKind::soft, MapKind::random}) {
        model.map = kind;
        const LocalMap map = map_between(model, "a", "b", amount);
        const RowMatrix back = inverse_transport(map, transport(map, points));
        EXPECT_LT((back - points).cwiseAbs().maxCoeff(), 1e-12);
      }
    }
  }
}

TEST(InverseTransport, GivesPointsBackWhoseImageHasOneOrigin) {
  for (const CovarianceType type : all_covariance_types) {
    const LocalMap map = map_apart(type, 2.0);
    const RowMatrix points = grid(31, 8.0);
    const RowMatrix carried = transport(map, points);
    const RowMatrix back = inverse_transport(map, carried);
    Index unique = 0;
    Index shared = 0;
    for (Index i = 0; i < points.rows(); ++i) {
      const std::size_t n = homes(map, candidates(map, carried.row(i))).size();
      if (n > 1) ++shared;
      if (n != 1) continue;  // 0: on a boundary, where rounding decides
      ++unique;
      EXPECT_LT((back.row(i) - points.row(i)).norm(), 1e-11) << i;
    }
    EXPECT_GT(unique, 300);
    EXPECT_GT(shared, 0);  // the grid includes both cases
    // any origin is transported to the same place again
    EXPECT_LT((transport(map, back) - carried).rowwise().norm().maxCoeff(), 1e-11);
  }
}

/// log pi_i N(x_i; m_i, S_i) - log |det T_i| of the candidate x_i of every component, from the
/// definition.
Vector joint_log_densities(const LocalMap& map, const RowMatrix& found) {
  Vector joint(found.rows());
  for (const MapPiece& piece : map.pieces) {
    const Index i = piece.component;
    const Gaussian gaussian = map.source.component(i);
    const Vector away = found.row(i).transpose() - gaussian.mean;
    const Matrix around = 2.0 * M_PI * gaussian.covariance;
    joint[i] = std::log(map.source.weights[i]) -
               0.5 * away.dot(gaussian.covariance.fullPivLu().solve(away)) -
               0.5 * std::log(around.determinant()) -
               std::log(std::abs(piece.map.dense_matrix().determinant()));
  }
  return joint;
}

TEST(InverseTransport, ChoosesTheCandidateOfLargestJointDensity) {
  Index several = 0;
  Index none = 0;
  for (const auto& [scale, unit] : {std::pair{0.3, 1.0}, {2.0, 1.0}, {0.3, 1e-3}, {2.0, 1e-3}}) {
    const LocalMap map = map_apart(CovarianceType::full, scale, unit);
    const RowMatrix anywhere = grid(31, 8.0 * unit);
    const RowMatrix back = inverse_transport(map, anywhere);
    for (Index i = 0; i < anywhere.rows(); ++i) {
      const RowMatrix found = candidates(map, anywhere.row(i));
      const std::vector<Index> inside = homes(map, found);
      const Vector joint = joint_log_densities(map, found);
      Vector merit = joint;
      if (!inside.empty()) {
        merit.setConstant(-std::numeric_limits<double>::infinity());
        for (const Index component : inside) merit[component] = joint[component];
      }
      Index best = 0;
      merit.maxCoeff(&best);
      EXPECT_LT((back.row(i) - found.row(best)).norm(), 1e-11 * unit) << i;
      several += inside.size() > 1 ? 1 : 0;
      none += inside.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(several, 0);
  EXPECT_GT(none, 0);
}

/// Two groups of k clusters whose means are `gap` standard deviations apart, cluster i of the first
/// group mapped to cluster k - 1 - i of the second. Cluster 0 of the first is `spread` times as
/// wide as the others.
TransportModel separated_clusters(Index k, Index d, double gap, double spread) {
  TransportModel model = random_model({.n_components = k, .n_features = d, .seed = 4});
  for (Mixture& mixture : model.mixtures) {
    mixture.weights.setConstant(1.0 / static_cast<double>(k));
    for (Index i = 0; i < k; ++i) {
      mixture.means.row(i).setConstant(gap * static_cast<double>(i));
      mixture.covariances[static_cast<std::size_t>(i)] = Matrix::Identity(d, d);
    }
  }
  model.mixtures[0].covariances[0] *= spread * spread;
  for (Index t = 0; t < k; ++t) {
    model.coupling.tuples.row(t) << static_cast<int>(t), static_cast<int>(k - 1 - t);
  }
  model.coupling.masses.setConstant(1.0 / static_cast<double>(k));
  return model;
}

TEST(InverseTransport, GivesPointsOfSeparatedClustersBack) {
  for (const auto& [k, d, gap] : {std::tuple{2, 1, 10.0}, {2, 1, 40.0}, {4, 30, 20.0}}) {
    for (const double spread : {1.0, 1e-3, 3.0}) {
      const TransportModel model = separated_clusters(k, d, gap, spread);
      const RowMatrix points = sample(model.mixtures[0], 1000, 5).samples;
      const LocalMap map = map_between(model, "a", "b");
      const RowMatrix back = inverse_transport(map, transport(map, points));
      const auto returned =
          ((back - points).rowwise().norm().array() <= 1e-6).cast<double>().mean();
      EXPECT_GE(returned, 0.97) << k << " clusters in " << d << ", spread " << spread;
    }
  }
}

TEST(InverseTransport, UsesTheHeaviestPiecesOfAPlan) {
  const LocalMap map = map_between(random_plan_model({.seed = 2}), "a", "b");
  const RowMatrix carried = transport(map, grid(21, 6.0));
  EXPECT_LT((transport(map, inverse_transport(map, carried)) - carried).cwiseAbs().maxCoeff(),
            1e-11);
}

TEST(InverseTransport, IsTheSameAtAnyNumberOfThreads) {
  const LocalMap map = map_between(random_model({.seed = 3}), "a", "b");
  const RowMatrix points = grid(120, 8.0);
  EXPECT_EQ(inverse_transport(map, points, {.n_threads = 1}),
            inverse_transport(map, points, {.n_threads = 3}));
}

TEST(InverseTransport, NamesWhatHasNoInverse) {
  TransportModel model = random_model({.seed = 3});
  const RowMatrix points = grid(3, 1.0);
  model.map = MapKind::soft;
  expect_error<InvalidArgument>(
      [&] { (void)inverse_transport(map_between(model, "a", "b"), points); },
      "inverse_transport: map is soft, which has no inverse; expected hard. Set map to hard in the "
      "fit");
  model.map = MapKind::random;
  expect_error<InvalidArgument>(
      [&] { (void)inverse_transport(map_between(model, "a", "b"), points); },
      "inverse_transport: map is random, which has no inverse; expected hard. Set map to hard in "
      "the fit");
  model.map = MapKind::hard;
  LocalMap map = map_between(model, "a", "b");
  expect_error<InvalidArgument>(
      [&] { (void)inverse_transport(map, RowMatrix(RowMatrix::Zero(2, 3))); },
      "inverse_transport: points have 3 features, the map has 2");
  LocalMap refined = map;
  refined.refinement.resize(2);
  expect_error<InvalidArgument>([&] { (void)inverse_transport(refined, points); },
                                "inverse_transport: the map has 2 refinement steps, which have no "
                                "inverse; fit without refine, or map between groups");
  map.pieces[1].map.matrix.setOnes();
  constexpr const char* singular =
      "inverse_transport: the piece of component 1 has a singular matrix, which has no inverse";
  expect_error<InvalidArgument>([&] { (void)inverse_transport(map, points); }, singular);
  for (MapPiece& piece : map.pieces) piece.map.matrix = Matrix::Ones(2, 1);
  map.pieces[1].map.matrix(1, 0) = 0.0;
  expect_error<InvalidArgument>([&] { (void)inverse_transport(map, points); }, singular);
}

TEST(InverseTransport, DoesNotDependOnUnits) {
  const Vector units{{1e8, 1.0, 1e-8}};
  const RowMatrix first = normals(300, 3, 31) * units.asDiagonal();
  Matrix shape = Matrix::Identity(3, 3);
  shape(0, 1) = shape(1, 0) = 0.5;
  shape(1, 2) = shape(2, 1) = -0.4;
  const RowMatrix second = normals(300, 3, 32) * shape * units.asDiagonal();
  TransportOptions options;
  options.mixture.n_components = 1;
  options.mixture.covariance_floor = 0.0;
  options.map = MapKind::hard;
  options.scale_features = true;
  const TransportModel model =
      fit_transport(std::vector<Group>{{"a", first}, {"b", second}}, options);
  const LocalMap map = map_between(model, "a", "b");
  const RowMatrix back = inverse_transport(map, transport(map, first));
  const RowMatrix error = (back - first) * units.cwiseInverse().asDiagonal();
  EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace lbw
