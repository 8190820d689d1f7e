// SPDX-License-Identifier: MIT
#include "matching/assignment.hpp"

#include <algorithm>
#include <span>

#include "core/indexing.hpp"
#include "matching/scan.hpp"

namespace lbw {

namespace {

// Shortest augmenting paths after an initial reduction (Jonker, Volgenant 1987). Only column
// potentials are stored; that of a row is its least cost(i, j) - column_potential(j), attained by
// its partner.
//   1. Column reduction: the potential of a column is its least cost, and the row of that cost
//      takes the column if it is free.
//   2. Augmenting row reduction: a row takes its cheapest column and lowers the potential until the
//      second cheapest is equally good; the previous row of the column looks for another one.
//   3. Remaining rows are matched along the shortest alternating path to a free column.
class Solver {
 public:
  explicit Solver(const Eigen::Ref<const RowMatrix>& cost)
      : cost_(cost),
        n_rows_(cost.rows()),
        n_columns_(to_size(cost.cols())),
        potentials_(n_columns_, 0.0),
        column_of_row_(to_size(cost.rows()), none),
        row_of_column_(n_columns_, none) {}

  Assignment solve() {
    // an unmatched column must keep potential 0, and it is not known yet which columns these are
    if (n_rows_ == cost_.cols()) reduce_columns();
    for (const Index row : reduce_rows()) {
      const Index free_column = search_from(row);
      if (free_column == none) return blocked();
      augment(free_column);
      update_potentials();
    }
    return result();
  }

 private:
  void reduce_columns() {
    std::vector<double> minima(n_columns_, infinity);
    std::vector<double> rows(n_columns_, 0.0);
    for (Index row = 0; row < n_rows_; ++row) {
      lower_minima(costs_of(row), static_cast<double>(row), minima, rows);
    }
    for (std::size_t column = 0; column < n_columns_; ++column) {
      if (minima[column] == infinity) continue;  // forbidden to all rows; the search reports it
      potentials_[column] = minima[column];
      const auto row = static_cast<Index>(rows[column]);
      if (column_of_row_[to_size(row)] == none) join(row, static_cast<Index>(column));
    }
  }

  [[nodiscard]] std::vector<Index> rows_without_column() const {
    std::vector<Index> rows;
    for (Index row = 0; row < n_rows_; ++row) {
      if (column_of_row_[to_size(row)] == none) rows.push_back(row);
    }
    return rows;
  }

  // Returns the rows that found no column. The number of steps is limited, because rows may outbid
  // each other in small steps, and the search is then faster.
  std::vector<Index> reduce_rows() {
    constexpr Index steps_per_row = 4;
    Index steps_left = steps_per_row * n_rows_;
    std::vector<Index> rows_left;
    for (const Index start : rows_without_column()) {
      for (Index row = start; row != none;) {
        const Index displaced = steps_left-- > 0 ? place(row) : row;
        if (displaced == row) rows_left.push_back(row);
        row = displaced == row ? none : displaced;
      }
    }
    return rows_left;
  }

  // Assigns the cheapest column to the row. Returns the previous row of the column, none if it was
  // free, or `row` itself if the assignment fails.
  Index place(Index row) {
    const TwoLeast cheapest = two_least(costs_of(row), potentials_);
    if (cheapest.column == none) return row;
    double& potential = potentials_[to_size(cheapest.column)];
    const double lowered = potential - (cheapest.second - cheapest.least);
    const Index owner = row_of_column_[to_size(cheapest.column)];
    if (cheapest.second == infinity && owner == none) {  // its only column
      join(row, cheapest.column);
      return none;
    }
    if (cheapest.second == infinity) return row;
    if (lowered < potential) {
      potential = lowered;
      if (owner != none) column_of_row_[to_size(owner)] = none;
      join(row, cheapest.column);
      return owner;
    }
    const Index free_column = free_column_at(row, cheapest.least);
    if (free_column == none) return row;
    join(row, free_column);
    return none;
  }

  // The lowest free column of this reduced cost, or none.
  [[nodiscard]] Index free_column_at(Index row, double reduced_cost) const {
    const std::span<const double> costs = costs_of(row);
    for (std::size_t column = 0; column < n_columns_; ++column) {
      if (row_of_column_[column] == none && costs[column] - potentials_[column] == reduced_cost) {
        return static_cast<Index>(column);
      }
    }
    return none;
  }

