// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>

#include <lbw/picture.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

void bind_silhouette(nb::module_& m) {
  const DensityOptions defaults;
  m.def(
      "point_density",
      [](const MatrixArray& points, Index size, double bandwidth) {
        const RowMatrix values = matrix_of(points);
        RowMatrix density;
        {
          const Unlocked unlocked;
          density = point_density(values, {}, {.size = size, .bandwidth = bandwidth});
        }
        return matrix_to_numpy(std::move(density));
      },
      "points"_a, "size"_a = defaults.size, "bandwidth"_a = defaults.bandwidth,
      "Estimate the density of points in the unit square on a square grid with a Gaussian kernel.");
  m.def(
      "otsu_threshold",
      [](const MatrixArray& picture) { return otsu_threshold(matrix_of(picture)); }, "picture"_a,
      "Otsu's threshold between dark and light values.");
}

}  // namespace lbw::python
