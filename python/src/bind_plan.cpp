// SPDX-License-Identifier: MIT
#include <nanobind/stl/pair.h>

#include <lbw/assignment.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "interpreter_lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

std::pair<MatrixOut, double> dense_plan(const MatrixArray& cost, const VectorArray& row_masses,
                                        const VectorArray& column_masses) {
  const RowMatrix costs = matrix_of(cost);
  RowMatrix dense = RowMatrix::Zero(costs.rows(), costs.cols());
  Plan plan;
  {
    const Unlocked unlocked;
    plan = transport_plan(costs, vector_of(row_masses), vector_of(column_masses));
  }
  for (const PlanEntry& entry : plan.entries) dense(entry.row, entry.column) = entry.mass;
  return {matrix_to_numpy(std::move(dense)), plan.cost};
}

}  // namespace

void bind_plan(nb::module_& m) {
  m.def("transport_plan", &dense_plan, "cost"_a, "row_masses"_a, "column_masses"_a,
        "Compute an optimal transport plan, as a matrix, and its cost.");
}

}  // namespace lbw::python
