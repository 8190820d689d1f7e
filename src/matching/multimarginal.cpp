// SPDX-License-Identifier: MIT
#include "matching/multimarginal.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>

#include "core/indexing.hpp"

namespace lbw {

namespace {

/// The costs of tuples, and the search for a tuple of negative reduced cost.
class TupleCosts {
 public:
  TupleCosts(std::span<const Vector> weights, const GroupCosts& cost, double most_tuples)
      : n_groups_(weights.size()),
        costs_(n_groups_ * n_groups_),
        near_(n_groups_),
        tails_(n_groups_) {
    for (std::size_t a = 0; a < n_groups_; ++a) {
      for (std::size_t b = a + 1; b < n_groups_; ++b) {
        costs_[a * n_groups_ + b] = cost(static_cast<Index>(a), static_cast<Index>(b));
        largest_ = std::max(largest_, costs_[a * n_groups_ + b].cwiseAbs().maxCoeff());
      }
    }
    find_near(weights, most_tuples);
  }

  [[nodiscard]] double largest() const { return largest_; }

  [[nodiscard]] double of(const std::vector<int>& tuple) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < n_groups_; ++a) {
      for (std::size_t b = a + 1; b < n_groups_; ++b) sum += between(a, b)(tuple[a], tuple[b]);
    }
    return sum;
  }

  struct Candidate {
    std::vector<int> tuple;
    double reduced_cost = 0.0;
  };

  /// The tuple of least reduced cost among those with component `first` of the first group.
  Candidate cheapest(int first, const std::vector<Vector>& potentials) {
    best_.reduced_cost = std::numeric_limits<double>::infinity();
    tuple_.assign(n_groups_, 0);
    tuple_[0] = first;
    tails_[0] = between(0, n_groups_ - 1).row(first).transpose() - potentials.back();
    search(1, -potentials[0][first], potentials);
    return best_;
  }

 private:
  [[nodiscard]] const RowMatrix& between(std::size_t a, std::size_t b) const {
    return costs_[a * n_groups_ + b];
  }

  /// Selects the candidate components of the groups between the first and the last: as many per
  /// group as keep the number of tuples at most `most`, and at least one.
  void find_near(std::span<const Vector> weights, double most) {
    most /= static_cast<double>(weights.front().size() * weights.back().size());
    for (std::size_t g = 1; g + 1 < n_groups_; ++g) {
      const auto groups_left = static_cast<double>(n_groups_ - 1 - g);
      const Index count = std::clamp<Index>(
          static_cast<Index>(std::pow(most, 1.0 / groups_left) + 1e-9), 1, weights[g].size());
      most /= static_cast<double>(count);
      for (Index first = 0; first < weights.front().size(); ++first) {
        near_[g].push_back(cheapest_columns(between(0, g).row(first), count));
      }
    }
  }

  /// The columns of the lowest costs, ascending.
  static std::vector<int> cheapest_columns(const Eigen::Ref<const Eigen::RowVectorXd>& costs,
                                           Index count) {
    std::vector<int> columns(to_size(costs.size()));
    std::iota(columns.begin(), columns.end(), 0);
    std::stable_sort(columns.begin(), columns.end(),
                     [&](int left, int right) { return costs[left] < costs[right]; });
    columns.resize(to_size(count));
    std::sort(columns.begin(), columns.end());
    return columns;
  }

  /// `sum` is the reduced cost between the members of groups before `group`; the tail has the costs
  /// of each component of the last group with them.
  void search(std::size_t group, double sum, const std::vector<Vector>& potentials) {
    const Vector& tail = tails_[group - 1];
    if (group + 1 == n_groups_) {
      Index last = 0;
      const double reduced = sum + tail.minCoeff(&last);
      if (reduced >= best_.reduced_cost) return;
      tuple_[group] = static_cast<int>(last);
      best_ = {tuple_, reduced};
      return;
    }
    for (const int i : at(near_[group], tuple_[0])) {
      double next = sum - potentials[group][i];
      for (std::size_t before = 0; before < group; ++before) {
        next += between(before, group)(tuple_[before], i);
      }
      tuple_[group] = i;
      tails_[group] = tail + between(group, n_groups_ - 1).row(i).transpose();
      search(group + 1, next, potentials);
    }
  }

