// SPDX-License-Identifier: MIT
#include "matching/glue_plans.hpp"

#include <algorithm>
#include <lbw/assignment.hpp>

#include "core/indexing.hpp"

namespace lbw {

namespace {

/// A component and a part of its mass.
struct Portion {
  int component = 0;
  double mass = 0.0;
};

int nearest(const Eigen::Ref<const RowMatrix>& cost_row) {
  Index column = 0;
  cost_row.row(0).minCoeff(&column);
  return static_cast<int>(column);
}

/// The portions of another group for each component of the reference; at least one each.
std::vector<std::vector<Portion>> portions_by_reference(const RowMatrix& cost,
                                                        const Vector& reference_weights,
                                                        const Vector& weights) {
  std::vector<std::vector<Portion>> portions(to_size(cost.rows()));
  for (const PlanEntry& entry : transport_plan(cost, reference_weights, weights).entries) {
    at(portions, entry.row).push_back({entry.column, entry.mass});
  }
  for (Index i = 0; i < cost.rows(); ++i) {
    auto& own = at(portions, i);
    if (own.empty()) own.push_back({nearest(cost.row(i)), reference_weights[i]});
  }
  return portions;
}

Vector masses_of(const auto& parts) {
  Vector masses(std::ssize(parts));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    masses[static_cast<Index>(i)] = parts[i].mass;
  }
  return masses;
}

class Gluing {
 public:
  Gluing(std::span<const Vector> weights, Index reference, const GroupCosts& cost)
      : weights_(weights), reference_(reference), cost_(cost) {
    const Vector& own = of(reference);
    for (Index i = 0; i < own.size(); ++i) {
      MassTuple tuple{std::vector<int>(weights.size(), 0), own[i]};
      at(tuple.components, reference) = static_cast<int>(i);
      tuples_.push_back({tuple});
    }
  }

  std::vector<MassTuple> glue() {
    for (Index group = 0; group < std::ssize(weights_); ++group) {
      if (group != reference_) join(group);
    }
    std::vector<MassTuple> all;
    for (const auto& of_component : tuples_) {
      all.insert(all.end(), of_component.begin(), of_component.end());
    }
    for (Index group = 0; group < std::ssize(weights_); ++group) add_missing(group, all);
    return all;
  }

 private:
  [[nodiscard]] const Vector& of(Index group) const { return at(weights_, group); }

  void join(Index group) {
    reference_costs_.push_back(cost_(reference_, group));
    const auto portions = portions_by_reference(reference_costs_.back(), of(reference_), of(group));
    const bool chooses =
        std::ranges::any_of(portions, [](const auto& own) { return own.size() > 1; });
    std::vector<RowMatrix> costs;  // from each group that has already joined
    if (chooses) {
      for (const Index other : joined_) costs.push_back(cost_(other, group));
    }
    for (std::size_t i = 0; i < tuples_.size(); ++i) {
      tuples_[i] = joined(tuples_[i], portions[i], group, costs);
    }
    joined_.push_back(group);
  }

  /// Joins the tuples of one component of the reference with the portions of one more group.
  /// `costs` are used for several portions.
  [[nodiscard]] std::vector<MassTuple> joined(const std::vector<MassTuple>& tuples,
                                              const std::vector<Portion>& portions, Index group,
                                              const std::vector<RowMatrix>& costs) const {
    std::vector<MassTuple> result;
    const auto add = [&](std::size_t tuple, std::size_t portion, double mass) {
      result.push_back(tuples[tuple]);
      at(result.back().components, group) = portions[portion].component;
      result.back().mass = mass;
    };
    if (portions.size() == 1) {
      for (std::size_t t = 0; t < tuples.size(); ++t) add(t, 0, tuples[t].mass);
      return result;
    }
    const Vector portion_masses = masses_of(portions);
    Vector tuple_masses = masses_of(tuples);
    tuple_masses *= portion_masses.sum() / tuple_masses.sum();  // equal up to rounding
    const Plan plan =
        transport_plan(joint_costs(tuples, portions, costs), tuple_masses, portion_masses);
    for (const PlanEntry& entry : plan.entries) {
      add(to_size(entry.row), to_size(entry.column), entry.mass);
    }
    return result;
  }

  /// (n_tuples, n_portions): the sum of the costs between the members of a tuple and a new
  /// component. The cost of the reference is the same for all tuples and omitted.
  [[nodiscard]] RowMatrix joint_costs(const std::vector<MassTuple>& tuples,
                                      const std::vector<Portion>& portions,
                                      const std::vector<RowMatrix>& costs) const {
    RowMatrix sums = RowMatrix::Zero(std::ssize(tuples), std::ssize(portions));
    for (Index t = 0; t < sums.rows(); ++t) {
      for (Index p = 0; p < sums.cols(); ++p) {
        for (std::size_t i = 0; i < joined_.size(); ++i) {
          const std::vector<int>& members = at(tuples, t).components;
          sums(t, p) += costs[i](at(members, joined_[i]), at(portions, p).component);
        }
      }
    }
    return sums;
  }

  /// Adds tuples of mass 0 for components of a group that are in no tuple.
  void add_missing(Index group, std::vector<MassTuple>& all) const {
    const auto g = to_size(group);
    std::vector<bool> present(to_size(of(group).size()), false);
    for (const MassTuple& tuple : all) {
      at(present, tuple.components[g]) = true;
    }
    for (std::size_t missing = 0; missing < present.size(); ++missing) {
      if (present[missing]) continue;
      MassTuple tuple = tuples_[nearest_reference(group, static_cast<Index>(missing))].front();
      tuple.components[g] = static_cast<int>(missing);
      tuple.mass = 0.0;
      all.push_back(tuple);
    }
  }

  /// The reference itself has no missing components.
  [[nodiscard]] std::size_t nearest_reference(Index group, Index component) const {
    const auto place = std::find(joined_.begin(), joined_.end(), group) - joined_.begin();
    const RowMatrix& cost = at(reference_costs_, place);
    Index row = 0;
    cost.col(component).minCoeff(&row);
    return to_size(row);
  }

  std::span<const Vector> weights_;
  Index reference_;
  const GroupCosts& cost_;
  std::vector<std::vector<MassTuple>> tuples_;  // by component of the reference
  std::vector<Index> joined_;                   // groups other than the reference
  std::vector<RowMatrix> reference_costs_;      // from the reference to each of them
};

}  // namespace

std::vector<MassTuple> glue_plans(std::span<const Vector> weights, Index reference,
                                  const GroupCosts& cost) {
  return Gluing(weights, reference, cost).glue();
}

}  // namespace lbw
