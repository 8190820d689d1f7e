// SPDX-License-Identifier: MIT
#include "worker/inputs.hpp"

#include <map>

namespace lbw::bench {
namespace {

std::map<std::string, RowMatrix>& arrays() {
  static std::map<std::string, RowMatrix> kept;
  return kept;
}

}  // namespace

const RowMatrix& array(const std::string& path) {
  const auto found = arrays().find(path);
  return found != arrays().end() ? found->second
                                 : arrays().emplace(path, read_npy(path)).first->second;
}

void forget_inputs() { arrays().clear(); }

std::vector<Matrix> read_matrices(const std::string& path) {
  const RowMatrix& stacked = array(path);
  const Index size = stacked.cols();
  std::vector<Matrix> matrices;
  for (Index row = 0; row < stacked.rows(); row += size) {
    matrices.emplace_back(stacked.middleRows(row, size));
  }
  return matrices;
}

Mixture read_mixture(const std::string& prefix) {
  Mixture mixture;
  mixture.weights = array(prefix + ".weights.npy").col(0);
  mixture.means = array(prefix + ".means.npy");
  mixture.covariances = read_matrices(prefix + ".covariances.npy");
  return mixture;
}

}  // namespace lbw::bench
