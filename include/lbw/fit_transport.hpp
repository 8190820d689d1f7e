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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// How the components of the groups are coupled.
enum class CouplingMethod {
  matching,  ///< one to one, regardless of the component weights (Algorithm 2)
  plan,      ///< optimal transport plans between the weights; components may be split
  /// A joint coupling of all groups that minimizes the sum of the pairwise costs. Equal to plan for
  /// two groups; for more, no group is a reference. All tuples of components are considered if
  /// there are at most 4 million, otherwise only tuples of nearby components; coupling_cost bounds
  /// the loss.
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

/// The cost of coupling two components.
enum class ComponentCost {
  means,  ///< squared distance of the means (Algorithm 2)
  bures,  ///< squared Bures-Wasserstein distance (Eq. 2), which includes the covariances
};

template <>
struct EnumNames<ComponentCost> {
  static constexpr std::string_view option = "cost";
  static constexpr NamedValue<ComponentCost> values[] = {{ComponentCost::means, "means"},
                                                         {ComponentCost::bures, "bures"}};
};

/// The coupled components, as tuples with one component of every group. A matching has one tuple
/// per component of the reference group (Algorithm 2). A plan may have more, and a component may
/// occur in several tuples.
struct Coupling {
  CouplingMethod method = CouplingMethod::matching;
  ComponentCost cost = ComponentCost::means;
  Index reference = 0;  ///< the group that the others are coupled to; ignored if multimarginal
  /// (n_tuples, n_groups): tuples(t, g) is the component of group g in tuple t.
  MatrixOf<int, Order::row_major> tuples;
  /// (n_tuples), >= 0, summing to 1. matching: the mean weight of the members. Otherwise, the
  /// masses of all tuples with a component sum to its weight, for every group.
  Vector masses;
};

/// How a map transports a point that may belong to several components or pieces.
enum class MapKind {
  /// By the heaviest piece of its most likely component (Eq. 9). The map is affine on each
  /// component and discontinuous at the boundaries.
  hard,
  /// To the average of its images under all pieces, weighted by probability. The map is continuous,
  /// but averages may fall into gaps of the target group.
  soft,
  /// By a piece drawn at random by probability. The source mixture is mapped onto the target
  /// mixture, but neighbours may be separated. The draw depends only on the seed, the point and its
  /// key (lbw/samples.hpp), not on batches, order or threads.
  random,
};

template <>
struct EnumNames<MapKind> {
  static constexpr std::string_view option = "map";
  static constexpr NamedValue<MapKind> values[] = {
      {MapKind::hard, "hard"}, {MapKind::soft, "soft"}, {MapKind::random, "random"}};
};

/// How a fit treats groups of fewer than two samples, from which no spread can be estimated.
enum class SmallGroups {
  error,  ///< throw InvalidArgument naming the group
  keep,   ///< leave the group unchanged and fit the others without it
};

template <>
struct EnumNames<SmallGroups> {
  static constexpr std::string_view option = "small_groups";
  static constexpr NamedValue<SmallGroups> values[] = {{SmallGroups::error, "error"},
                                                       {SmallGroups::keep, "keep"}};
};

/// One step of a sliced refinement: rotate the scaled points, move every coordinate towards the
/// barycenter of all groups on its axis, and rotate back.
struct RefinementStep {
  Matrix rotation;  ///< (n_features, n_features), orthogonal; its rows are the axes
  /// tables[g][f]: the distribution of group g along axis f before the step.
  std::vector<std::vector<QuantileTable>> tables;
  /// One per group, from 0 to 1: the fraction of the group's difference from all samples that is
  /// attributed to sampling noise and not corrected. Empty means 0, as in files of earlier
  /// versions.
  std::vector<double> shrinkage = {};
};

/// A sliced refinement of maps to the barycenter. It reduces the differences between groups that
/// Gaussian mixtures leave.
struct Refinement {
  std::vector<double> barycentric_weights;  ///< the weights it was fitted for; one per group
  std::vector<RefinementStep> steps;        ///< empty if there is no refinement
  /// (n_features), > 0: features are divided by these before the rotation. Empty means 1.
  Vector scales = {};
  /// The number of samples behind the tables of each group (a weight of 2 counts twice), >= 0.
  /// Empty if the steps have no shrinkage.
  std::vector<double> sample_counts = {};

