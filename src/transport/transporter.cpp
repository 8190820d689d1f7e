// SPDX-License-Identifier: MIT
#include "transport/transporter.hpp"

#include <algorithm>
#include <cmath>

#include "core/copy_samples.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "mixture/checks.hpp"
#include "transport/refinement.hpp"

namespace lbw {

namespace {

void check_piece(const LocalMap& map, std::size_t i, const char* function) {
  const Index k = map.source.n_components();
  const Index d = map.source.n_features();
  const auto& [component, share, affine] = map.pieces[i];
  require(component >= 0 && component < k, function, ": map.pieces[", i, "].component is ",
          component, ", expected 0 to ", k - 1);
  require(share >= 0.0 && std::isfinite(share), function, ": map.pieces[", i, "].share is ", share,
          ", expected a finite number >= 0");
  require(affine.source_mean.size() == d && affine.target_mean.size() == d &&
              affine.matrix.rows() == d && (affine.matrix.cols() == d || affine.is_diagonal()),
          function, ": map.pieces[", i, "].map does not have ", counted(d, "feature"));
  require(affine.is_diagonal() == map.pieces.front().map.is_diagonal(), function, ": map.pieces[",
          i, "].map.matrix has ", counted(affine.matrix.cols(), "column"),
          " and that of the first ", map.pieces.front().map.matrix.cols(),
          ", expected the same number in all");
}

Vector sums_of_shares(const LocalMap& map) {
  Vector sums = Vector::Zero(map.source.n_components());
  for (const MapPiece& piece : map.pieces) sums[piece.component] += piece.share;
  return sums;
}

/// A table for maps of the same form as the pieces.
MapTable empty_table(Index n_maps, const LocalMap& map) {
  const Index d = map.source.n_features();
  const Matrix zero = Matrix::Zero(d, map.pieces.front().map.matrix.cols());
  return {RowMatrix::Zero(n_maps, d), std::vector<Matrix>(to_size(n_maps), zero),
          RowMatrix::Zero(n_maps, d)};
}

void set_map(MapTable& table, Index i, const AffineMap& map) {
  table.source_means.row(i) = map.source_mean.transpose();
  at(table.matrices, i) = map.matrix;
  table.target_means.row(i) = map.target_mean.transpose();
}

}  // namespace

MapTable heaviest_pieces(const LocalMap& map) {
  const Index k = map.source.n_components();
  MapTable table = empty_table(k, map);
  Vector heaviest = Vector::Constant(k, -1.0);
  for (const MapPiece& piece : map.pieces) {
    if (piece.share <= heaviest[piece.component]) continue;
    heaviest[piece.component] = piece.share;
    set_map(table, piece.component, piece.map);
  }
  return table;
}

namespace {

/// The average of the pieces of every component, by their shares, about the source mean of the
/// heaviest piece.
MapTable average_pieces(const LocalMap& map) {
  MapTable table = empty_table(map.source.n_components(), map);
  table.source_means = heaviest_pieces(map).source_means;
  const Vector sums = sums_of_shares(map);
  for (const auto& [component, share, affine] : map.pieces) {
    const double part = share / sums[component];
    const Vector about = table.source_means.row(component).transpose();
    at(table.matrices, component) += part * affine.matrix;
    table.target_means.row(component) += part * affine(about).transpose();
  }
  return table;
}

std::vector<const MapPiece*> pieces_by_component(const LocalMap& map) {
  std::vector<const MapPiece*> pieces;
  for (const MapPiece& piece : map.pieces) pieces.push_back(&piece);
  std::stable_sort(pieces.begin(), pieces.end(), [](const MapPiece* left, const MapPiece* right) {
    return left->component < right->component;
  });
  return pieces;
}

MapTable every_piece(const LocalMap& map) {
  MapTable table = empty_table(std::ssize(map.pieces), map);
  Index i = 0;
  for (const MapPiece* piece : pieces_by_component(map)) set_map(table, i++, piece->map);
  return table;
}

/// The probabilities of the maps of every_piece.
PieceTable piece_table(const LocalMap& map) {
  const Index k = map.source.n_components();
  std::vector<std::vector<double>> shares(to_size(k));
  for (const MapPiece* piece : pieces_by_component(map)) {
    at(shares, piece->component).push_back(piece->share);
  }
  std::size_t most = 0;
  for (const auto& own : shares) most = std::max(most, own.size());
  constexpr double never = 2.0;
  PieceTable table{map.seed, {}, RowMatrix::Constant(k, static_cast<Index>(most) - 1, never)};
  const Vector sums = sums_of_shares(map);
  int first_piece = 0;
  for (Index i = 0; i < k; ++i) {
    const std::vector<double>& own = at(shares, i);
    table.first_piece.push_back(first_piece);
    first_piece += static_cast<int>(own.size());
    double cumulative = 0.0;
    for (std::size_t p = 0; p + 1 < own.size(); ++p) {
      cumulative += own[p] / sums[i];
      table.borders(i, static_cast<Index>(p)) = cumulative;
    }
  }
  return table;
}

}  // namespace

bool are_alike(const std::vector<MapPiece>& pieces) {
  const AffineMap& first = pieces.front().map;
  return std::all_of(pieces.begin(), pieces.end(), [&](const MapPiece& piece) {
    return piece.map.source_mean == first.source_mean && piece.map.matrix == first.matrix &&
           piece.map.target_mean == first.target_mean;
  });
}

DensityTable check_map(const LocalMap& map, const char* function) {
  DensityTable densities = checked_density_table(map.source, function, "map.source");
  std::vector<bool> covered(to_size(map.source.n_components()), false);
  for (std::size_t i = 0; i < map.pieces.size(); ++i) {
    check_piece(map, i, function);
    at(covered, map.pieces[i].component) = true;
  }
  const Vector sums = sums_of_shares(map);
  for (std::size_t i = 0; i < covered.size(); ++i) {
    require(covered[i], function, ": map.pieces has no piece of component ", i);
    require(map.kind == MapKind::hard || sums[static_cast<Index>(i)] > 0.0, function,
            ": the shares of map.pieces of component ", i, " sum to 0, expected a positive sum");
  }
  check_noise(map.dither, map.dither_cells, map.source.n_features(), function, "map.dither");
  check_sliced_steps(map.refinement, map.source.n_features(), function);
  require(map.amount >= 0.0 && map.amount <= 1.0, function, ": map.amount is ", map.amount,
          ", expected a number from 0 to 1");
  return densities;
}

Transporter::Transporter(const LocalMap& map, DensityTable densities, const Execution& execution)
    : kind_(are_alike(map.pieces) ? MapKind::hard : map.kind),
      densities_(std::move(densities)),
      noise_{map.dither, map.dither_cells},
      seed_(map.seed),
      refiner_(map.refinement, execution),
      amount_(map.amount) {
  switch (kind_) {
    case MapKind::hard:
      maps_ = heaviest_pieces(map);
      break;
    case MapKind::soft:
      maps_ = average_pieces(map);
      break;
    case MapKind::random:
      maps_ = every_piece(map);
      pieces_ = piece_table(map);
      break;
  }
}

// Dither and refinement are applied in batches.
void Transporter::transport(SampleView samples, RowKeys& keys, const Device::BatchCheck& check,
                            const Execution& execution, Eigen::Ref<RowMatrix> out) const {
  if (!draws() && refiner_.empty()) return transport_by_pieces(samples, {}, check, execution, out);
  const Chunks batches = Chunks::batches(samples.n_samples(), samples.n_features());
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const Index first = batches.begin(batch);
    const auto check_batch = [&](Index begin, Index end) {
      if (check) check(first + begin, first + end);
    };
    const SampleView rows = samples.rows(first, batches.size_of(batch));
    const auto own = draws() ? keys.next(rows, execution) : std::span<const std::uint64_t>();
    transport_batch(rows, own, check_batch, execution, out.middleRows(first, rows.n_samples()));
  }
}

