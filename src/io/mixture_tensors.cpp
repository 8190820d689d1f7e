// SPDX-License-Identifier: MIT
#include "io/mixture_tensors.hpp"

#include <lbw/moment_sums.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

Shape covariance_shape(CovarianceType type, Index n_components, Index n_features) {
  const std::vector<Index> shape = layout_of(type).array_shape(n_components, n_features);
  return {shape.begin(), shape.end()};
}

std::vector<Matrix> read_covariances(TensorShelf& shelf, const std::string& prefix,
                                     CovarianceType type, Index n_components, Index n_features) {
  const Tensor& tensor = shelf.take(prefix + "covariances", "F64");
  const Shape expected = covariance_shape(type, n_components, n_features);
  shelf.check_shape(tensor, tensor.shape == expected,
                    message(tensor_shape_text(expected), " for ", to_string(type)));
  const CovarianceLayout& layout = layout_of(type);
  const Index rows = layout.n_rows(n_features);
  const Index columns = layout.n_columns(n_features);
  NumberCursor numbers(tensor);
  std::vector<Matrix> covariances;
  for (Index i = 0; i < layout.n_matrices(n_components); ++i) {
    covariances.push_back(numbers.matrix<Matrix>(rows, columns));
  }
  return covariances;
}

}  // namespace

void add_mixture(ModelTensors& out, const std::string& prefix, const Mixture& mixture) {
  const auto n_components = static_cast<std::uint64_t>(mixture.n_components());
  const auto n_features = static_cast<std::uint64_t>(mixture.n_features());
  std::string weights;
  append_row_major(weights, mixture.weights);
  add_tensor(out, prefix + "weights", {n_components}, std::move(weights));
  std::string means;
  append_row_major(means, mixture.means);
  add_tensor(out, prefix + "means", {n_components, n_features}, std::move(means));
  std::string covariances;
  for (const Matrix& covariance : mixture.covariances) append_row_major(covariances, covariance);
  add_tensor(
      out, prefix + "covariances",
      covariance_shape(mixture.covariance_type, mixture.n_components(), mixture.n_features()),
      std::move(covariances));
}

void read_mixture(TensorShelf& shelf, const std::string& prefix, Mixture& mixture) {
  const Tensor& weights = shelf.take(prefix + "weights", "F64");
  shelf.check_shape(weights, weights.shape.size() == 1 && weights.shape[0] >= 1,
                    "(n_components), at least 1");
  const auto n_components = static_cast<Index>(weights.shape[0]);
  const Tensor& means = shelf.take(prefix + "means", "F64");
  shelf.check_shape(
      means, means.shape.size() == 2 && means.shape[0] == weights.shape[0] && means.shape[1] >= 1,
      message("(", n_components, ", n_features), at least 1 feature"));
  const auto n_features = static_cast<Index>(means.shape[1]);
  mixture.weights = NumberCursor(weights).matrix<Vector>(n_components, 1);
  mixture.means = NumberCursor(means).matrix<RowMatrix>(n_components, n_features);
  mixture.covariances =
      read_covariances(shelf, prefix, mixture.covariance_type, n_components, n_features);
}

}  // namespace lbw