  // Dijkstra's algorithm over columns. A finished column gets the potential -infinity, which
  // excludes it. Returns the free column that was reached, or none.
  Index search_from(Index start) {
    open_potentials_ = potentials_;
    lengths_.assign(n_columns_, infinity);
    rows_.clear();
    columns_.clear();
    path_length_ = -infinity;
    double offset = 0.0;
    for (Index row = start;;) {
      rows_.push_back({row, offset});
      const Nearest nearest = nearest_column(row, offset);
      if (nearest.column == none) return none;
      path_length_ = nearest.length;
      row = row_of_column_[to_size(nearest.column)];
      if (row == none) return nearest.column;
      columns_.push_back(nearest);
      open_potentials_[to_size(nearest.column)] = -infinity;
      lengths_[to_size(nearest.column)] = infinity;
      offset = cost_(row, nearest.column) - potentials_[to_size(nearest.column)] - path_length_;
    }
  }

  // Extends paths through `row`, then returns the open column with the shortest path. If lengths
  // are tied, a free column ends the search at once.
  Nearest nearest_column(Index row, double offset) {
    const Nearest nearest = relax(costs_of(row), open_potentials_, offset, lengths_);
    if (nearest.column == none || nearest.length != path_length_) return nearest;
    for (std::size_t column = to_size(nearest.column); column < n_columns_; ++column) {
      if (row_of_column_[column] == none && lengths_[column] == nearest.length) {
        return {nearest.length, static_cast<Index>(column)};
      }
    }
    return nearest;
  }

  // Predecessors are not stored, because paths are short and searches are long. The predecessor is
  // the first row that gives exactly this length.
  [[nodiscard]] std::size_t row_before(const Nearest& end) const {
    const double potential = potentials_[to_size(end.column)];
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const SearchedRow& searched) {
      return cost_(searched.row, end.column) - potential - searched.offset == end.length;
    });
    return to_size(found - rows_.begin());
  }

  void augment(Index free_column) {
    Nearest end{path_length_, free_column};
    for (;;) {
      const std::size_t place = row_before(end);
      join(rows_[place].row, end.column);
      if (place == 0) return;
      end = columns_[place - 1];  // the previous column of the row
    }
  }

  void update_potentials() {
    for (const Nearest& done : columns_) {
      potentials_[to_size(done.column)] -= std::max(0.0, path_length_ - done.length);
    }
  }

  void join(Index row, Index column) {
    column_of_row_[to_size(row)] = column;
    row_of_column_[to_size(column)] = row;
  }

  [[nodiscard]] Assignment result() const {
    Assignment result{column_of_row_, Vector(n_rows_), Vector(cost_.cols()), {}, 0};
    // for a square matrix only sums of potentials matter, so the largest may be shifted to 0
    const double largest =
        n_rows_ == cost_.cols() ? *std::max_element(potentials_.begin(), potentials_.end()) : 0.0;
    for (Index column = 0; column < cost_.cols(); ++column) {
      result.column_potentials[column] = potentials_[to_size(column)] - largest;
    }
    for (Index row = 0; row < n_rows_; ++row) {
      const Index column = column_of_row_[to_size(row)];
      result.row_potentials[row] = cost_(row, column) - result.column_potentials[column];
    }
    return result;
  }

  // The rows of a failed search can reach only the columns that they hold and no free column: one
  // column fewer than rows (Hall's theorem).
  [[nodiscard]] Assignment blocked() const {
    Assignment result;
    for (const SearchedRow& searched : rows_) result.blocked_rows.push_back(searched.row);
    std::sort(result.blocked_rows.begin(), result.blocked_rows.end());
    result.n_columns_of_blocked_rows = std::ssize(rows_) - 1;
    return result;
  }

  [[nodiscard]] std::span<const double> costs_of(Index row) const {
    return {cost_.row(row).data(), n_columns_};
  }

  const Eigen::Ref<const RowMatrix>& cost_;
  const Index n_rows_;
  const std::size_t n_columns_;
  std::vector<double> potentials_;  // of columns
  std::vector<Index> column_of_row_;
  std::vector<Index> row_of_column_;

  struct SearchedRow {
    Index row = none;
    double offset = 0.0;  // path length = reduced cost - offset
  };

  // the latest search
  std::vector<double> open_potentials_;  // of columns that are not finished
  std::vector<double> lengths_;          // to each open column
  std::vector<SearchedRow> rows_;        // in order
  std::vector<Nearest> columns_;         // finished; columns_[i] led to rows_[i + 1]
  double path_length_ = 0.0;             // to the last finished column
};

}  // namespace

Assignment solve_assignment(const Eigen::Ref<const RowMatrix>& cost) {
  return Solver(cost).solve();
}

}  // namespace lbw
