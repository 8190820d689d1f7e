// SPDX-License-Identifier: MIT
#include <lbw/assignment.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "matching/scan.hpp"
#include "matching/transport_simplex.hpp"

namespace lbw {

namespace {

void check_masses(const Vector& masses, Index expected_size, const char* argument) {
  require(masses.size() == expected_size, "transport_plan: ", argument, " has ",
          counted(masses.size(), "entry"), ", expected ", expected_size, " (the shape of cost)");
  for (Index i = 0; i < masses.size(); ++i) {
    require(masses[i] >= 0.0 && std::isfinite(masses[i]), "transport_plan: ", argument, "[", i,
            "] is ", masses[i], ", expected a finite number >= 0");
  }
  require(masses.sum() > 0.0 && std::isfinite(masses.sum()), "transport_plan: ", argument,
          " sum to ", masses.sum(), ", expected a finite sum > 0");
}

void check_arguments(const Eigen::Ref<const RowMatrix>& cost, const Vector& row_masses,
                     const Vector& column_masses) {
  require(cost.size() > 0, "transport_plan: cost is ", cost.rows(), " x ", cost.cols(),
          ", expected at least one row and one column");
  check_masses(row_masses, cost.rows(), "row_masses");
  check_masses(column_masses, cost.cols(), "column_masses");
  const double row_sum = row_masses.sum();
  const double column_sum = column_masses.sum();
  require(std::abs(row_sum - column_sum) <= 1e-9 * row_sum, "transport_plan: row_masses sum to ",
          row_sum, " and column_masses to ", column_sum, ", expected equal sums within 1e-9");
  for (Index row = 0; row < cost.rows(); ++row) {
    for (Index column = 0; column < cost.cols(); ++column) {
      require(std::isfinite(cost(row, column)), "transport_plan: cost(", row, ", ", column, ") is ",
              cost(row, column), ", expected a finite number");
    }
  }
}

/// Rows or columns of positive mass, with integer masses.
struct WholeSide {
  std::vector<Index> places;  ///< indices in the caller's order
  std::vector<WholeMass> masses;

  WholeSide(const Vector& given, double factor, int shift) {
    for (Index i = 0; i < given.size(); ++i) {
      const auto mass = static_cast<WholeMass>(std::ldexp(given[i] * factor, shift));
      if (mass == 0) continue;
      places.push_back(i);
      masses.push_back(mass);
    }
  }

  [[nodiscard]] WholeMass sum() const {
    WholeMass sum = 0;
    for (const WholeMass mass : masses) sum += mass;
    return sum;
  }

  /// Adds the rounding difference to the largest mass.
  void make_sum(WholeMass wanted) {
    *std::max_element(masses.begin(), masses.end()) += wanted - sum();
  }
};

// Prevents overflow in differences of the largest doubles.
double reducing_scale(const Eigen::Ref<const RowMatrix>& cost) {
  return cost.cwiseAbs().maxCoeff() > 0x1p1000 ? 0.25 : 1.0;
}

// Subtracts the minimum of each row and then of each column. The optimal plans do not change, and
// the largest cost, which limits the resolution of the others, becomes smaller.
RowMatrix reduced_costs(const Eigen::Ref<const RowMatrix>& cost, const WholeSide& rows,
                        const WholeSide& columns) {
  const double scale = reducing_scale(cost);
  RowMatrix reduced(std::ssize(rows.places), std::ssize(columns.places));
  for (Index i = 0; i < reduced.rows(); ++i) {
    for (Index j = 0; j < reduced.cols(); ++j) {
      reduced(i, j) = scale * cost(at(rows.places, i), at(columns.places, j));
    }
  }
  reduced.colwise() -= reduced.rowwise().minCoeff().eval();
  reduced.rowwise() -= reduced.colwise().minCoeff().eval();
  return reduced;
}

/// The power of two that scales the costs to this number of bits.
int cost_shift(const RowMatrix& cost, int bits) {
  int exponent = 0;
  (void)std::frexp(cost.maxCoeff(), &exponent);
  return bits - exponent;
}

WholeCosts whole_costs(const RowMatrix& cost, int shift) {
  WholeCosts whole(cost.rows(), cost.cols());
  for (Index i = 0; i < cost.size(); ++i) {
    whole.data()[i] = std::llround(std::ldexp(cost.data()[i], shift));
  }
  return whole;
}

WideCosts wide_costs(const RowMatrix& cost, int shift) {
  WideCosts wide{cost.rows(), cost.cols(), {}};
  for (Index i = 0; i < cost.size(); ++i) {
    wide.values.push_back(static_cast<__int128>(std::nearbyint(std::ldexp(cost.data()[i], shift))));
  }
  return wide;
}

/// The largest power of two by which masses of this sum can be multiplied.
int mass_shift(double sum, Index n_rows) {
  int exponent = 0;
  (void)std::frexp(sum, &exponent);
  return most_mass_bits(n_rows) - 1 - exponent;
}

/// The transport problem and the rounding of its costs.
class Problem {
 public:
  Problem(const Eigen::Ref<const RowMatrix>& cost, const Vector& row_masses,
          const Vector& column_masses)
      : cost_(cost),
        total_mass_(row_masses.sum()),
        mass_shift_(mass_shift(total_mass_, cost.rows())),
        rows_(row_masses, 1.0, mass_shift_),
        columns_(column_masses, total_mass_ / column_masses.sum(), mass_shift_) {
    columns_.make_sum(rows_.sum());
    reduced_ = reduced_costs(cost, rows_, columns_);
  }

