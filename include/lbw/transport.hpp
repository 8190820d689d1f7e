// SPDX-License-Identifier: MIT
// Using a transport model: barycenters, maps, transport of samples and its inverse (Algorithm 3,
// Eq. 9).
#pragma once

#include <cstdint>
#include <functional>
#include <lbw/dither.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/fit_transport.hpp>
#include <lbw/mixture.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// The barycenter as a mixture (Algorithm 3): one Gaussian per tuple, its weight the mass of the
/// tuple or, under a matching, the average of its members' weights (deviation P3). At a corner (one
/// weight is 1) it is that group, in the order of the tuples.
///
/// @param barycentric_weights  one per group, finite, >= 0 and not all 0; divided by their sum
[[nodiscard]] Mixture barycenter(const TransportModel& model,
                                 std::span<const double> barycentric_weights,
                                 const Execution& execution = {});

/// One affine piece of a local map.
struct MapPiece {
  int component = 0;   ///< of the source mixture
  double share = 1.0;  ///< of the component's mass that takes this piece; 1 under a matching
  AffineMap map;
};

/// A map that knows in which component of the source a point lies and carries it from there
/// (Eq. 9). A value: keep it to carry many batches.
struct LocalMap {
  Mixture source;
  std::vector<MapPiece> pieces;  ///< ordered by component, at least one for each
  MapKind kind = MapKind::hard;
  std::uint64_t seed = 0;  ///< of MapKind::random, and of the dither
  /// Widths of the noise that a point is moved by first (see dithered), one per feature; or none.
  Vector dither = {};
  /// Cells of such noise, one entry per feature; or none. A map has widths or cells, not both.
  std::vector<DitherCells> dither_cells = {};
  /// Taken one after another by points that the pieces have carried; none: no refinement.
  std::vector<SlicedStep> refinement = {};
  /// Interpolation parameter between a point and where dither, pieces and refinement take it.
  /// Ignored without dither and refinement, where the pieces themselves include it.
  double amount = 1.0;

  /// Whether points are moved by noise first.
  [[nodiscard]] bool dithers() const { return dither.size() > 0 || !dither_cells.empty(); }
};

/// From one group onto another. `amount` is the interpolation parameter: 0 is the identity. Kind
/// and seed are those of the model (mixture_options.seed). A refinement plays no part: it leads to
/// a barycenter, not to a group.
[[nodiscard]] LocalMap map_between(const TransportModel& model, std::string_view from,
                                   std::string_view to, double amount = 1.0,
                                   const Execution& execution = {});

/// From one group onto the barycenter of all; amount is the interpolation parameter. If a single
/// group has weight, the pieces are those of map_between onto that group, bit by bit. The map of a
/// refined model takes the steps of its refinement too, and `amount` is then that of the straight
/// line from a point to its final place.
///
/// @param barycentric_weights  one per group, finite, >= 0 and not all 0; divided by their sum. Of
///                             a refined model those it was refined for, within 1e-9, since its
///                             steps lead nowhere else (without model.refinement it maps to any
///                             barycenter)
[[nodiscard]] LocalMap map_to_barycenter(const TransportModel& model, std::string_view from,
                                         std::span<const double> barycentric_weights,
                                         double amount = 1.0, const Execution& execution = {});

/// Carries points, seen before or not, as the kind of the map says: hard takes each by the heaviest
/// piece of its component (Eq. 8-9).
///
/// @param samples  (n_samples, n_features) of the map's source group
/// @param keys     one per sample, which random maps and dither draw by besides the values
///                 (lbw/samples.hpp); or none: equal samples of the call are numbered
/// @return         (n_samples, n_features)
[[nodiscard]] RowMatrix transport(const LocalMap& map, SampleView samples,
                                  const Execution& execution = {},
                                  std::span<const std::uint64_t> keys = {});

/// The same into memory that is there already, of the shape of the samples. It may be the samples'
/// own: points are then carried in place, after all have been checked. Elsewhere, `out` holds
/// anything after an error.
void transport_into(const LocalMap& map, SampleView samples, MatrixSpan out,
                    const Execution& execution = {}, std::span<const std::uint64_t> keys = {});

