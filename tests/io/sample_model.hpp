// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <string>
#include <vector>

namespace lbw {

/// A valid model of three groups with unusual names and random numbers. It is not fitted, because
/// files must store any model.
inline TransportModel sample_model(CovarianceType type, Index n_components = 3,
                                   Index n_features = 2, std::uint64_t seed = 1) {
  Random random(seed);
  const auto normals = [&](Index rows, Index columns) {
    RowMatrix values(rows, columns);
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.normal();
    return values;
  };
  const auto covariance = [&]() -> Matrix {
    if (type == CovarianceType::spherical) return Matrix::Constant(1, 1, 0.5 + random.uniform());
    if (type == CovarianceType::diagonal) {
      return (normals(n_features, 1).array().square() + 0.1).matrix();
    }
    const Matrix root = normals(n_features, n_features);
    const Matrix product = root * root.transpose() + Matrix::Identity(n_features, n_features);
    return 0.5 * (product + product.transpose());
  };
  TransportModel model;
  model.group_names = {"red", "w\"h\\i,te\n", "ros\xC3\xA9"};
  for (Index i = 0; i < n_features; ++i)
    model.feature_names.push_back(std::string("x").append(std::to_string(i)));
  model.coupling.reference = 1;
  model.coupling.tuples.resize(n_components, 3);
  for (Index group = 0; group < 3; ++group) {
    Mixture mixture;
    mixture.covariance_type = type;
    mixture.weights = normals(n_components, 1).array().abs() + 0.1;
    mixture.weights /= mixture.weights.sum();
    mixture.means = normals(n_components, n_features);
    const Index n_covariances = type == CovarianceType::tied ? 1 : n_components;
    for (Index i = 0; i < n_covariances; ++i) mixture.covariances.push_back(covariance());
    model.mixtures.push_back(mixture);
    model.reports.push_back({100 + group, -1.0 / 3.0 * static_cast<double>(group),
                             static_cast<int>(group) + 7, group != 2, static_cast<int>(group)});
    for (Index t = 0; t < n_components; ++t) {
      model.coupling.tuples(t, group) = static_cast<int>((t + group) % n_components);
    }
  }
  model.coupling.masses = Vector::Zero(n_components);
  for (Index t = 0; t < n_components; ++t) {
    for (Index group = 0; group < 3; ++group) {
      model.coupling.masses[t] +=
          model.mixtures[static_cast<std::size_t>(group)].weights[model.coupling.tuples(t, group)] /
          3.0;
    }
  }
  model.mixture_options.n_components = static_cast<int>(n_components);
  model.mixture_options.covariance_type = type;
  model.mixture_options.covariance_floor = 1e-7;
  model.mixture_options.tolerance = 0.1;
  model.mixture_options.max_iterations = 77;
  model.mixture_options.n_init = 5;
  model.mixture_options.start = MixtureStart::random_points;
  model.mixture_options.seed = 18446744073709551615ULL;
  return model;
}

/// The same with a refinement of small tables.
inline TransportModel refined_sample_model(CovarianceType type, std::size_t n_steps = 2,
                                           Index n_features = 2) {
  TransportModel model = sample_model(type, 3, n_features);
  Random random(5);
  model.refinement.barycentric_weights = {0.5, 0.25, 0.25};
  for (std::size_t s = 0; s < n_steps; ++s) {
    RefinementStep step{Matrix::Identity(n_features, n_features), {}};
    if (n_features == 2) step.rotation << 0.6, -0.8, 0.8, 0.6;
    for (int group = 0; group < 3; ++group) {
      std::vector<QuantileTable> tables;
      for (Index f = 0; f < n_features; ++f) {
        QuantileTable table{Vector(5)};
        for (double& value : table.values) value = random.normal();
        std::sort(table.values.begin(), table.values.end());
        tables.push_back(table);
      }
      step.tables.push_back(tables);
    }
    model.refinement.steps.push_back(step);
  }
  return model;
}

}  // namespace lbw
