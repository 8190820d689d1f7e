// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

// _GLIBCXX_DEBUG changes the layout of the standard containers. A program compiled with it does not
// link to a library compiled without it, and the undefined symbol names the reason.
#ifdef _GLIBCXX_DEBUG
#define LBW_CONTAINERS the_library_was_built_with_GLIBCXX_DEBUG
#else
#define LBW_CONTAINERS the_library_was_built_without_GLIBCXX_DEBUG
#endif

namespace lbw {

extern const char LBW_CONTAINERS;
[[maybe_unused, gnu::used]] static const char* const containers_of_the_library = &LBW_CONTAINERS;

using Vector = MatrixOf<double, Order::vector>;
using Matrix = MatrixOf<double, Order::column_major>;
/// Samples, means and costs: one row each, row major as NumPy has it.
using RowMatrix = MatrixOf<double, Order::row_major>;
/// The same in single precision, accepted as input; every sum is double.
using RowMatrixF = MatrixOf<float, Order::row_major>;
/// One component or column number per row; -1 stands for none where a function says so.
using Labels = MatrixOf<int, Order::vector>;

// The layout must be the same in the library and in every program.
static_assert(
    sizeof(Vector) == 3 * sizeof(void*) && sizeof(RowMatrix) == 3 * sizeof(void*),
    "lbw's matrices must be a pointer and two numbers: Eigen has been extended by members");

}  // namespace lbw