/// The same for more points than memory holds: `take` gets the carried rows in order, a batch of
/// about 16 MiB at a time. Together they have the bits of transport(). All samples are checked
/// before the first batch; what `take` throws ends the work.
void transport_in_batches(const LocalMap& map, SampleView samples,
                          const std::function<void(const RowMatrix& carried)>& take,
                          const Execution& execution = {},
                          std::span<const std::uint64_t> keys = {});

/// Where carried points came from: transport(map, x) = y gives x back for y.
///
/// A hard map is affine on every component of its source, so y has one candidate per component: its
/// inverse image under that component's piece. A candidate that lies in the component (Eq. 8) is
/// carried to y. Pieces may overlap and leave gaps, so there can be several such candidates or
/// none: of several the most probable one is returned, the lowest component of equals; where there
/// is none, y is no image of any point, and the most probable candidate is returned, which the map
/// carries elsewhere. The probability of a candidate x of component i is proportional to
/// pi_i N(x; m_i, S_i) / |det T_i|, the joint density of y and i under the map.
///
/// @param map     hard, or one whose pieces are all alike (one component each): soft maps have no
///                inverse in closed form, random ones send a point's neighbours to many places
/// @param points  (n_samples, n_features) that the map has carried
/// @return        (n_samples, n_features)
/// @throws InvalidArgument  for another kind of map, one that is refined or dithers, or a piece
///                          whose matrix is singular
[[nodiscard]] RowMatrix inverse_transport(const LocalMap& map, SampleView points,
                                          const Execution& execution = {});

/// How a row is transported whose group was not in the fit.
enum class UnknownGroup {
  error,   ///< it is refused
  ignore,  ///< it stays where it is
  /// It goes to the mean of where the maps of all groups send it, weighted by group_probabilities.
  barycenter,
};

template <>
struct EnumNames<UnknownGroup> {
  static constexpr std::string_view option = "handle_unknown";
  static constexpr NamedValue<UnknownGroup> values[] = {{UnknownGroup::error, "error"},
                                                        {UnknownGroup::ignore, "ignore"},
                                                        {UnknownGroup::barycenter, "barycenter"}};
};

/// (n_samples, n_groups): the probability that a sample came from a group if all groups are equally
/// likely beforehand, by the densities of their mixtures. Rows sum to 1. A sample so far out that
/// its density vanishes in every group has equal probabilities.
[[nodiscard]] RowMatrix group_probabilities(const TransportModel& model, SampleView samples,
                                            const Execution& execution = {});

/// What the labels of a column of groups look like.
enum class LabelKind { text, whole_numbers, fractions };

/// The largest number of distinct labels that n_rows rows may have. More are taken for a mistake,
/// such as a continuous column given for the groups, whose fit would take as many mixtures.
///
/// Up to 20 always pass. Text may have one label per 10 rows: with fewer rows each, groups cannot
/// be learned. Numbers are more often a measurement, so whole ones may have sqrt(n_rows) labels,
/// no more than an average group has rows, and numbers with fractions 20.
[[nodiscard]] Index max_groups(LabelKind kind, Index n_rows);

struct CouplingCost {
  double cost = 0.0;  ///< of the tuples by their masses, summed over every two groups
  /// What every coupling of these mixtures costs at least: every two groups by a plan of their own.
  double at_least = 0.0;
};

/// What the coupling of a model costs, in the measure that it was made for (Coupling::cost).
///
/// With two groups the two numbers are equal. With more, plans to a reference cost more than they
/// must where the other groups do not agree, and a multimarginal coupling costs no more than it
/// must; what `cost` is above `at_least` bounds what any coupling could gain.
///
/// @throws InvalidArgument for a matching, which does not keep to the weights
[[nodiscard]] CouplingCost coupling_cost(const TransportModel& model,
                                         const Execution& execution = {});

/// (k_first, k_second): squared Bures-Wasserstein distance (Eq. 2) of every component of the first
/// mixture from every component of the second.
///
/// @throws InvalidArgument unless both are mixtures of one number of features
[[nodiscard]] RowMatrix squared_distances(const Mixture& first, const Mixture& second,
                                          const Execution& execution = {});

/// Mixture-Wasserstein distance: the root of the least cost of a plan between the weights of the
/// components under squared_distances. A metric on mixtures, never below the Wasserstein distance
/// of order 2, and equal to it for single Gaussians.
[[nodiscard]] double mixture_distance(const Mixture& first, const Mixture& second,
                                      const Execution& execution = {});

}  // namespace lbw
