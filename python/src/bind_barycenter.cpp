// SPDX-License-Identifier: MIT
#include <lbw/gaussian.hpp>

#include "bind.hpp"
#include "gaussians.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

BarycenterResult barycenter_of_arrays(const MatrixArray& means, const CubeArray& covariances,
                                      const VectorArray& barycentric_weights,
                                      const BarycenterOptions& options) {
  const auto gaussians = gaussians_of(means, covariances, "barycenter");
  const Unlocked unlocked;
  return barycenter(gaussians, {barycentric_weights.data(), barycentric_weights.size()}, options);
}

}  // namespace

void bind_barycenter(nb::module_& m) {
  nb::class_<BarycenterOptions>(m, "BarycenterOptions", "Settings of Algorithm 1.")
      .def(nb::init<>())
      .def_rw("tolerance", &BarycenterOptions::tolerance)
      .def_rw("max_iterations", &BarycenterOptions::max_iterations);
  nb::class_<BarycenterResult>(m, "BarycenterResult", "A barycenter of Gaussians.")
      .def_prop_ro(
          "mean", [](const BarycenterResult& r) { return vector_to_numpy(r.barycenter.mean); },
          owned)
      .def_prop_ro(
          "covariance",
          [](const BarycenterResult& r) {
            return matrix_to_numpy(RowMatrix(r.barycenter.covariance));
          },
          owned)
      .def_ro("iterations", &BarycenterResult::iterations)
      .def_ro("residual", &BarycenterResult::residual)
      .def_ro("converged", &BarycenterResult::converged);
  m.def("barycenter_of_gaussians", &barycenter_of_arrays, "means"_a, "covariances"_a,
        "barycentric_weights"_a, "options"_a = BarycenterOptions{},
        "Bures-Wasserstein barycenter of Gaussians (Eq. 5-6).");
  m.def(
      "normalized_weights",
      [](const VectorArray& barycentric_weights) {
        const std::vector<double> weights =
            normalized_weights({barycentric_weights.data(), barycentric_weights.size()});
        return vector_to_numpy(Eigen::Map<const Vector>(weights.data(), std::ssize(weights)));
      },
      "barycentric_weights"_a, "Barycentric weights, divided by their sum.");
}

}  // namespace lbw::python