  std::size_t n_groups_;
  std::vector<RowMatrix> costs_;  // of groups a < b
  // near_[g][first]: candidate components of group g for a component of the first group
  std::vector<std::vector<std::vector<int>>> near_;
  double largest_ = 0.0;
  std::vector<int> tuple_;     // of the current search
  std::vector<Vector> tails_;  // of the current search
  Candidate best_;
};

// The revised simplex method. There is a row for every component of every group, except for the
// last component of each group after the first, whose weight follows from the others. The column of
// a tuple has ones in the rows of its members. If weights are equal, the start has too few tuples;
// variations of its first tuple, in which one member is replaced, complete the basis.
//
// With equal weights, many masses of the basis may be 0, and steps that move no mass may cycle.
// Every tuple of the start therefore gets a small and different additional mass, which is included
// in the sums. The optimal basis for these sums is also optimal for the true ones, from which the
// final masses are computed.
class MultimarginalSimplex {
 public:
  MultimarginalSimplex(std::span<const Vector> weights, const GroupCosts& cost,
                       const std::vector<MassTuple>& start, double most_tuples)
      : weights_(weights), costs_(weights, cost, most_tuples) {
    for (std::size_t g = 0; g < weights.size(); ++g) {
      first_row_.push_back(n_rows_);
      n_rows_ += weights[g].size() - (g == 0 ? 0 : 1);
    }
    find_right_side();
    for (const MassTuple& tuple : start) starting_.push_back(tuple.components);
    add_variations(start.front().components);
  }

  MultimarginalPlan solve() {
    invert(starting_);
    add_a_little();
    const auto n_slices = static_cast<Index>(weights_[0].size());
    Index unchanged = 0;
    for (Index slice = 0; unchanged < n_slices; slice = slice + 1 == n_slices ? 0 : slice + 1) {
      const auto candidate = costs_.cheapest(static_cast<int>(slice), potentials());
      const bool enters = candidate.reduced_cost < -1e-12 * costs_.largest();
      unchanged = enters ? 0 : unchanged + 1;
      if (enters) enter(candidate.tuple);
    }
    right_side_ = true_right_side_;
    invert(std::vector<Column>(basis_));
    return result();
  }

 private:
  using Column = std::vector<int>;  // a tuple

  /// -1 for components without a row.
  [[nodiscard]] Index row_of(std::size_t group, int component) const {
    if (group > 0 && component + 1 == weights_[group].size()) return -1;
    return first_row_[group] + component;
  }

  void find_right_side() {
    true_right_side_.resize(n_rows_);
    for (std::size_t g = 0; g < weights_.size(); ++g) {
      const double scale = weights_[0].sum() / weights_[g].sum();
      for (Index i = 0; i < weights_[g].size(); ++i) {
        const Index row = row_of(g, static_cast<int>(i));
        if (row >= 0) true_right_side_[row] = scale * weights_[g][i];
      }
    }
    right_side_ = true_right_side_;
  }

  /// Adds variations that, together with the tuple itself, span all columns.
  void add_variations(const Column& tuple) {
    for (std::size_t g = 0; g < weights_.size(); ++g) {
      for (Index i = 0; i < weights_[g].size(); ++i) {
        starting_.push_back(tuple);
        starting_.back()[g] = static_cast<int>(i);
      }
    }
  }

  void add_a_little() {
    Random random(0);
    const double little = 1e-11 * right_side_.sum() / static_cast<double>(n_rows_);
    for (const Column& column : basis_) {
      const double more = little * (1.0 + random.uniform());
      for (std::size_t g = 0; g < column.size(); ++g) {
        if (const Index row = row_of(g, column[g]); row >= 0) right_side_[row] += more;
      }
    }
    find_values();
  }

  /// The inverse of the basis times the column of a tuple.
  [[nodiscard]] Vector direction_of(const Column& tuple) const {
    Vector direction = Vector::Zero(n_rows_);
    for (std::size_t g = 0; g < tuple.size(); ++g) {
      if (const Index row = row_of(g, tuple[g]); row >= 0) direction += inverse_.col(row);
    }
    return direction;
  }

  /// Inserts a column into the basis at `row`.
  void pivot(Index row, Vector direction, Column column) {
    const Eigen::RowVectorXd scaled = inverse_.row(row) / direction[row];
    direction[row] = 0.0;
    inverse_.noalias() -= direction * scaled;
    inverse_.row(row) = scaled;
    at(basis_, row) = std::move(column);
  }