  /// Uses 64-bit costs, and 128-bit costs if rounding could matter.
  [[nodiscard]] Plan solve() const {
    const int shift = cost_shift(reduced_, most_cost_bits(reduced_.rows(), reduced_.cols()));
    const TransportTree tree =
        solve_transport(whole_costs(reduced_, shift), rows_.masses, columns_.masses);
    return is_optimal(tree, shift) ? plan_of(tree) : solve_wide(tree);
  }

 private:
  /// Costs far above those of the current plan are lowered first, which leaves more digits for the
  /// others. A plan that is optimal for lowered costs and does not use them is optimal for the true
  /// costs too. A plan that does use them is so expensive that the rounding of 128 bits is
  /// negligible. A plan of much lower costs is improved again, with the digits of its own costs.
  [[nodiscard]] Plan solve_wide(TransportTree tree) const {
    const Index n_nodes = reduced_.rows() + reduced_.cols();
    for (double before = infinity; largest_used(tree) < 0.5 * before;) {
      before = largest_used(tree);
      const double far_above = 4.0 * static_cast<double>(n_nodes) * before;
      tree = improved(tree, far_above);
      if (largest_used(tree) > far_above) return plan_of(improved(tree, reduced_.maxCoeff()));
    }
    return plan_of(tree);
  }

  /// Improves the tree for costs limited to `limit`.
  [[nodiscard]] TransportTree improved(const TransportTree& tree, double limit) const {
    const RowMatrix lowered = reduced_.cwiseMin(limit);
    const int shift = cost_shift(lowered, most_wide_cost_bits(lowered.rows(), lowered.cols()));
    return improve_transport(wide_costs(lowered, shift), tree);
  }

  [[nodiscard]] double largest_used(const TransportTree& tree) const {
    double largest = 0.0;
    for (const WholeEntry& entry : entries_of(tree, reduced_.rows())) {
      largest = std::max(largest, reduced_(entry.row, entry.column));
    }
    return largest;
  }

  /// Whether the plan is optimal up to rounding. The optimal plan for costs rounded to multiples of
  /// 2^-shift exceeds the optimum by at most that, times the mass; and, because reduced costs are
  /// >= 0, by at most its own reduced cost.
  [[nodiscard]] bool is_optimal(const TransportTree& tree, int shift) const {
    constexpr double rounding = 1e-13;
    const double scale = reducing_scale(cost_);
    double reduced_cost = 0.0;  // both per unit of mass, so that they do not overflow
    double magnitude = 0.0;
    for (const WholeEntry& entry : entries_of(tree, reduced_.rows())) {
      const double fraction = mass_of(entry) / total_mass_;
      reduced_cost += fraction * reduced_(entry.row, entry.column);
      magnitude += fraction * (scale * std::abs(cost_of(entry)));
    }
    return std::min(reduced_cost, std::ldexp(1.0, -shift)) <= rounding * magnitude;
  }

  [[nodiscard]] double mass_of(const WholeEntry& entry) const {
    return std::ldexp(static_cast<double>(entry.mass), -mass_shift_);
  }

  [[nodiscard]] double cost_of(const WholeEntry& entry) const {
    return cost_(at(rows_.places, entry.row), at(columns_.places, entry.column));
  }

  [[nodiscard]] Plan plan_of(const TransportTree& tree) const {
    Plan plan;
    for (const WholeEntry& entry : entries_of(tree, reduced_.rows())) {
      plan.entries.push_back({static_cast<int>(at(rows_.places, entry.row)),
                              static_cast<int>(at(columns_.places, entry.column)), mass_of(entry)});
    }
    std::sort(plan.entries.begin(), plan.entries.end(), [](const auto& left, const auto& right) {
      return std::tie(left.row, left.column) < std::tie(right.row, right.column);
    });
    plan.cost = total_cost(plan);
    if (!std::isfinite(plan.cost)) {
      throw NumericalError(
          "transport_plan: the sum of mass times cost overflows; scale the costs or the masses "
          "down");
    }
    return plan;
  }

  // Products and partial sums may overflow even if the total does not.
  [[nodiscard]] double total_cost(const Plan& plan) const {
    const bool is_large = !(cost_.cwiseAbs().maxCoeff() * total_mass_ <= 0x1p1000);
    const double mass_unit = is_large ? total_mass_ : 1.0;
    const double cost_unit = is_large ? 4.0 : 1.0;
    double sum = 0.0;
    for (const PlanEntry& entry : plan.entries) {
      sum += entry.mass / mass_unit * (cost_(entry.row, entry.column) / cost_unit);
    }
    return sum * mass_unit * cost_unit;
  }

  const Eigen::Ref<const RowMatrix>& cost_;
  double total_mass_;
  int mass_shift_;
  WholeSide rows_;
  WholeSide columns_;
  RowMatrix reduced_;
};

}  // namespace

Plan transport_plan(const MatrixView& view, const Vector& row_masses, const Vector& column_masses) {
  const Eigen::Ref<const RowMatrix> cost = view.values();
  check_arguments(cost, row_masses, column_masses);
  return Problem(cost, row_masses, column_masses).solve();
}

}  // namespace lbw
