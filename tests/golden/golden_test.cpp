// SPDX-License-Identifier: MIT
// Exact results, computed by make_vectors.py beside this file. The Python tests also read them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <lbw/assignment.hpp>
#include <lbw/gaussian.hpp>
#include <lbw/mixture.hpp>
#include <lbw/transport.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lbw {
namespace {

using nlohmann::json;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// about ten roundings, each magnified by at most the condition of the covariances
constexpr double roundings = 10 * epsilon;

const json& vectors() {
  static const json parsed = json::parse(std::ifstream(LBW_GOLDEN_VECTORS));
  return parsed;
}

Vector vector_of(const json& numbers) {
  const auto values = numbers.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

RowMatrix matrix_of(const json& rows) {
  RowMatrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    matrix.row(static_cast<Index>(i)) = vector_of(rows[i]).transpose();
  }
  return matrix;
}

Gaussian gaussian_of(const json& written) {
  return {vector_of(written["mean"]), matrix_of(written["covariance"])};
}

/// A full covariance in the shape of its type.
Matrix packed(const Matrix& covariance, CovarianceType type) {
  if (type == CovarianceType::diagonal) return covariance.diagonal();
  if (type == CovarianceType::spherical) return covariance.topLeftCorner(1, 1);
  return covariance;
}

Mixture mixture_of(const json& written, CovarianceType type = CovarianceType::full) {
  Mixture mixture{type, vector_of(written["weights"]), matrix_of(written["means"]), {}};
  for (const json& covariance : written["covariances"]) {
    mixture.covariances.push_back(packed(matrix_of(covariance), type));
    if (type == CovarianceType::tied) break;
  }
  return mixture;
}

/// The largest difference in units of the largest expected entry.
double error_of(const Matrix& actual, const Matrix& expected) {
  return (actual - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

TransportModel model_of(const json& written) {
  TransportModel model;
  model.group_names = {"a", "b"};
  model.mixtures = {mixture_of(written["a"]), mixture_of(written["b"])};
  model.coupling.tuples = matrix_of(written["tuples"]).cast<int>();
  model.coupling.masses = Vector::Zero(model.coupling.tuples.rows());
  for (Index tuple = 0; tuple < model.coupling.tuples.rows(); ++tuple) {
    for (Index group = 0; group < 2; ++group) {
      const Mixture& mixture = model.mixtures[static_cast<std::size_t>(group)];
      model.coupling.masses[tuple] += 0.5 * mixture.weights[model.coupling.tuples(tuple, group)];
    }
  }
  model.reports.resize(2);
  return model;
}

TEST(GoldenVectors, Distances) {
  for (const json& written : vectors()["pairs"]) {
    const Gaussian source = gaussian_of(written["source"]);
    const Gaussian target = gaussian_of(written["target"]);
    const double expected = written["squared_distance"];
    // a difference of numbers as large as the traces; the root of a small eigenvalue changes by the
    // root of the condition
    const double scale = source.covariance.trace() + target.covariance.trace() + expected;
    const double allowed = roundings * std::sqrt(written["condition"].get<double>()) * scale;
    EXPECT_NEAR(squared_distance(source, target), expected, allowed) << written["name"];
    EXPECT_NEAR(squared_distance(target, source), expected, allowed) << written["name"];
  }
}

TEST(GoldenVectors, Maps) {
  for (const json& written : vectors()["pairs"]) {
    const Matrix map = map_matrix(gaussian_of(written["source"]).covariance,
                                  gaussian_of(written["target"]).covariance);
    EXPECT_LE(error_of(map, matrix_of(written["map_matrix"])),
              roundings * written["condition"].get<double>())
        << written["name"];
  }
}

TEST(GoldenVectors, Barycenters) {
  for (const json& written : vectors()["barycenters"]) {
    std::vector<Gaussian> gaussians;
    for (const json& gaussian : written["gaussians"]) gaussians.push_back(gaussian_of(gaussian));
    const auto weights = written["weights"].get<std::vector<double>>();
    const BarycenterResult result = barycenter(gaussians, weights, {.tolerance = 1e-14});
    const Gaussian expected = gaussian_of(written["barycenter"]);
    EXPECT_LE(error_of(result.barycenter.mean, expected.mean), roundings) << written["name"];
    // three: a step halves the error, and the last leaves a residual of 1e-14
    EXPECT_LE(error_of(result.barycenter.covariance, expected.covariance), 1e-13)
        << written["name"];
  }
}

TEST(GoldenVectors, MatchingCosts) {
  for (const json& written : vectors()["matchings"]) {
    const RowMatrix costs = matrix_of(written["costs"]);
    // with ties the pairs are not unique, but the cost is
    EXPECT_NEAR(match(costs).cost, written["cost"].get<double>(), epsilon * costs.cwiseAbs().sum())
        << written["name"];
  }
}

TEST(GoldenVectors, DensitiesAndResponsibilities) {
  for (const json& written : vectors()["mixtures"]) {
    const Mixture mixture = mixture_of(
        written, enum_from<CovarianceType>(written["covariance_type"].get<std::string>()));
    const RowMatrix points = matrix_of(written["points"]);
    const Vector expected = vector_of(written["log_density"]);
    const Vector density = log_density(mixture, points);
    const RowMatrix expected_shares = matrix_of(written["responsibilities"]);
    const RowMatrix shares = responsibilities(mixture, points);
    for (Index i = 0; i < points.rows(); ++i) {
      // A log-density is a sum of terms of its own size. A responsibility changes by as much as the
      // logarithms it is the difference of. The covariances have conditions below 10.
      const double allowed = 10 * roundings * (1 + std::abs(expected[i]));
      EXPECT_NEAR(density[i], expected[i], allowed) << written["covariance_type"] << " " << i;
      EXPECT_LE((shares.row(i) - expected_shares.row(i)).cwiseAbs().maxCoeff(), allowed)
          << written["covariance_type"] << " " << i;
    }
  }
}

TEST(GoldenVectors, LocalMapOfPieces) {
  const json& written = vectors()["local_map"];
  LocalMap map{mixture_of(written["a"]), {}};
  for (const json& piece : written["pieces"]) {
    const AffineMap affine{vector_of(piece["source_mean"]), matrix_of(piece["matrix"]),
                           vector_of(piece["target_mean"])};
    map.pieces.push_back({piece["component"].get<int>(), 1.0, affine});
  }
  const RowMatrix points = matrix_of(written["points"]);
  EXPECT_EQ(labels(map.source, points), vector_of(written["labels"]).cast<int>());
  EXPECT_LE(error_of(transport(map, points), matrix_of(written["carried_to_b"])), roundings);
}

TEST(GoldenVectors, LocalMapsOfAModel) {
  const json& written = vectors()["local_map"];
  const TransportModel model = model_of(written);
  const RowMatrix points = matrix_of(written["points"]);
  const double allowed = roundings * written["condition"].get<double>();
  const auto weights = written["weights"].get<std::vector<double>>();
  const RowMatrix to_b = transport(map_between(model, "a", "b"), points);
  EXPECT_LE(error_of(to_b, matrix_of(written["carried_to_b"])), allowed);
  const RowMatrix half_way = transport(map_between(model, "a", "b", 0.5), points);
  EXPECT_LE(error_of(half_way, matrix_of(written["carried_half_way_to_b"])), allowed);
  const RowMatrix to_middle = transport(map_to_barycenter(model, "a", weights), points);
  EXPECT_LE(error_of(to_middle, matrix_of(written["carried_to_barycenter"])), allowed);
}

TEST(GoldenVectors, BarycenterOfAModel) {
  const json& written = vectors()["local_map"];
  const auto weights = written["weights"].get<std::vector<double>>();
  const Mixture middle = barycenter(model_of(written), weights);
  const Mixture expected = mixture_of(written["barycenter"]);
  EXPECT_LE(error_of(middle.weights, expected.weights), roundings);
  EXPECT_LE(error_of(middle.means, expected.means), roundings);
  for (std::size_t i = 0; i < expected.covariances.size(); ++i) {
    EXPECT_LE(error_of(middle.covariances[i], expected.covariances[i]),
              roundings * written["condition"].get<double>());
  }
}

}  // namespace
}  // namespace lbw