  [[nodiscard]] bool empty() const { return steps.empty(); }
};

/// A refinement step for one group.
struct SlicedStep {
  Matrix rotation;
  std::vector<QuantileMap> axes;  ///< one per feature
  Vector scales = {};             ///< as in Refinement
};

class SampleSource;

/// The samples of one group and its name.
struct Group {
  std::string name;
  /// (n_samples, n_features). A named matrix is not copied and must outlive the group; a temporary
  /// matrix is moved into the group.
  HeldSamples samples;
  /// Empty, or one per sample: finite, >= 0; same ownership. A weight of 2 is equivalent to two
  /// copies of the sample, except for random draws, and samples of weight 0 have no effect. Only
  /// ratios of the weights within a group matter where the number of samples does not: it does for
  /// dither, shrinkage, group_shrinkage and refine (GroupReport::count).
  HeldSpan<double> sample_weights = {};
  /// Keys of the samples for random draws (lbw/samples.hpp); empty, or one per sample; same
  /// ownership.
  HeldSpan<std::uint64_t> keys = {};
  /// The rows of a group that does not fit into memory (lbw/sample_source.hpp); it must outlive the
  /// group. The other members except the name are then ignored. Null by default. A fit fetches
  /// 65536 rows, on which dither, group shrinkage and refinement are decided, and all rows of
  /// smaller groups. Groups with sources are fitted at the same time, one thread per group. The key
  /// of a row is its index.
  SampleSource* source = nullptr;
};

/// A summary of the fit of one group.
struct GroupReport {
  Index n_samples = 0;  ///< rows of positive weight; all rows of a group with a source
  double mean_log_likelihood = 0.0;
  int iterations = 0;
  bool converged = false;
  int replaced_components = 0;
  /// The number of samples that the weights represent: their sum, because a weight of 2 counts as
  /// two copies, or Kish's effective sample size (sum w)^2 / sum w^2 if that is larger. Empty
  /// without weights.
  std::optional<double> weighted_count = std::nullopt;
  int unestimated_components = 0;  ///< see MixtureFit

  /// weighted_count, or n_samples without weights.
  [[nodiscard]] double count() const {
    return weighted_count ? *weighted_count : static_cast<double>(n_samples);
  }
};

struct TransportOptions {
  /// How each group's mixture is fitted. All groups use the same seed, so the order of the groups
  /// does not matter. mixture.relative_covariance_floor is relative to the variance over all
  /// groups, each with equal weight, unless mixture.floor_variances is set. Otherwise, a feature
  /// with little variance in one group and much in another would be stretched too far.
  MixtureOptions mixture = {};
  /// The number of components of each group; empty means mixture.n_components for all. With a
  /// matching, all numbers must be equal.
  std::vector<int> n_components_per_group = {};
  /// The coupling, its cost and the kind of map. The defaults had the best measured results
  /// (docs/beyond.md); matching, means and hard reproduce the paper.
  CouplingMethod coupling = CouplingMethod::plan;
  ComponentCost cost = ComponentCost::means;
  MapKind map = MapKind::random;
  /// Whether to divide every feature by its standard deviation over all groups when components are
  /// coupled, mapped and averaged, and when EM starts, so that units do not matter. By default,
  /// distances use the original units, as in the paper; maps of full and tied covariances then
  /// depend on the units.
  bool scale_features = false;
  /// Noise for features that take few values. It is added before the fit and in every transport,
  /// and depends on the values, the keys and a separate stream of mixture.seed. If a feature needs
  /// noise, the fit copies all samples.
  Dither dither = {};
  /// The number of sliced refinement steps that maps to the barycenter apply after the pieces; 0
  /// means none. Each step rotates the transported points, scaled to unit variance about the
  /// means of the groups (without values beyond twenty standard deviations), by a random rotation
  /// (from a separate stream of mixture.seed) and moves every axis towards the barycenter of the
  /// groups. Differences that sampling noise explains are not corrected (docs/beyond.md). The fit
  /// holds at most 65536 samples per group in memory.
  int refine = 0;
  /// The barycentric weights of the refinement, divided by their sum; empty means equal weights.
  std::vector<double> refine_weights = {};
  /// Shrinkage of the mean, variances and correlations of every group towards those of all samples,
  /// before the groups are coupled. If automatic, the amount is the fraction explained by sampling
  /// noise (docs/beyond.md), which vanishes for large groups. None by default, as in the paper;
  /// recommended for repairing a group effect.
  Shrinkage group_shrinkage = {};
  /// How to treat groups of fewer than two samples.
  SmallGroups small_groups = SmallGroups::error;
  /// The name of the group that the others are coupled to; empty means the first. It has no effect
  /// with two groups, nor with CouplingMethod::multimarginal.
  std::string reference = {};
  /// Feature names stored in the model; empty, or one per feature.
  std::vector<std::string> feature_names = {};
  /// Called after every step of a fit with the name of the group. Calls are serialized but may come
  /// from any thread, because small groups are fitted in parallel. An exception ends the fit.
  std::function<void(std::string_view group, const FitProgress&)> on_iteration = {};
  /// Called after every refinement step with the number of steps done, 1 to `refine`. An exception
  /// ends the fit.
  std::function<void(int n_done)> on_refinement = {};
};

/// The options of the coupling and of the maps, with bounds and help. options_of(options.mixture)
/// lists the mixture options. Options that depend on the groups (weights and numbers of components
/// per group, names, reference) are not listed.
[[nodiscard]] std::vector<Option> options_of(TransportOptions& options);

/// A fitted L-BW model (Algorithm 2): mixtures and their coupling, without the samples. It provides
/// maps between any two groups and to any barycenter without refitting.
struct TransportModel {
  std::vector<std::string> group_names;
  std::vector<std::string> feature_names;  ///< empty if unknown
  std::vector<Mixture> mixtures;           ///< one per group, in the order of the names
  Coupling coupling;
  MapKind map = MapKind::hard;  ///< the kind of all maps of the model
  /// (n_features), > 0: units of the distances between components; empty means 1 (scale_features).
  Vector scales;
  Vector dither;  ///< widths of the noise, one per feature; empty if there is none
  /// Cells of automatic noise, one entry per feature; empty if there are none.
  std::vector<DitherCells> dither_cells;
  Refinement refinement;  ///< of maps to the barycenter; empty by default
  /// Names of groups that were too small to fit (SmallGroups::keep). Their map to the barycenter is
  /// the identity, and they have no weight in the barycenter.
  std::vector<std::string> kept_groups;
  std::vector<GroupReport> reports;  ///< one per group
  MixtureOptions mixture_options;    ///< the options of the mixture fits
  /// Arbitrary texts that an application stores with the model, by name. lbw does not read them.
  std::map<std::string, std::string> notes;