  /// Recomputes the inverse from columns; linearly dependent ones are omitted.
  void invert(const std::vector<Column>& columns) {
    inverse_ = Matrix::Identity(n_rows_, n_rows_);
    basis_.assign(to_size(n_rows_), {});
    for (const Column& column : columns) {
      const Vector direction = direction_of(column);
      Index row = -1;
      for (Index i = 0; i < n_rows_; ++i) {
        if (!at(basis_, i).empty()) continue;
        if (row < 0 || std::abs(direction[i]) > std::abs(direction[row])) row = i;
      }
      if (row >= 0 && std::abs(direction[row]) > independent) pivot(row, direction, column);
    }
    n_pivots_ = 0;
    find_values();
  }

  /// Computes the masses of the basis, with one step of iterative refinement.
  void find_values() {
    values_ = inverse_ * right_side_;
    Vector lacking = right_side_;
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      for (std::size_t g = 0; g < basis_[i].size(); ++g) {
        const Index row = row_of(g, basis_[i][g]);
        if (row >= 0) lacking[row] -= values_[static_cast<Index>(i)];
      }
    }
    values_ += inverse_ * lacking;
  }

  /// The row whose column becomes empty first when mass moves in this direction.
  [[nodiscard]] Index leaving_row(const Vector& direction) const {
    Index leaving = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n_rows_; ++i) {
      if (direction[i] <= independent || values_[i] >= least * direction[i]) continue;
      leaving = i;
      least = values_[i] / direction[i];
    }
    return leaving;
  }

  void enter(const Column& tuple) {
    const Vector direction = direction_of(tuple);
    const Index row = leaving_row(direction);
    if (row < 0 || ++n_steps_ > 10'000 + 1000 * n_rows_) {
      throw NumericalError(
          "couple: the multimarginal program does not converge; set coupling to plan");
    }
    const double step = std::max(0.0, values_[row] / direction[row]);
    values_ -= step * direction;
    values_[row] = step;
    pivot(row, direction, tuple);
    if (++n_pivots_ == pivots_per_inverse) invert(std::vector<Column>(basis_));
  }

  /// By group; 0 for components without a row.
  [[nodiscard]] std::vector<Vector> potentials() const {
    Vector costs = Vector::Zero(n_rows_);
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      costs[static_cast<Index>(i)] = costs_.of(basis_[i]);
    }
    const Vector by_row = inverse_.transpose() * costs;
    std::vector<Vector> potentials;
    for (std::size_t g = 0; g < weights_.size(); ++g) {
      potentials.push_back(Vector::Zero(weights_[g].size()));
      for (Index i = 0; i < weights_[g].size(); ++i) {
        if (const Index row = row_of(g, static_cast<int>(i)); row >= 0) {
          potentials.back()[i] = by_row[row];
        }
      }
    }
    return potentials;
  }

  /// Omits masses that are negative by rounding.
  [[nodiscard]] MultimarginalPlan result() const {
    MultimarginalPlan plan{{}, potentials()};
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      const double mass = values_[static_cast<Index>(i)];
      if (mass > no_mass) plan.tuples.push_back({basis_[i], mass});
    }
    std::sort(plan.tuples.begin(), plan.tuples.end(),
              [](const MassTuple& left, const MassTuple& right) {
                return left.components < right.components;
              });
    return plan;
  }

  static constexpr double independent = 1e-9;  // entries of a direction are small fractions or 0
  static constexpr double no_mass = 1e-15;
  static constexpr int pivots_per_inverse = 100;

  std::span<const Vector> weights_;
  TupleCosts costs_;
  std::vector<Index> first_row_;  // of each group
  Index n_rows_ = 0;
  Vector right_side_;
  Vector true_right_side_;  // without the additional masses
  std::vector<Column> starting_;
  std::vector<Column> basis_;  // by row; entries are empty during construction
  Matrix inverse_;
  Vector values_;
  int n_pivots_ = 0;  // since the inverse was computed
  Index n_steps_ = 0;
};

}  // namespace

MultimarginalPlan multimarginal_plan(std::span<const Vector> weights, const GroupCosts& cost,
                                     const std::vector<MassTuple>& start, double most_tuples) {
  return MultimarginalSimplex(weights, cost, start, most_tuples).solve();
}

}  // namespace lbw
