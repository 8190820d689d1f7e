// SPDX-License-Identifier: MIT
// Using a transport model: barycenters, maps, transport and inverse transport (Algorithm 3, Eq. 9).
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

/// The barycenter as a mixture (Algorithm 3), with one Gaussian per tuple. Its weight is the mass
/// of the tuple or, for a matching, the average weight of its members (deviation P3). If one
/// barycentric weight is 1, it is the mixture of that group, in the order of the tuples.
///
/// @param barycentric_weights  one per group, finite, >= 0 and not all 0; divided by their sum
[[nodiscard]] Mixture barycenter(const TransportModel& model,
                                 std::span<const double> barycentric_weights,
                                 const Execution& execution = {});

/// One affine piece of a local map.
struct MapPiece {
  int component = 0;   ///< of the source mixture
  double share = 1.0;  ///< fraction of the component's mass that uses this piece; 1 in a matching
  AffineMap map;
};

/// A piecewise affine map that depends on the component of the source that a point belongs to (Eq.
/// 9). It can be reused for many batches.
struct LocalMap {
  Mixture source;
  std::vector<MapPiece> pieces;  ///< ordered by component, at least one for each
  MapKind kind = MapKind::hard;
  std::uint64_t seed = 0;  ///< for MapKind::random and for the dither
  /// Widths of the noise that is added to a point first (see dithered), one per feature; or empty.
  Vector dither = {};
  /// Cells of the noise, one entry per feature; or empty. A map has widths or cells, not both.
  std::vector<DitherCells> dither_cells = {};
  /// Steps that are applied to points after the pieces; empty if there is no refinement.
  std::vector<SlicedStep> refinement = {};
  /// Interpolation parameter between a point and its image under dither, pieces and refinement.
  /// Ignored without dither and refinement, because the pieces then include it.
  double amount = 1.0;

  /// Whether the map adds noise to points first.
  [[nodiscard]] bool dithers() const { return dither.size() > 0 || !dither_cells.empty(); }
};

/// The map from one group to another. `amount` is the interpolation parameter: 0 is the identity.
/// Kind and seed are those of the model (mixture_options.seed). The refinement is not used, because
/// it applies only to maps to the barycenter.
[[nodiscard]] LocalMap map_between(const TransportModel& model, std::string_view from,
                                   std::string_view to, double amount = 1.0,
                                   const Execution& execution = {});

/// The map from one group to the barycenter of all groups. `amount` is the interpolation parameter.
/// If only one group has positive weight, the pieces are bitwise identical to those of map_between
/// to that group. The map of a refined model includes the refinement steps, and `amount` then
/// interpolates on the straight line between a point and its image.
///
/// @param barycentric_weights  one per group, finite, >= 0 and not all 0; divided by their sum. For
///                             a refined model, they must equal the weights of the refinement
///                             within 1e-9; clear model.refinement to map to other barycenters.
[[nodiscard]] LocalMap map_to_barycenter(const TransportModel& model, std::string_view from,
                                         std::span<const double> barycentric_weights,
                                         double amount = 1.0, const Execution& execution = {});

/// Transports points, including out-of-sample points, according to the kind of the map. A hard map
/// uses the heaviest piece of each point's component (Eq. 8-9).
///
/// @param samples  (n_samples, n_features) of the map's source group
/// @param keys     one per sample, for the draws of random maps and dither (lbw/samples.hpp); if
///                 empty, equal samples of the call are numbered
/// @return         (n_samples, n_features)
[[nodiscard]] RowMatrix transport(const LocalMap& map, SampleView samples,
                                  const Execution& execution = {},
                                  std::span<const std::uint64_t> keys = {});

/// Like transport(), with the result written to `out`, which has the shape of the samples. `out`
/// may be the memory of the samples: points are then transported in place after all have been
/// checked. Otherwise, the content of `out` is unspecified after an error.
void transport_into(const LocalMap& map, SampleView samples, MatrixSpan out,
                    const Execution& execution = {}, std::span<const std::uint64_t> keys = {});

/// Like transport(), for more points than fit into memory. `take` receives the transported rows in
/// order, in batches of about 16 MiB. The rows are bitwise identical to those of transport(). All
/// samples are checked before the first batch. An exception in `take` ends the call.
void transport_in_batches(const LocalMap& map, SampleView samples,
                          const std::function<void(const RowMatrix& transported)>& take,
                          const Execution& execution = {},
                          std::span<const std::uint64_t> keys = {});

