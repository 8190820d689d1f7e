// SPDX-License-Identifier: MIT
// Fitting a transport model: options, the model, and the fit (Algorithm 2).
#pragma once

#include <functional>
#include <lbw/dither.hpp>
#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>
#include <lbw/quantile.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// How the components of groups are coupled.
enum class CouplingMethod {
  matching,  ///< one to one, whatever the components weigh (Algorithm 2)
  plan,      ///< by an optimal plan between their weights: mass is kept, components may be split
  /// All groups at once, at the least sum of costs between every two: the same as plan for two
  /// groups, and with more of them no group is a reference. Chosen among all tuples of components;
  /// where these are more than 4 million, among those that are near each other, and coupling_cost
  /// tells how much that may cost.
  multimarginal,
};

template <>
struct EnumNames<CouplingMethod> {
  static constexpr std::string_view option = "coupling";
  static constexpr NamedValue<CouplingMethod> values[] = {
      {CouplingMethod::matching, "matching"},
      {CouplingMethod::plan, "plan"},
      {CouplingMethod::multimarginal, "multimarginal"}};
};

/// What it costs to bring two components together.
enum class ComponentCost {
  means,  ///< squared distance of their means (Algorithm 2)
  bures,  ///< squared Bures-Wasserstein distance (Eq. 2): covariances count too
};

template <>
struct EnumNames<ComponentCost> {
  static constexpr std::string_view option = "cost";
  static constexpr NamedValue<ComponentCost> values[] = {{ComponentCost::means, "means"},
                                                         {ComponentCost::bures, "bures"}};
};

/// Which components belong together: tuples with one component of every group. A matching to the
/// reference group gives one tuple per component of the reference (Algorithm 2). Plans give more,
/// and a component may occur in several.
struct Coupling {
  CouplingMethod method = CouplingMethod::matching;
  ComponentCost cost = ComponentCost::means;
  Index reference = 0;  ///< the group that the others were coupled to; ignored if multimarginal
  /// (n_tuples, n_groups): tuples(t, g) is the component of group g in tuple t.
  MatrixOf<int, Order::row_major> tuples;
  /// (n_tuples), >= 0, summing to 1. matching: the mean of what the members weigh. Otherwise those
  /// of the tuples with a component sum to its weight, in every group.
  Vector masses;
};

/// Where a point goes whose component, or whose component's partner, is a matter of degree.
enum class MapKind {
  /// With the heaviest piece of its most likely component (Eq. 9): affine on each component, torn
  /// along their borders.
  hard,
  /// To the average of where all pieces would take it, by probability: continuous, but averages
  /// fall into gaps that the target group leaves empty.
  soft,
  /// With a piece drawn by probability: carries the source mixture onto the target mixture, and
  /// neighbours apart. The draw is a function of the seed, the point and its key (lbw/samples.hpp),
  /// whatever the batch, the order or the thread.
  random,
};

template <>
struct EnumNames<MapKind> {
  static constexpr std::string_view option = "map";
  static constexpr NamedValue<MapKind> values[] = {
      {MapKind::hard, "hard"}, {MapKind::soft, "soft"}, {MapKind::random, "random"}};
};

/// What a fit does with a group of fewer than two samples. One sample says nothing about the spread
/// of its group, so neither the group's map nor its part in the barycenter can be learned.
enum class SmallGroups {
  error,  ///< refuse the fit, naming the group
  keep,   ///< leave the group where it is and fit the others as if it were absent
};

template <>
struct EnumNames<SmallGroups> {
  static constexpr std::string_view option = "small_groups";
  static constexpr NamedValue<SmallGroups> values[] = {{SmallGroups::error, "error"},
                                                       {SmallGroups::keep, "keep"}};
};

/// One step of a sliced refinement: scaled points are turned by a rotation, every coordinate moves
/// towards the barycenter of all groups on its axis, and the points are turned back.
struct RefinementStep {
  Matrix rotation;  ///< (n_features, n_features), orthogonal; its rows are the axes
  /// tables[g][f]: the distribution of group g along axis f before the step.
  std::vector<std::vector<QuantileTable>> tables;
  /// One per group, from 0 to 1: the fraction of the group's difference from all samples that is
  /// attributed to sampling noise and left alone. Empty: 0, as in files of earlier versions.
  std::vector<double> shrinkage = {};
};

/// What brings groups that were carried to a barycenter closer to each other than mixtures of
/// Gaussians can.
struct Refinement {
  std::vector<double> barycentric_weights;  ///< what it was fitted for; one per group
  std::vector<RefinementStep> steps;        ///< none: no refinement
  /// (n_features), > 0: features are divided by these before they are rotated. Empty: 1.
  Vector scales = {};
  /// Number of samples behind the tables of each group (weights count copies), >= 0. Empty where
  /// the steps have no shrinkage.
  std::vector<double> sample_counts = {};

  [[nodiscard]] bool empty() const { return steps.empty(); }
};

/// A step as one group takes it.
struct SlicedStep {
  Matrix rotation;
  std::vector<QuantileMap> axes;  ///< one per feature
  Vector scales = {};             ///< as in Refinement
};

/// The samples of one group, under the name that maps are asked for.
struct Group {
  std::string name;
  /// (n_samples, n_features). A named matrix is not copied and must outlive the group. The group
  /// owns a temporary.
  HeldSamples samples;
  HeldSpan<double> sample_weights = {};  ///< empty, or one per sample; owned likewise
  /// What draws depend on besides the values (lbw/samples.hpp): empty, or one per sample; owned
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

/// The options of the coupling and of the maps with their bounds and help; those of the mixtures
/// are options_of(options.mixture). Weights and numbers of components of single groups, names and
/// the reference depend on the groups and are not among them.
[[nodiscard]] std::vector<Option> options_of(TransportOptions& options);

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

/// The masses of the tuples of a matching: the mean weight of the components in the tuple.
///
/// @param mixtures  one per column of coupling.tuples
/// @throws InvalidArgument  if a tuple refers to a component that its mixture does not have
[[nodiscard]] Vector matching_masses(std::span<const Mixture> mixtures, const Coupling& coupling);

/// The mass that a matching takes elsewhere than to the other group: half the sum, over the tuples,
/// of the difference between what the members of the two groups weigh. No map along the matching
/// can bring the carried group closer to the other in total variation of the components' masses.
/// 0 unless it is a matching.
[[nodiscard]] double misplaced_mass(const TransportModel& model, std::string_view first,
                                    std::string_view second);

struct GroupSelections {
  std::vector<SelectionResult> groups;  ///< one per group, in their order
  /// The number of each: TransportOptions::n_components_per_group. Where they differ, a model needs
  /// CouplingMethod::plan or multimarginal.
  std::vector<int> n_components;
};

/// select_components for every group: each chooses its own number.
///
/// @param groups        one or more, without sample weights
/// @param n_components  the numbers to try, the same for all
/// @throws InvalidArgument  naming the group
[[nodiscard]] GroupSelections select_components_per_group(std::span<const Group> groups,
                                                          std::span<const int> n_components,
                                                          const SelectionOptions& options = {});

}  // namespace lbw
