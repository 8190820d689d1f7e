// SPDX-License-Identifier: MIT
#include <nanobind/stl/vector.h>

#include <lbw/gaussian.hpp>

#include "bind.hpp"
#include "gaussians.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

/// A measure of every source and every target.
template <double (*measure)(const Gaussian&, const Gaussian&)>
MatrixOut of_all_pairs(const MatrixArray& source_means, const CubeArray& source_covariances,
                       const MatrixArray& target_means, const CubeArray& target_covariances) {
  const auto sources = gaussians_of(source_means, source_covariances, "sources");
  const auto targets = gaussians_of(target_means, target_covariances, "targets");
  RowMatrix values(std::ssize(sources), std::ssize(targets));
  {
    const Unlocked unlocked;
    for (Index i = 0; i < values.rows(); ++i) {
      for (Index j = 0; j < values.cols(); ++j) {
        values(i, j) =
            measure(sources[static_cast<std::size_t>(i)], targets[static_cast<std::size_t>(j)]);
      }
    }
  }
  return matrix_to_numpy(std::move(values));
}

MatrixOut map_matrices(const MatrixArray& source_means, const CubeArray& source_covariances,
                       const MatrixArray& target_means, const CubeArray& target_covariances,
                       int n_threads) {
  const auto sources = gaussians_of(source_means, source_covariances, "sources");
  const auto targets = gaussians_of(target_means, target_covariances, "targets");
  const Index d = static_cast<Index>(source_means.shape(1));
  RowMatrix matrices(std::ssize(sources) * d, d);
  {
    const Unlocked unlocked;
    const std::vector<AffineMap> maps = gaussian_maps(sources, targets, {.n_threads = n_threads});
    for (std::size_t i = 0; i < maps.size(); ++i) {
      matrices.middleRows(static_cast<Index>(i) * d, d) = maps[i].matrix;
    }
  }
  return matrix_to_numpy(std::move(matrices));
}

}  // namespace

void bind_gaussian(nb::module_& m) {
  m.def("squared_distances", &of_all_pairs<squared_distance>, "source_means"_a,
        "source_covariances"_a, "target_means"_a, "target_covariances"_a,
        "Squared Bures-Wasserstein distances (Eq. 2) between all sources and targets.");
  m.def("distances", &of_all_pairs<distance>, "source_means"_a, "source_covariances"_a,
        "target_means"_a, "target_covariances"_a,
        "Bures-Wasserstein distances between all sources and targets.");
  m.def("map_matrices", &map_matrices, "source_means"_a, "source_covariances"_a, "target_means"_a,
        "target_covariances"_a, "n_threads"_a = 0,
        "Covariance maps (Eq. 3) from sources[i] to targets[i], stacked by rows.");
}

}  // namespace lbw::python