  [[nodiscard]] Index n_groups() const { return static_cast<Index>(group_names.size()); }
  [[nodiscard]] Index n_features() const { return mixtures.front().n_features(); }
  /// The index of a group. @throws InvalidArgument listing the group names
  [[nodiscard]] Index group_index(std::string_view name) const;
  [[nodiscard]] bool converged() const;
  /// Whether maps add noise to points before they transport them.
  [[nodiscard]] bool dithers() const { return dither.size() > 0 || !dither_cells.empty(); }
};

/// Fits a mixture to every group and couples the components (Algorithm 2).
///
/// @param groups  two or more, with the same number of features and distinct non-empty names
[[nodiscard]] TransportModel fit_transport(std::span<const Group> groups,
                                           const TransportOptions& options);

/// Couples the components of existing mixtures as fit_transport does, without fitting. Uses the
/// options coupling, cost, scale_features, map, reference, feature_names, mixture.seed and
/// mixture.execution. dither and refine need samples and throw InvalidArgument. The reports have 0
/// samples.
///
/// @param mixtures  one per name, of the same covariance type and number of features
[[nodiscard]] TransportModel couple_mixtures(std::span<const std::string> group_names,
                                             std::span<const Mixture> mixtures,
                                             const TransportOptions& options);

/// Checks the consistency of a model: names, shapes, mixtures, coupling, dither and refinement.
///
/// @throws InvalidArgument  if fit_transport could not have returned the model
void check_model(const TransportModel& model, const char* function);

/// The masses of the tuples of a matching: the mean weight of the components in the tuple.
///
/// @param mixtures  one per column of coupling.tuples
/// @throws InvalidArgument  if a tuple refers to a component that its mixture does not have
[[nodiscard]] Vector matching_masses(std::span<const Mixture> mixtures, const Coupling& coupling);

/// The mass that a matching moves to where the other group has none: half the sum over the tuples
/// of the absolute difference between the weights of the two members. It is a lower bound of the
/// total variation between component masses after any map along the matching. 0 unless the coupling
/// is a matching.
[[nodiscard]] double misplaced_mass(const TransportModel& model, std::string_view first,
                                    std::string_view second);

struct GroupSelections {
  std::vector<SelectionResult> groups;  ///< one per group, in the same order
  /// The selected numbers, for TransportOptions::n_components_per_group. If they differ, the
  /// coupling must be plan or multimarginal.
  std::vector<int> n_components;
};

/// Selects the number of components separately for each group (select_components).
///
/// @param groups        one or more; sample weights as in select_components
/// @param n_components  the candidates, the same for all groups
/// @throws InvalidArgument  naming the group
[[nodiscard]] GroupSelections select_components_per_group(std::span<const Group> groups,
                                                          std::span<const int> n_components,
                                                          const SelectionOptions& options = {});

}  // namespace lbw
