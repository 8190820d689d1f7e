// SPDX-License-Identifier: MIT
#include <lbw/assignment.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "matching/assignment.hpp"
#include "matching/scan.hpp"

namespace lbw {

namespace {

[[noreturn]] void throw_invalid(const Eigen::Ref<const RowMatrix>& cost) {
  Index row = 0;
  Index column = 0;
  while (cost(row, column) > -infinity) {  // false for NaN too
    row += column + 1 == cost.cols() ? 1 : 0;
    column = (column + 1) % cost.cols();
  }
  throw InvalidArgument(message("match: cost(", row, ", ", column, ") is ",
                                std::isnan(cost(row, column)) ? "nan" : "-infinity",
                                ", expected a number or +infinity for a forbidden pair"));
}

// Returns the largest magnitude of the finite costs.
double checked_magnitude(const Eigen::Ref<const RowMatrix>& cost) {
  require(cost.size() > 0, "match: cost is ", cost.rows(), " x ", cost.cols(),
          ", expected at least one row and one column");
  double largest = 0.0;
  for (Index row = 0; row < cost.rows(); ++row) {
    const Extent extent = extent_of({cost.row(row).data(), to_size(cost.cols())});
    if (!extent.valid) throw_invalid(cost);
    largest = std::max(largest, extent.largest_magnitude);
  }
  return largest;
}

// Costs of 1e300 would overflow in sums. Above 2^900, all costs are divided by 2^200. This is exact
// except for costs below 1e-247, which do not affect sums with such large costs.
double scale_of(double largest_magnitude) { return largest_magnitude > 0x1p900 ? 0x1p200 : 1.0; }

// Copies the costs only if they must be transposed or scaled.
Assignment solve_scaled(const Eigen::Ref<const RowMatrix>& cost, double scale, bool transposed) {
  if (transposed) return solve_assignment(RowMatrix(cost.transpose() / scale));
  return scale == 1.0 ? solve_assignment(cost) : solve_assignment(RowMatrix(cost / scale));
}

std::string list_of(const std::vector<Index>& numbers) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t i = 0; i < numbers.size() && i < most; ++i) {
    list += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  }
  return numbers.size() > most ? message(list, " and ", numbers.size() - most, " more") : list;
}

// `transposed`: the solver's rows are the caller's columns
NumericalError impossible(const Assignment& assignment, bool transposed) {
  const std::string row = transposed ? "column" : "row";
  const std::string column = transposed ? "row" : "column";
  return NumericalError(message(
      "match: cost allows only ", counted(assignment.n_columns_of_blocked_rows, column), " for ",
      counted(std::ssize(assignment.blocked_rows), row), " (", list_of(assignment.blocked_rows),
      "), so there is no complete matching; allow more of these pairs"));
}

Labels labels_of(const Assignment& assignment, Index n_rows, bool transposed) {
  Labels matching = Labels::Constant(n_rows, -1);
  for (Index i = 0; i < std::ssize(assignment.column_of_row); ++i) {
    const Index partner = at(assignment.column_of_row, i);
    matching[transposed ? partner : i] = static_cast<int>(transposed ? i : partner);
  }
  return matching;
}

// summed in the solver's scale, because partial sums may overflow even if the total does not
double cost_of(const Eigen::Ref<const RowMatrix>& cost, const Labels& matching, double scale) {
  double sum = 0.0;
  for (Index row = 0; row < matching.size(); ++row) {
    if (matching[row] >= 0) sum += cost(row, matching[row]) / scale;
  }
  return sum * scale;
}

}  // namespace

Matching match(const MatrixView& view) {
  const Eigen::Ref<const RowMatrix> cost = view.values();
  const double scale = scale_of(checked_magnitude(cost));
  const bool transposed = cost.rows() > cost.cols();
  const Assignment assignment = solve_scaled(cost, scale, transposed);
  if (!assignment.blocked_rows.empty()) throw impossible(assignment, transposed);
  const Labels matching = labels_of(assignment, cost.rows(), transposed);
  const double total = cost_of(cost, matching, scale);
  if (!std::isfinite(total)) {
    throw NumericalError("match: the costs of the matching sum to infinity; scale the costs down");
  }
  return {matching, total};
}

}  // namespace lbw
