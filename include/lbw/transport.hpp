// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/coupling.hpp>
#include <lbw/dither.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/held.hpp>
#include <lbw/map_kind.hpp>
#include <lbw/matrix_view.hpp>
#include <lbw/refinement.hpp>
#include <lbw/row_key.hpp>
#include <lbw/sample_view.hpp>
#include <lbw/shrinkage.hpp>
#include <lbw/small_groups.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// The samples of one group, under the name that maps are asked for.
struct Group {
  std::string name;
  /// (n_samples, n_features). A named matrix is not copied and must outlive the group. The group
  /// owns a temporary.
  HeldSamples samples;
  HeldSpan<double> sample_weights = {};  ///< empty, or one per sample; owned likewise
  /// What draws depend on besides the values (lbw/row_key.hpp): empty, or one per sample; owned
  /// likewise.
  HeldSpan<std::uint64_t> keys = {};
};

/// How the fit of one group went.
struct GroupReport {
  Index n_samples = 0;
  double mean_log_likelihood = 0.0;
  int iterations = 0;
  bool converged = false;
  int replaced_components = 0;
};

struct TransportOptions {
  /// How each group's mixture is fitted. All groups use the same seed, so that the order of the
  /// groups does not matter. mixture.relative_covariance_floor is a share of the variance over all
  /// groups, each counting the same, unless mixture.floor_variances says otherwise: a feature that
  /// hardly varies in one group and much in another would else be stretched beyond measure.
  MixtureOptions mixture = {};
  /// Components of every group, in their order; empty: mixture.n_components for all. Groups may
  /// differ unless they are matched.
  std::vector<int> n_components_per_group = {};
  /// How components are coupled, at what cost, and how the maps of the model transport points.
  /// These are what measured best (docs/beyond.md); matching, means and hard are the paper's.
  CouplingMethod coupling = CouplingMethod::plan;
  ComponentCost cost = ComponentCost::means;
  MapKind map = MapKind::random;
  /// Whether components are coupled, mapped and averaged with every feature divided by its standard
  /// deviation over all groups, so that the units of features do not matter. Without it distances
  /// are those of the features as they are, as in the paper: full and tied covariances are then
  /// mapped differently in other units.
  bool scale_features = false;
  /// Noise for features that take few values. Points are moved by it before the fit and whenever
  /// they are transported, by their values, their keys and a stream of its own of mixture.seed. If
  /// a feature is found, the fit holds a copy of all samples.
  Dither dither = {};
  /// Steps of a sliced refinement that maps to the barycenter take after the pieces; 0: none. Each
  /// rotates the transported points, scaled to unit variance over all groups, by a random rotation
  /// (a stream of its own of mixture.seed) and moves every axis towards the mid-quantile of the
  /// groups. Differences that sampling noise explains are left alone (docs/beyond.md). Fitted on at
  /// most 65536 samples a group, which are held in memory meanwhile.
  int refine = 0;
  /// The barycentric weights that the refinement is fitted for, divided by their sum; empty: equal.
  std::vector<double> refine_weights = {};
  /// How far the mean, variances and correlations of every group are drawn towards those of all
  /// samples before the groups are coupled. Automatic: by the fraction that sampling noise explains
  /// (docs/beyond.md), which vanishes for large groups. None by default, as in the paper;
  /// recommended where groups are repaired.
  Shrinkage group_shrinkage = {};
  /// What happens to groups of fewer than two samples, which have no spread to learn.
  SmallGroups small_groups = SmallGroups::error;
  /// Name of the group that the others are coupled to; empty means the first. With two groups it
  /// makes no difference.
  std::string reference = {};
  /// Feature names kept in the model; empty, or one per feature.
  std::vector<std::string> feature_names = {};
  /// Called after every step of a fit with the name of the group at work, one call at a time but
  /// from any thread: small groups are fitted side by side. What it throws ends the fit.
  std::function<void(std::string_view group, const FitProgress&)> on_iteration = {};
};

