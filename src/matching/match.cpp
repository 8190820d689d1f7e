// SPDX-License-Identifier: MIT
#include <lbw/matching.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/message.hpp"
#include "matching/assignment.hpp"

namespace lbw {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_cost(const RowMatrix& cost) {
  require(cost.size() > 0, "match: cost is ", cost.rows(), " x ", cost.cols(),
          ", expected at least one row and one column");
  for (Index row = 0; row < cost.rows(); ++row) {
    for (Index column = 0; column < cost.cols(); ++column) {
      const double value = cost(row, column);
      if (value > -infinity) continue;  // false for NaN too
      throw InvalidArgument(message("match: cost(", row, ", ", column, ") is ",
                                    std::isnan(value) ? "nan" : "-infinity",
                                    ", expected a number or +infinity for a forbidden pair"));
    }
  }
}

// Costs of 1e300 would overflow when the solver adds them up. Past 2^900 all are taken 2^200 times
// smaller, which is exact but for costs below 1e-247, no digit of any sum with such large ones.
double scale_of(const RowMatrix& cost) {
  double largest = 0.0;
  for (const double value : cost.reshaped()) {
    if (value < infinity) largest = std::max(largest, std::abs(value));
  }
  return largest > 0x1p900 ? 0x1p200 : 1.0;
}

std::string list_of(const std::vector<Index>& numbers) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t i = 0; i < numbers.size() && i < most; ++i) {
    list += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  }
  return numbers.size() > most ? message(list, " and ", numbers.size() - most, " more") : list;
}

std::string counted(Index count, const std::string& noun) {
  return message(count, " ", noun, count == 1 ? "" : "s");
}

// `transposed`: what the solver calls rows are the caller's columns
NumericalError impossible(const Assignment& assignment, bool transposed) {
  const std::string row = transposed ? "column" : "row";
  const std::string column = transposed ? "row" : "column";
  return NumericalError(message(
      "match: cost leaves ", counted(std::ssize(assignment.blocked_rows), row), " (",
      list_of(assignment.blocked_rows), ") with ",
      counted(assignment.n_columns_of_blocked_rows, column),
      " that +infinity does not forbid, expected at least as many; allow more of these pairs"));
}

Labels labels_of(const Assignment& assignment, Index n_rows, bool transposed) {
  Labels matching = Labels::Constant(n_rows, -1);
  for (Index i = 0; i < std::ssize(assignment.column_of_row); ++i) {
    const Index partner = assignment.column_of_row[static_cast<std::size_t>(i)];
    matching[transposed ? partner : i] = static_cast<int>(transposed ? i : partner);
  }
  return matching;
}

// added up in the solver's scale: partial sums may overflow where the whole does not
double cost_of(const RowMatrix& cost, const Labels& matching, double scale) {
  double sum = 0.0;
  for (Index row = 0; row < matching.size(); ++row) {
    if (matching[row] >= 0) sum += cost(row, matching[row]) / scale;
  }
  return sum * scale;
}

}  // namespace

Matching match(const Eigen::Ref<const RowMatrix>& cost) {
  const RowMatrix costs = cost;
  check_cost(costs);
  const double scale = scale_of(costs);
  const bool transposed = costs.rows() > costs.cols();
  const RowMatrix scaled = costs / scale;
  const Assignment assignment =
      solve_assignment(transposed ? RowMatrix(scaled.transpose()) : scaled);
  if (!assignment.blocked_rows.empty()) throw impossible(assignment, transposed);
  const Labels matching = labels_of(assignment, costs.rows(), transposed);
  return {matching, cost_of(costs, matching, scale)};
}

}  // namespace lbw
