// SPDX-License-Identifier: MIT
#include "support/assignment_oracle.hpp"

#include <limits>
#include <utility>

namespace lbw::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index none = -1;

// Successive shortest augmenting paths with potentials (Jonker, Volgenant 1987; Crouse 2016). Rows
// are matched one by one, each along the shortest alternating path to a free column, with lengths
// cost(i, j) - row_potential(i) - column_potential(j), which stay >= 0.
class Solver {
 public:
  explicit Solver(const RowMatrix& cost)
      : cost_(cost),
        row_potentials_(Vector::Zero(cost.rows())),
        column_potentials_(Vector::Zero(cost.cols())),
        column_of_row_(static_cast<std::size_t>(cost.rows()), none),
        row_of_column_(static_cast<std::size_t>(cost.cols()), none) {}

  Assignment solve() {
    for (Index row = 0; row < cost_.rows(); ++row) {
      const Index free_column = search_from(row);
      if (free_column == none) return blocked();
      update_potentials(row);
      augment(row, free_column);
    }
    return {column_of_row_, row_potentials_, column_potentials_, {}, 0};
  }

 private:
  // Dijkstra's algorithm over columns. Strict comparisons in ascending order select the lowest
  // column in case of ties. Returns the free column that was reached, or none.
  Index search_from(Index start) {
    const auto n_columns = static_cast<std::size_t>(cost_.cols());
    path_lengths_.assign(n_columns, infinity);
    previous_rows_.assign(n_columns, none);
    column_done_.assign(n_columns, false);
    visited_rows_.clear();
    path_length_ = 0.0;
    for (Index row = start; row != none;) {
      visited_rows_.push_back(row);
      const Index column = nearest_column(row);
      if (column == none) return none;
      column_done_[at(column)] = true;
      path_length_ = path_lengths_[at(column)];
      row = row_of_column_[at(column)];
      if (row == none) return column;
    }
    return none;
  }

  // Extends paths through `row`, then returns the open column with the shortest path.
  Index nearest_column(Index row) {
    Index nearest = none;
    double shortest = infinity;
    for (Index column = 0; column < cost_.cols(); ++column) {
      if (column_done_[at(column)]) continue;
      const double length =
          path_length_ + (cost_(row, column) - row_potentials_[row] - column_potentials_[column]);
      if (length < path_lengths_[at(column)]) {
        path_lengths_[at(column)] = length;
        previous_rows_[at(column)] = row;
      }
      if (path_lengths_[at(column)] < shortest) {
        shortest = path_lengths_[at(column)];
        nearest = column;
      }
    }
    return nearest;
  }

  void update_potentials(Index start) {
    row_potentials_[start] += path_length_;
    for (const Index row : visited_rows_) {
      if (row == start) continue;
      row_potentials_[row] += path_length_ - path_lengths_[at(column_of_row_[at(row)])];
    }
    for (Index column = 0; column < cost_.cols(); ++column) {
      if (!column_done_[at(column)]) continue;
      column_potentials_[column] -= path_length_ - path_lengths_[at(column)];
    }
  }

  void augment(Index start, Index free_column) {
    Index column = free_column;
    Index row = none;
    while (row != start) {
      row = previous_rows_[at(column)];
      row_of_column_[at(column)] = row;
      std::swap(column, column_of_row_[at(row)]);
    }
  }

  // The rows of a failed search can reach only the columns that they hold and no free column: one
  // column fewer than rows (Hall's theorem).
  [[nodiscard]] Assignment blocked() const {
    Assignment result;
    std::vector<bool> is_blocked(static_cast<std::size_t>(cost_.rows()), false);
    for (const Index row : visited_rows_) is_blocked[at(row)] = true;
    for (Index row = 0; row < cost_.rows(); ++row) {
      if (is_blocked[at(row)]) result.blocked_rows.push_back(row);
    }
    result.n_columns_of_blocked_rows = static_cast<Index>(visited_rows_.size()) - 1;
    return result;
  }

  static std::size_t at(Index index) { return static_cast<std::size_t>(index); }

  const RowMatrix& cost_;
  Vector row_potentials_;
  Vector column_potentials_;
  std::vector<Index> column_of_row_;
  std::vector<Index> row_of_column_;

  // the latest search
  std::vector<double> path_lengths_;  // to each column
  std::vector<Index> previous_rows_;  // before each column on its shortest path
  std::vector<bool> column_done_;     // whether the shortest path is final
  std::vector<Index> visited_rows_;
  double path_length_ = 0.0;  // to the last finished column
};

}  // namespace

Assignment solve_assignment(const RowMatrix& cost) { return Solver(cost).solve(); }

}  // namespace lbw::oracle