// `places` may be the memory of the points.
void Transporter::transport_batch(SampleView points, std::span<const std::uint64_t> keys,
                                  const Device::BatchCheck& check, const Execution& execution,
                                  Eigen::Ref<RowMatrix> places) const {
  const RowMatrix origins = amount_ < 1.0 ? copy_of(points) : RowMatrix();
  if (!noise_.empty()) {
    check(0, points.n_samples());
    RowMatrix moved(points.n_samples(), points.n_features());
    dither_into(points, noise_, seed_, keys, execution, moved);
    transport_by_pieces(moved, keys, {}, execution, places);
  } else {
    transport_by_pieces(points, keys, check, execution, places);
  }
  if (!refiner_.empty()) refiner_.apply(places, execution);
  if (amount_ < 1.0) places = (1.0 - amount_) * origins + amount_ * places;
}

void Transporter::transport_by_pieces(SampleView samples, std::span<const std::uint64_t> keys,
                                      const Device::BatchCheck& check, const Execution& execution,
                                      const Eigen::Ref<RowMatrix>& out) const {
  const Device& device = device_of(execution);
  switch (kind_) {
    case MapKind::hard:
      // Deviation P2 (Eq. 9): only the matched pair with delta(x) = i adds its target mean. The
      // printed formula sums all k means.
      return device.apply_maps(samples, densities_, maps_, check, execution, out);
    case MapKind::soft:
      return device.blend_maps(samples, densities_, maps_, check, execution, out);
    case MapKind::random:
      return device.draw_maps(samples, densities_, maps_, pieces_, keys, check, execution, out);
  }
}

}  // namespace lbw
