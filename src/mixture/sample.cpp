// SPDX-License-Identifier: MIT
#include <lbw/mixture.hpp>
#include <lbw/random.hpp>

#include "core/message.hpp"
#include "linalg/cholesky.hpp"

namespace lbw {

namespace {

Index draw_component(const Vector& weights, Random& random) {
  const double draw = random.uniform();
  double cumulative = 0.0;
  for (Index component = 0; component < weights.size(); ++component) {
    cumulative += weights[component];
    if (draw < cumulative) return component;
  }
  // rounding can leave the sum a little under 1
  Index last = weights.size() - 1;
  while (weights[last] == 0.0) --last;
  return last;
}

std::vector<Matrix> cholesky_factors(const Mixture& mixture) {
  std::vector<Matrix> factors;
  for (Index i = 0; i < mixture.n_components(); ++i) {
    factors.push_back(cholesky_factor(mixture.component(i).covariance).value());
  }
  return factors;
}

}  // namespace

MixtureSample sample(const Mixture& mixture, Index n_samples, std::uint64_t seed) {
  check_mixture(mixture, "sample", "mixture");
  require(n_samples >= 1, "sample: n_samples is ", n_samples, ", expected 1 or more");
  const std::vector<Matrix> factors = cholesky_factors(mixture);
  const Index d = mixture.n_features();
  Random random(seed);
  MixtureSample drawn{RowMatrix(n_samples, d), Labels(n_samples)};
  Vector normals(d);
  for (Index i = 0; i < n_samples; ++i) {
    const Index component = draw_component(mixture.weights, random);
    for (double& normal : normals) normal = random.normal();
    const Matrix& factor = factors[static_cast<std::size_t>(component)];
    for (Index row = 0; row < d; ++row) {
      double value = mixture.means(component, row);
      for (Index column = 0; column <= row; ++column)
        value += factor(row, column) * normals[column];
      drawn.samples(i, row) = value;
    }
    drawn.labels[i] = static_cast<int>(component);
  }
  return drawn;
}

}  // namespace lbw
