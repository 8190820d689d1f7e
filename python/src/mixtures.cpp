// SPDX-License-Identifier: MIT
#include "mixtures.hpp"

#include <lbw/types.hpp>
#include <utility>
#include <vector>

namespace lbw::python {

namespace {

using Shape = std::vector<std::size_t>;

struct CovarianceLayout {
  Shape shape;       ///< of the whole array
  Index n_matrices;  ///< number of matrices in Mixture::covariances
  Index n_rows;      ///< of each
  Index n_columns;
};

CovarianceLayout layout_of(CovarianceType type, Index n_components, Index n_features) {
  const auto k = static_cast<std::size_t>(n_components);
  const auto d = static_cast<std::size_t>(n_features);
  switch (type) {
    case CovarianceType::full:
      return {{k, d, d}, n_components, n_features, n_features};
    case CovarianceType::tied:
      return {{d, d}, 1, n_features, n_features};
    case CovarianceType::diagonal:
      return {{k, d}, n_components, n_features, 1};
    case CovarianceType::spherical:
      break;
  }
  return {{k}, n_components, 1, 1};
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
  const CovarianceLayout layout =
      layout_of(mixture.covariance_type, mixture.n_components(), mixture.n_features());
  Shape shape;
  for (std::size_t i = 0; i < covariances.ndim(); ++i) shape.push_back(covariances.shape(i));
  if (shape != layout.shape) {
    throw InvalidArgument("covariances: shape " + text_of(shape) + ", expected " +
                          text_of(layout.shape));
  }
  const Index size = layout.n_rows * layout.n_columns;
  for (Index i = 0; i < layout.n_matrices; ++i) {
    mixture.covariances.emplace_back(Eigen::Map<const RowMatrix>(covariances.data() + i * size,
                                                                 layout.n_rows, layout.n_columns));
  }
  check_mixture(mixture, "Mixture", "mixture");
  return mixture;
}

CovariancesOut covariances_to_numpy(const Mixture& mixture) {
  const CovarianceLayout layout =
      layout_of(mixture.covariance_type, mixture.n_components(), mixture.n_features());
  const Index size = layout.n_rows * layout.n_columns;
  Vector values(layout.n_matrices * size);
  for (Index i = 0; i < layout.n_matrices; ++i) {
    Eigen::Map<RowMatrix>(values.data() + i * size, layout.n_rows, layout.n_columns) =
        mixture.covariances[static_cast<std::size_t>(i)];
  }
  return array_over<CovariancesOut>(std::move(values), layout.shape);
}

}  // namespace lbw::python
