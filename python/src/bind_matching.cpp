// SPDX-License-Identifier: MIT
#include <nanobind/stl/pair.h>

#include <lbw/assignment.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

void bind_matching(nb::module_& m) {
  m.def(
      "match",
      [](const MatrixArray& cost) {
        const Eigen::Map<const RowMatrix> view(cost.data(), static_cast<Index>(cost.shape(0)),
                                               static_cast<Index>(cost.shape(1)));
        Matching matching;
        {
          const Unlocked unlocked;
          matching = match(view);
        }
        return std::pair(labels_to_numpy(matching.matching), matching.cost);
      },
      "cost"_a,
      "Compute a matching of least cost: the column of every row (-1 for none), and the cost.");
}

}  // namespace lbw::python
