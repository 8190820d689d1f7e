// SPDX-License-Identifier: MIT
#include "device/neighbor_pass.hpp"

#include <algorithm>

namespace lbw {

std::vector<int> neighbors_across(const RowMatrix& points, const std::vector<bool>& halves,
                                  Index point, int n_neighbors) {
  Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(points.cols());
  for (Index f = 0; f < points.rows(); ++f) {
    squares += (points.row(f).transpose().array() - points(f, point)).square();
  }
  const auto in_other_half = [&](Index i) {
    return halves[static_cast<std::size_t>(i)] != halves[static_cast<std::size_t>(point)];
  };
  std::vector<double> others;
  for (Index i = 0; i < points.cols(); ++i) {
    if (in_other_half(i)) others.push_back(squares[i]);
  }
  const auto last = others.begin() + (n_neighbors - 1);
  std::nth_element(others.begin(), last, others.end());
  constexpr double rounding = 1e-10;  // of squares of distances that are equal in other units
  const double farthest = (1.0 + rounding) * *last;
  std::vector<int> neighbors;
  for (Index i = 0; i < points.cols(); ++i) {
    if (in_other_half(i) && squares[i] <= farthest) neighbors.push_back(static_cast<int>(i));
  }
  return neighbors;
}

}  // namespace lbw
