// SPDX-License-Identifier: MIT
#include <lbw/assignment.hpp>
#include <lbw/types.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/indexing.hpp"
#include "matching/assignment.hpp"
#include "matching/scan.hpp"

namespace lbw {

namespace {

// Any other matching differs from the best one by cycles: row i takes the column of row i', which
// takes that of the next row. With the reduced costs of the best matching, a step i -> i' has a
// length >= 0, and the length of a cycle is its additional cost. The runner-up is therefore the
// shortest cycle. All unmatched columns form one more node, like a last row of zero cost that holds
// them.
class CycleSearch {
 public:
  CycleSearch(const RowMatrix& cost, const Assignment& best)
      : best_(best),
        n_rows_(cost.rows()),
        lengths_(RowMatrix::Constant(n_nodes(cost), n_nodes(cost), infinity)),
        free_column_(to_size(n_rows_), none) {
    for (Index row = 0; row < n_rows_; ++row) set_lengths_from(row, cost);
    if (lengths_.rows() == n_rows_) return;
    for (Index row = 0; row < n_rows_; ++row) {
      lengths_(n_rows_, row) = std::max(0.0, -best.column_potentials[column_of(row)]);
    }
  }

  /// The nodes of the shortest cycle in order; empty if there is none.
  [[nodiscard]] std::vector<Index> shortest_cycle() {
    std::vector<Index> shortest;
    double bound = infinity;
    // a cycle is found from its lowest node, so nodes below the start are excluded
    for (Index start = 0; start < lengths_.rows(); ++start) {
      const Index last = search_from(start, bound);
      if (last != none) shortest = path_to(last);
    }
    return shortest;
  }

  /// The column that `row` takes if `next` is the next node of the cycle.
  [[nodiscard]] Index column_taken(Index row, Index next) const {
    return next < n_rows_ ? column_of(next) : free_column_[to_size(row)];
  }

 private:
  static Index n_nodes(const RowMatrix& cost) {
    return cost.rows() + (cost.cols() > cost.rows() ? 1 : 0);
  }

  void set_lengths_from(Index row, const RowMatrix& cost) {
    std::vector<Index> node_of_column(to_size(cost.cols()), n_rows_);
    for (Index other = 0; other < n_rows_; ++other)
      node_of_column[to_size(column_of(other))] = other;
    for (Index column = 0; column < cost.cols(); ++column) {
      const Index node = node_of_column[to_size(column)];
      if (node == row || cost(row, column) == infinity) continue;
      const double reduced =
          std::max(0.0, cost(row, column) - best_.row_potentials[row] -
                            best_.column_potentials[column]);  // negative only by rounding
      if (reduced >= lengths_(row, node)) continue;
      lengths_(row, node) = reduced;
      if (node == n_rows_) free_column_[to_size(row)] = column;
    }
  }

  // Dijkstra's search for a cycle through the start that is shorter than `bound`, which becomes its
  // length. Returns the node before the start, or none.
  Index search_from(Index start, double& bound) {
    const Index n = lengths_.rows();
    std::vector<double> distance(to_size(n), infinity);
    std::vector<bool> done(to_size(n), false);
    std::vector<Index> before(to_size(n), none);
    Index last = none;
    double reached = 0.0;
    for (Index node = start; node != none && reached < bound;) {
      done[to_size(node)] = true;
      if (node != start && reached + lengths_(node, start) < bound) {
        bound = reached + lengths_(node, start);
        last = node;
      }
      Index nearest = none;
      for (Index next = start + 1; next < n; ++next) {
        if (done[to_size(next)]) continue;
        const double length = reached + lengths_(node, next);
        if (length < distance[to_size(next)]) {
          distance[to_size(next)] = length;
          before[to_size(next)] = node;
        }
        if (distance[to_size(next)] < (nearest == none ? infinity : distance[to_size(nearest)]))
          nearest = next;
      }
      node = nearest;
      reached = nearest == none ? infinity : distance[to_size(nearest)];
    }
    if (last != none) before_ = std::move(before);
    return last;
  }

  [[nodiscard]] std::vector<Index> path_to(Index last) const {
    std::vector<Index> path;
    for (Index node = last; node != none; node = before_[to_size(node)]) path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
  }

  [[nodiscard]] Index column_of(Index row) const { return best_.column_of_row[to_size(row)]; }

  const Assignment& best_;
  const Index n_rows_;
  RowMatrix lengths_;               // from node to node
  std::vector<Index> free_column_;  // the cheapest unmatched column of each row
  std::vector<Index> before_;       // of the search that found the shortest cycle so far
};

/// Each row of the cycle takes the column of the next; `cost` has no more rows than columns.
RunnerUp along_cycle(const RowMatrix& cost, const Assignment& best, const CycleSearch& search,
                     const std::vector<Index>& cycle) {
  RunnerUp result{Labels(cost.rows()), 0.0};
  for (Index row = 0; row < cost.rows(); ++row) {
    result.matching[row] = static_cast<int>(best.column_of_row[to_size(row)]);
  }
  double gap = 0.0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle[i] == cost.rows()) continue;  // the node of unmatched columns is not a row
    const Index column = search.column_taken(cycle[i], cycle[(i + 1) % cycle.size()]);
    gap += cost(cycle[i], column) - cost(cycle[i], result.matching[cycle[i]]);
    result.matching[cycle[i]] = static_cast<int>(column);
  }
  result.gap = std::max(0.0, gap);
  return result;
}

Labels inverted(const Labels& matching, Index n_columns) {
  Labels inverse = Labels::Constant(n_columns, -1);
  for (Index row = 0; row < matching.size(); ++row) inverse[matching[row]] = static_cast<int>(row);
  return inverse;
}

/// A power of two near the largest magnitude: sums of costs divided by it are finite.
double scale_of(const RowMatrix& cost) {
  const double largest =
      cost.unaryExpr([](double c) { return std::isfinite(c) ? std::abs(c) : 0.0; }).maxCoeff();
  return largest > 0x1p900 ? 0x1p200 : 1.0;
}

}  // namespace

RunnerUp runner_up(const MatrixView& view) {
  const auto cost = view.values();
  (void)match(cost);  // throws if there is no matching
  const bool transposed = cost.rows() > cost.cols();
  RowMatrix turned = cost;
  if (transposed) turned = cost.transpose();
  const double scale = scale_of(turned);
  turned /= scale;
  const Assignment best = solve_assignment(turned);
  CycleSearch search(turned, best);
  const std::vector<Index> cycle = search.shortest_cycle();
  if (cycle.empty()) return {Labels(), infinity};
  RunnerUp result = along_cycle(turned, best, search, cycle);
  result.gap *= scale;
  if (!std::isfinite(result.gap)) {
    throw NumericalError("runner_up: the gap of two matchings overflows; scale the costs down");
  }
  if (transposed) result.matching = inverted(result.matching, turned.cols());
  return result;
}

}  // namespace lbw
