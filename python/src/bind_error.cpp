// SPDX-License-Identifier: MIT
#include <lbw/types.hpp>

#include "bind.hpp"

namespace nb = nanobind;

namespace lbw::python {

// Later exceptions are tried first, so the base class precedes its subclasses.
void bind_error(nb::module_& m) {
  nb::exception<Error>(m, "Error", PyExc_RuntimeError);
  nb::exception<InvalidArgument>(m, "InvalidArgument", PyExc_ValueError);
  nb::exception<NumericalError>(m, "NumericalError", PyExc_ValueError);
  nb::exception<IoError>(m, "IoError", PyExc_OSError);
  nb::exception<UnsupportedDevice>(m, "UnsupportedDevice", PyExc_ValueError);
}

}  // namespace lbw::python
