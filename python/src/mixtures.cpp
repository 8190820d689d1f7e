// SPDX-License-Identifier: MIT
#include "mixtures.hpp"

#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>
#include <utility>
#include <vector>

namespace lbw::python {

namespace {

using Shape = std::vector<std::size_t>;

Shape covariance_shape(const Mixture& mixture) {
  const std::vector<Index> shape =
      layout_of(mixture.covariance_type).array_shape(mixture.n_components(), mixture.n_features());
  return {shape.begin(), shape.end()};
}

std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (const std::size_t size : shape) text += std::to_string(size) + ", ";
  return text.substr(0, text.size() - 2) + ")";
}

}  // namespace

Mixture mixture_of(const std::string& covariance_type, const VectorArray& weights,
                   const MatrixArray& means, const DoubleArray& covariances) {
  Mixture mixture;
  mixture.covariance_type = enum_from<CovarianceType>(covariance_type);
  mixture.weights = vector_of(weights);
  mixture.means = matrix_of(means);
  const Shape expected = covariance_shape(mixture);
  Shape shape;
  for (std::size_t i = 0; i < covariances.ndim(); ++i) shape.push_back(covariances.shape(i));
  if (shape != expected) {
    throw InvalidArgument("covariances: shape " + text_of(shape) + ", expected " +
                          text_of(expected));
  }
  const CovarianceLayout& layout = layout_of(mixture.covariance_type);
  const Index rows = layout.n_rows(mixture.n_features());
  const Index columns = layout.n_columns(mixture.n_features());
  for (Index i = 0; i < layout.n_matrices(mixture.n_components()); ++i) {
    mixture.covariances.emplace_back(
        Eigen::Map<const RowMatrix>(covariances.data() + i * rows * columns, rows, columns));
  }
  check_mixture(mixture, "Mixture", "mixture");
  return mixture;
}

CovariancesOut covariances_to_numpy(const Mixture& mixture) {
  const Index size = mixture.covariances.front().size();
  Vector values(std::ssize(mixture.covariances) * size);
  Index begin = 0;
  for (const Matrix& covariance : mixture.covariances) {
    Eigen::Map<RowMatrix>(values.data() + begin, covariance.rows(), covariance.cols()) = covariance;
    begin += size;
  }
  return array_over<CovariancesOut>(std::move(values), covariance_shape(mixture));
}

}  // namespace lbw::python