/// Inverts the map: transports points back to their source group. It returns x for
/// y = transport(map, x).
///
/// A hard map is affine on every component of its source, so y has one candidate per component: its
/// inverse image under the piece of that component. A candidate that lies in the component (Eq. 8)
/// is mapped to y. Pieces may overlap and leave gaps, so there can be several such candidates or
/// none. Of several, the most probable is returned; ties go to the lowest component. If there is
/// none, y is not an image of any point; the most probable candidate is returned, although its
/// image differs from y. The probability of a candidate x of component i is proportional to pi_i
/// N(x; m_i, S_i) / |det T_i|, the joint density of y and i under the map.
///
/// @param map     hard, or with one component: soft maps have no inverse in closed form, and random
///                maps send neighbours to different places
/// @param points  (n_samples, n_features), images under the map
/// @return        (n_samples, n_features)
/// @throws InvalidArgument  for other kinds of maps, refinement, dither, or a singular matrix
[[nodiscard]] RowMatrix inverse_transport(const LocalMap& map, SampleView points,
                                          const Execution& execution = {});

/// How to transport a row whose group was not in the fit.
enum class UnknownGroup {
  error,   ///< throw InvalidArgument
  ignore,  ///< leave the row unchanged
  /// Transport to the mean of its images under the maps of all groups, weighted by
  /// group_probabilities.
  barycenter,
};

template <>
struct EnumNames<UnknownGroup> {
  static constexpr std::string_view option = "handle_unknown";
  static constexpr NamedValue<UnknownGroup> values[] = {{UnknownGroup::error, "error"},
                                                        {UnknownGroup::ignore, "ignore"},
                                                        {UnknownGroup::barycenter, "barycenter"}};
};

/// (n_samples, n_groups): the posterior probability of each group under equal prior probabilities,
/// from the densities of the mixtures. Rows sum to 1. If the density of a sample vanishes in all
/// groups, its probabilities are equal.
[[nodiscard]] RowMatrix group_probabilities(const TransportModel& model, SampleView samples,
                                            const Execution& execution = {});

/// The type of the labels in a group column.
enum class LabelKind { text, whole_numbers, fractions };

/// The maximum number of distinct labels in n_rows rows. A larger number is treated as a mistake,
/// such as a continuous column used as groups, which would need one mixture per value.
///
/// 20 labels are always allowed. Text may have one label per 10 rows, because smaller groups cannot
/// be learned. Numbers are more often measurements: whole numbers may have sqrt(n_rows) labels, and
/// fractional numbers 20.
[[nodiscard]] Index max_groups(LabelKind kind, Index n_rows);

struct CouplingCost {
  double cost = 0.0;  ///< sum of mass times cost over the tuples, summed over all pairs of groups
  /// A lower bound for every coupling of these mixtures: the sum of the optimal pairwise plan
  /// costs.
  double at_least = 0.0;
};

/// The cost of a model's coupling, measured by Coupling::cost.
///
/// For two groups, both numbers are equal. For more, plans to a reference group may not be optimal
/// for pairs of other groups; a multimarginal coupling minimizes `cost`. `cost` - `at_least` bounds
/// the possible improvement.
///
/// @throws InvalidArgument  for a matching, which does not preserve the weights
[[nodiscard]] CouplingCost coupling_cost(const TransportModel& model,
                                         const Execution& execution = {});

/// (k_first, k_second): squared Bures-Wasserstein distances (Eq. 2) between the components of two
/// mixtures.
///
/// @throws InvalidArgument  unless both are valid and have the same number of features
[[nodiscard]] RowMatrix squared_distances(const Mixture& first, const Mixture& second,
                                          const Execution& execution = {});

/// Mixture-Wasserstein distance MW2: the square root of the optimal plan cost between the component
/// weights under squared_distances. It is a metric on mixtures, an upper bound of the 2-Wasserstein
/// distance, and equal to it for single Gaussians.
[[nodiscard]] double mixture_distance(const Mixture& first, const Mixture& second,
                                      const Execution& execution = {});

}  // namespace lbw
