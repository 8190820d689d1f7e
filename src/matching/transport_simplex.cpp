// SPDX-License-Identifier: MIT
#include "matching/transport_simplex.hpp"

#include <algorithm>
#include <bit>

namespace lbw {

namespace {

constexpr Index none = -1;

int bits_of(Index number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

/// Masses are counted in units of 2^unit_bits so that the low bits can tell equal ones apart.
int unit_bits(Index n_rows) { return bits_of(n_rows) + 1; }

// The network simplex on a spanning tree of rows and columns (nodes 0 to n_rows - 1, then the
// columns) that hangs from the last column. Potentials make the cost of every arc of the tree the
// sum of those of its ends; an arc that costs less than that enters, the mass on the cycle it
// closes moves on, and the arc that runs empty first leaves.
//
// Every row has one low bit of mass more than asked for and the last column takes them all. No part
// of the rows then has the mass of a part of the columns, so no arc of a tree is ever empty, two
// never run empty together, and every step lowers the cost: the search cannot go round in circles.
class Simplex {
 public:
  Simplex(const WholeCosts& cost, const std::vector<WholeMass>& row_masses,
          const std::vector<WholeMass>& column_masses)
      : cost_(cost),
        n_rows_(cost.rows()),
        n_columns_(cost.cols()),
        unit_(WholeMass{1} << unit_bits(n_rows_)),
        nodes_(static_cast<std::size_t>(n_rows_ + n_columns_)) {
    for (const WholeMass mass : row_masses) supplies_.push_back(mass * unit_ + 1);
    for (const WholeMass mass : column_masses) demands_.push_back(mass * unit_);
    demands_.back() += n_rows_;
  }

  std::vector<WholeEntry> solve() {
    hang_from(root(), first_arcs());
    Index unchanged = 0;
    for (Index row = 0; unchanged < n_rows_; row = row + 1 == n_rows_ ? 0 : row + 1) {
      const Index column = cheapest_column(row);
      unchanged = column == none ? unchanged + 1 : 0;
      if (column != none) enter(row, n_rows_ + column);
    }
    return entries();
  }

 private:
  /// A row or a column, with the arc that it hangs on.
  struct Node {
    Index parent = none;
    Index first_child = none;
    Index next_sibling = none;
    Index previous_sibling = none;
    Index depth = 0;
    std::int64_t potential = 0;
    WholeMass mass = 0;  // on the arc between the node and its parent
  };

  struct Arc {
    Index row = 0;
    Index column = 0;  // as a node
    WholeMass mass = 0;
  };

  [[nodiscard]] Index root() const { return n_rows_ + n_columns_ - 1; }
  [[nodiscard]] bool is_row(Index node) const { return node < n_rows_; }
  Node& at(Index node) { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Node& at(Index node) const { return nodes_[static_cast<std::size_t>(node)]; }

  [[nodiscard]] std::int64_t cost_between(Index a, Index b) const {
    return is_row(a) ? cost_(a, b - n_rows_) : cost_(b, a - n_rows_);
  }

  /// Each row in turn gives to the cheapest columns that still take. Every arc uses up a row or a
  /// column, the last one both: together they are a tree.
  std::vector<Arc> first_arcs() {
    std::vector<Arc> arcs;
    std::vector<Index> open(static_cast<std::size_t>(n_columns_));
    for (Index column = 0; column < n_columns_; ++column) {
      open[static_cast<std::size_t>(column)] = column;
    }
    for (Index row = 0; row < n_rows_; ++row) {
      WholeMass& supply = supplies_[static_cast<std::size_t>(row)];
      while (supply > 0) {
        const auto cheapest = std::min_element(open.begin(), open.end(), [&](Index a, Index b) {
          return cost_(row, a) < cost_(row, b);
        });
        WholeMass& demand = demands_[static_cast<std::size_t>(*cheapest)];
        const WholeMass mass = std::min(supply, demand);
        arcs.push_back({row, n_rows_ + *cheapest, mass});
        supply -= mass;
        demand -= mass;
        if (demand == 0) open.erase(cheapest);
      }
    }
    return arcs;
  }

  /// Makes the tree of the arcs, from the root down.
  void hang_from(Index start, const std::vector<Arc>& arcs) {
    std::vector<std::vector<std::size_t>> arcs_of(nodes_.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      arcs_of[static_cast<std::size_t>(arcs[i].row)].push_back(i);
      arcs_of[static_cast<std::size_t>(arcs[i].column)].push_back(i);
    }
    std::vector<Index> waiting{start};
    while (!waiting.empty()) {
      const Index node = waiting.back();
      waiting.pop_back();
      for (const std::size_t i : arcs_of[static_cast<std::size_t>(node)]) {
        const Index other = is_row(node) ? arcs[i].column : arcs[i].row;
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

  /// The column that costs the row least beside the potentials; none where no arc should enter.
  [[nodiscard]] Index cheapest_column(Index row) const {
    Index cheapest = none;
    std::int64_t least = at(row).potential;
    const std::int64_t* costs = cost_.row(row).data();
    const Node* columns = nodes_.data() + n_rows_;
    for (Index column = 0; column < n_columns_; ++column) {
      const std::int64_t reduced = costs[column] - columns[column].potential;
      if (reduced >= least) continue;
      least = reduced;
      cheapest = column;
    }
    return cheapest;
  }

  // Mass enters from row to column and returns along the tree from the column up to where both
  // paths meet and down to the row. Going up from the column, arcs that hang columns lose mass:
  // they carry it towards the column. Going up from the row, those that hang rows do.
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

  /// Cuts the tree above `leaving` and hangs the part that came off by `node` on `parent`: the way
  /// from `node` up to `leaving` turns over.
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

  /// Depths and potentials of a part of the tree.
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

  /// What the arcs of the tree carry, without the low bits.
  [[nodiscard]] std::vector<WholeEntry> entries() const {
    std::vector<WholeEntry> entries;
    for (Index node = 0; node < root(); ++node) {
      const WholeMass mass = (at(node).mass + unit_ / 2) / unit_;
      const Index parent = at(node).parent;
      const Index row = is_row(node) ? node : parent;
      const Index column = (is_row(node) ? parent : node) - n_rows_;
      if (mass > 0) entries.push_back({row, column, mass});
    }
    return entries;
  }

  const WholeCosts& cost_;
  const Index n_rows_;
  const Index n_columns_;
  const WholeMass unit_;
  std::vector<WholeMass> supplies_;
  std::vector<WholeMass> demands_;
  std::vector<Node> nodes_;
  std::vector<Index> waiting_;
};

}  // namespace

// A potential is a sum of at most as many costs as there are nodes, a reduced cost of twice those.
int most_cost_bits(Index n_rows, Index n_columns) { return 61 - bits_of(n_rows + n_columns); }

int most_mass_bits(Index n_rows) { return 125 - unit_bits(n_rows); }

std::vector<WholeEntry> solve_transport(const WholeCosts& cost,
                                        const std::vector<WholeMass>& row_masses,
                                        const std::vector<WholeMass>& column_masses) {
  return Simplex(cost, row_masses, column_masses).solve();
}

}  // namespace lbw
