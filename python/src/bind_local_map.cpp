// SPDX-License-Identifier: MIT
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <lbw/quantile.hpp>
#include <lbw/transport.hpp>

#include "arrays.hpp"
#include "bind.hpp"

namespace nb = nanobind;

namespace lbw::python {

// The content of a map is read by exports to other formats. It cannot be changed.
void bind_local_map(nb::module_& m) {
  nb::class_<MapPiece>(m, "MapPiece", "One affine piece of a local map.")
      .def_ro("component", &MapPiece::component)
      .def_ro("share", &MapPiece::share)
      .def_prop_ro(
          "source_mean", [](const MapPiece& self) { return vector_to_numpy(self.map.source_mean); },
          owned)
      .def_prop_ro(
          "matrix",
          [](const MapPiece& self) { return matrix_to_numpy(RowMatrix(self.map.matrix)); }, owned)
      .def_prop_ro(
          "target_mean", [](const MapPiece& self) { return vector_to_numpy(self.map.target_mean); },
          owned);
  nb::class_<SlicedStep>(m, "SlicedStep", "One step of a refinement: a rotation, and axes.")
      .def_prop_ro(
          "rotation",
          [](const SlicedStep& self) { return matrix_to_numpy(RowMatrix(self.rotation)); }, owned)
      .def_prop_ro(
          "scales", [](const SlicedStep& self) { return vector_to_numpy(self.scales); }, owned)
      .def_ro("axes", &SlicedStep::axes);
  nb::class_<LocalMap>(m, "LocalMap", "A piecewise affine map by components of the source (Eq. 9).")
      .def_ro("source", &LocalMap::source)
      .def_ro("pieces", &LocalMap::pieces)
      .def_prop_ro("kind", [](const LocalMap& self) { return to_string(self.kind); })
      .def_prop_ro("dithers", &LocalMap::dithers)
      .def_ro("refinement", &LocalMap::refinement)
      .def_ro("amount", &LocalMap::amount);
}

}  // namespace lbw::python