/// A fitted L-BW model (Algorithm 2): mixtures and their coupling, nothing of the samples. Maps
/// between any two groups and to any barycenter follow from it without refitting.
struct TransportModel {
  std::vector<std::string> group_names;
  std::vector<std::string> feature_names;  ///< empty when unknown
  std::vector<Mixture> mixtures;           ///< one per group, in the order of the names
  Coupling coupling;
  MapKind map = MapKind::hard;  ///< of the maps that follow from the model
  /// (n_features), > 0: units of the distances between components; empty: 1. See scale_features.
  Vector scales;
  Vector dither;  ///< widths of the noise, one per feature; empty: none
  /// Cells of automatic noise, one entry per feature; empty: none.
  std::vector<DitherCells> dither_cells;
  Refinement refinement;  ///< of maps to the barycenter; empty unless asked for
  /// Names of groups that were too small to fit and are left where they are (SmallGroups::keep):
  /// their map to the barycenter is the identity, and they have no weight in the barycenter.
  std::vector<std::string> kept_groups;
  std::vector<GroupReport> reports;  ///< one per group
  MixtureOptions mixture_options;    ///< what the mixtures were fitted with
  /// Texts that a program keeps with the model, by name; lbw carries them and reads none.
  std::map<std::string, std::string> notes;

  [[nodiscard]] Index n_groups() const { return static_cast<Index>(group_names.size()); }
  [[nodiscard]] Index n_features() const { return mixtures.front().n_features(); }
  /// Position of a group. @throws InvalidArgument listing the groups there are
  [[nodiscard]] Index group_index(std::string_view name) const;
  [[nodiscard]] bool converged() const;
  /// Whether points are moved by noise before they are transported.
  [[nodiscard]] bool dithers() const { return dither.size() > 0 || !dither_cells.empty(); }
};

/// Fits every group's mixture and couples their components (Algorithm 2).
///
/// @param groups  two or more, of one number of features, with distinct non-empty names
[[nodiscard]] TransportModel fit_transport(std::span<const Group> groups,
                                           const TransportOptions& options);

/// The model of mixtures that are there already: their components coupled as fit_transport does it,
/// nothing fitted. Of the options coupling, cost, scale_features, map, reference, feature_names,
/// mixture.seed and mixture.execution count; dither and refine need samples and are refused. The
/// reports are of 0 samples.
///
/// @param mixtures  one per name, of one covariance type and one number of features
[[nodiscard]] TransportModel couple_mixtures(std::span<const std::string> group_names,
                                             std::span<const Mixture> mixtures,
                                             const TransportOptions& options);

/// @throws InvalidArgument unless the model is one that fit_transport could have returned: names,
///         shapes, mixtures, coupling, dither and refinement agree
void check_model(const TransportModel& model, const char* function);

/// The mass that a matching takes elsewhere than to the other group: half the sum, over the tuples,
/// of the difference between what the members of the two groups weigh. No map along the matching
/// can bring the carried group closer to the other in total variation of the components' masses.
/// 0 unless it is a matching.
[[nodiscard]] double misplaced_mass(const TransportModel& model, std::string_view first,
                                    std::string_view second);

/// The barycenter as a mixture (Algorithm 3): one Gaussian per tuple, its weight the mass of the
/// tuple or, under a matching, the average of its members' weights (deviation P3). At a corner (one
/// weight is 1) it is that group, in the order of the tuples.
///
/// @param barycentric_weights  one per group, finite, >= 0 and not all 0; divided by their sum
[[nodiscard]] Mixture barycenter(const TransportModel& model,
                                 std::span<const double> barycentric_weights);

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
                                   std::string_view to, double amount = 1.0);

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
                                         double amount = 1.0);

/// Carries points, seen before or not, as the kind of the map says: hard takes each by the heaviest
/// piece of its component (Eq. 8-9).
///
/// @param samples  (n_samples, n_features) of the map's source group
/// @param keys     one per sample, which random maps and dither draw by besides the values
///                 (lbw/row_key.hpp); or none: equal samples of the call are numbered
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

}  // namespace lbw
