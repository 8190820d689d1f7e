// SPDX-License-Identifier: MIT
#include "matching/transport_simplex.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/indexing.hpp"
#include "matching/scan.hpp"

namespace lbw {

namespace {

int bits_of(Index number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// Masses are multiples of 2^unit_bits; the low bits distinguish equal masses.
int unit_bits(Index n_rows) { return bits_of(n_rows) + 1; }

const std::int64_t* row_of(const WholeCosts& cost, Index row) { return cost.row(row).data(); }

const __int128* row_of(const WideCosts& cost, Index row) { return cost.row_data(row); }

// The network simplex method on a spanning tree of rows and columns (nodes 0 to n_rows - 1, then
// the columns) with the last column as root. The cost of every tree arc is the sum of the
// potentials of its ends. An arc of lower cost enters, mass moves along the cycle that it closes,
// and the first arc that becomes empty leaves.
//
// Every row has one additional low bit of mass, and the last column receives all of them. The mass
// of a subset of rows then never equals that of a subset of columns, so no tree arc is ever empty,
// two arcs never become empty together, and every step lowers the cost. The method cannot cycle.
template <typename Costs, typename Number>
class TransportSimplex {
 public:
  explicit TransportSimplex(const Costs& cost)
      : cost_(cost),
        n_rows_(cost.rows()),
        n_columns_(cost.cols()),
        nodes_(to_size(n_rows_ + n_columns_)) {}

  TransportTree solve_from(const TransportTree& start) {
    hang_from(root(), start.arcs);
    Index unchanged = 0;
    for (Index row = 0; unchanged < n_rows_; row = row + 1 == n_rows_ ? 0 : row + 1) {
      const Index column = cheapest_column(row);
      unchanged = column == none ? unchanged + 1 : 0;
      if (column != none) enter(row, n_rows_ + column);
    }
    return tree();
  }

 private:
  /// A row or a column, with the arc to its parent.
  struct Node {
    Index parent = none;
    Index first_child = none;
    Index next_sibling = none;
    Index previous_sibling = none;
    Index depth = 0;
    Number potential = 0;
    WholeMass mass = 0;  // on the arc between the node and its parent
  };

  [[nodiscard]] Index root() const { return n_rows_ + n_columns_ - 1; }
  [[nodiscard]] bool is_row(Index node) const { return node < n_rows_; }
  Node& at(Index node) { return nodes_[to_size(node)]; }
  [[nodiscard]] const Node& at(Index node) const { return nodes_[to_size(node)]; }

  [[nodiscard]] Number cost_between(Index a, Index b) const {
    return is_row(a) ? cost_(a, b - n_rows_) : cost_(b, a - n_rows_);
  }

  /// Builds the tree of the arcs from the root.
  void hang_from(Index start, const std::vector<WholeEntry>& arcs) {
    std::vector<std::vector<std::size_t>> arcs_of(nodes_.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      arcs_of[to_size(arcs[i].row)].push_back(i);
      arcs_of[to_size(n_rows_ + arcs[i].column)].push_back(i);
    }
    std::vector<Index> waiting{start};
    while (!waiting.empty()) {
      const Index node = waiting.back();
      waiting.pop_back();
      for (const std::size_t i : arcs_of[to_size(node)]) {
        const Index other = is_row(node) ? n_rows_ + arcs[i].column : arcs[i].row;
        if (other == at(node).parent) continue;
        attach(other, node, arcs[i].mass);
        place_below_parent(other);
        waiting.push_back(other);
      }
    }
  }

  void attach(Index node, Index parent, WholeMass mass) {
    Node& child = at(node);
    child.parent = parent;
    child.mass = mass;
    child.previous_sibling = none;
    child.next_sibling = at(parent).first_child;
    if (child.next_sibling != none) at(child.next_sibling).previous_sibling = node;
    at(parent).first_child = node;
  }

  void detach(Index node) {
    const Node& child = at(node);
    if (child.next_sibling != none) {
      at(child.next_sibling).previous_sibling = child.previous_sibling;
    }
    if (child.previous_sibling != none) {
      at(child.previous_sibling).next_sibling = child.next_sibling;
    } else {
      at(child.parent).first_child = child.next_sibling;
    }
  }

  void place_below_parent(Index node) {
    Node& child = at(node);
    child.depth = at(child.parent).depth + 1;
    child.potential = cost_between(node, child.parent) - at(child.parent).potential;
  }

  /// The column of least reduced cost for the row; none if no arc should enter.
  [[nodiscard]] Index cheapest_column(Index row) const {
    Index cheapest = none;
    Number least = at(row).potential;
    const Number* costs = row_of(cost_, row);
    const Node* columns = nodes_.data() + n_rows_;
    for (Index column = 0; column < n_columns_; ++column) {
      const Number reduced = costs[column] - columns[column].potential;
      if (reduced >= least) continue;
      least = reduced;
      cheapest = column;
    }
    return cheapest;
  }

  // Mass enters from row to column and returns along the tree, from the column up to the common
  // ancestor and down to the row. On the path up from the column, arcs above columns lose mass,
  // because they transport it towards the column. On the path up from the row, arcs above rows lose
  // mass.
  void enter(Index row, Index column) {
    Index row_end = row;
    Index column_end = column;
    Index leaving = none;
    bool leaves_on_row_side = false;
    const auto look_at = [&](Index node, bool on_row_side) {
      if (is_row(node) != on_row_side) return;
      if (leaving != none && at(node).mass >= at(leaving).mass) return;
      leaving = node;
      leaves_on_row_side = on_row_side;
    };
    while (row_end != column_end) {
      if (at(row_end).depth >= at(column_end).depth) {
        look_at(row_end, true);
        row_end = at(row_end).parent;
      } else {
        look_at(column_end, false);
        column_end = at(column_end).parent;
      }
    }
    const Index meeting = row_end;
    const WholeMass moved = at(leaving).mass;
    for (Index node = row; node != meeting; node = at(node).parent) {
      at(node).mass += is_row(node) ? -moved : moved;
    }
    for (Index node = column; node != meeting; node = at(node).parent) {
      at(node).mass += is_row(node) ? moved : -moved;
    }
    rehang(leaves_on_row_side ? row : column, leaves_on_row_side ? column : row, leaving, moved);
  }

  /// Cuts the tree above `leaving` and attaches the detached part to `parent` at `node`. The path
  /// from `node` up to `leaving` is reversed.
  void rehang(Index node, Index parent, Index leaving, WholeMass mass) {
    for (Index child = node;;) {
      const Index next = at(child).parent;
      const WholeMass next_mass = at(child).mass;
      detach(child);
      attach(child, parent, mass);
      if (child == leaving) break;
      parent = child;
      child = next;
      mass = next_mass;
    }
    renew_below(node);
  }

  /// Updates depths and potentials of a subtree.
  void renew_below(Index top) {
    waiting_.assign(1, top);
    while (!waiting_.empty()) {
      const Index node = waiting_.back();
      waiting_.pop_back();
      place_below_parent(node);
      for (Index child = at(node).first_child; child != none; child = at(child).next_sibling) {
        waiting_.push_back(child);
      }
    }
  }

  [[nodiscard]] TransportTree tree() const {
    TransportTree tree;
    for (Index node = 0; node < root(); ++node) {
      const Index parent = at(node).parent;
      const Index row = is_row(node) ? node : parent;
      const Index column = (is_row(node) ? parent : node) - n_rows_;
      tree.arcs.push_back({row, column, at(node).mass});
    }
    return tree;
  }

  const Costs& cost_;
  const Index n_rows_;
  const Index n_columns_;
  std::vector<Node> nodes_;
  std::vector<Index> waiting_;
};

/// Each row in turn gives mass to the cheapest columns with remaining capacity. Every arc uses up a
/// row or a column, and the last one both, so the arcs form a tree.
TransportTree first_tree(const WholeCosts& cost, std::vector<WholeMass> supplies,
                         std::vector<WholeMass> demands) {
  const WholeMass unit = WholeMass{1} << unit_bits(cost.rows());
  for (WholeMass& supply : supplies) supply = supply * unit + 1;
  for (WholeMass& demand : demands) demand *= unit;
  demands.back() += cost.rows();
  TransportTree tree;
  std::vector<Index> open(demands.size());
  std::iota(open.begin(), open.end(), Index{0});
  for (Index row = 0; row < cost.rows(); ++row) {
    WholeMass& supply = supplies[to_size(row)];
    while (supply > 0) {
      const auto cheapest = std::min_element(
          open.begin(), open.end(), [&](Index a, Index b) { return cost(row, a) < cost(row, b); });
      WholeMass& demand = demands[to_size(*cheapest)];
      const WholeMass mass = std::min(supply, demand);
      tree.arcs.push_back({row, *cheapest, mass});
      supply -= mass;
      demand -= mass;
      if (demand == 0) open.erase(cheapest);
    }
  }
  return tree;
}

}  // namespace

// A potential is a sum of at most as many costs as there are nodes; a reduced cost has twice as
// many.
int most_cost_bits(Index n_rows, Index n_columns) { return 61 - bits_of(n_rows + n_columns); }

int most_wide_cost_bits(Index n_rows, Index n_columns) { return 125 - bits_of(n_rows + n_columns); }

int most_mass_bits(Index n_rows) { return 125 - unit_bits(n_rows); }

TransportTree solve_transport(const WholeCosts& cost, const std::vector<WholeMass>& row_masses,
                              const std::vector<WholeMass>& column_masses) {
  return TransportSimplex<WholeCosts, std::int64_t>(cost).solve_from(
      first_tree(cost, row_masses, column_masses));
}

TransportTree improve_transport(const WideCosts& cost, const TransportTree& start) {
  return TransportSimplex<WideCosts, __int128>(cost).solve_from(start);
}

// without the low bits
std::vector<WholeEntry> entries_of(const TransportTree& tree, Index n_rows) {
  const WholeMass unit = WholeMass{1} << unit_bits(n_rows);
  std::vector<WholeEntry> entries;
  for (const WholeEntry& arc : tree.arcs) {
    const WholeMass mass = (arc.mass + unit / 2) / unit;
    if (mass > 0) entries.push_back({arc.row, arc.column, mass});
  }
  return entries;
}

}  // namespace lbw
