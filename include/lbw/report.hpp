// SPDX-License-Identifier: MIT
// How well a model does: displacements, distances of samples, reports and warnings.
#pragma once

#include <cstdint>
#include <lbw/samples.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lbw {

/// The null distribution of a measure of two samples: its values when their points are assigned to
/// the samples at random, as many to each as before. Two samples of one distribution look like
/// that.
struct PermutationNull {
  int n_permutations = 0;  ///< 0: none was asked for, and the rest means nothing
  double mean = 0.0;       ///< of the measure over the permutations
  double quantile = 0.0;   ///< 95 % of the permutations are at most so large
  /// Fraction of permutations that are at least as large as the value seen, which counts as one of
  /// them.
  double p_value = 1.0;
  double deviation = 0.0;  ///< standard deviation of the measure over the permutations
};

struct SlicedDistanceOptions {
  /// Directions drawn uniformly from the sphere by `seed`, unless `directions` holds some. One
  /// feature has one direction.
  int n_directions = 64;
  /// (n_directions, n_features), rows of length 1 within 1e-6; empty: drawn.
  RowMatrix directions = {};
  /// Random permutations behind the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct SlicedDistance {
  double distance = 0.0;
  PermutationNull null;
};

/// Sliced Wasserstein distance of order 2 of two samples: along every direction the samples have a
/// Wasserstein distance on the line, had by sorting; the result is the root of the mean of their
/// squares. It is never above the Wasserstein distance of the samples, and 0 for equal ones alone
/// (of all directions).
///
/// Takes n_directions sorts, and one walk along every direction for each permutation.
///
/// @param first, second  one sample or more each, of one number of features
[[nodiscard]] SlicedDistance sliced_distance(SampleView first, SampleView second,
                                             const SlicedDistanceOptions& options = {});

struct SeparationOptions {
  /// Neighbours that a point is judged by, at most half of all points; 0: the root of half their
  /// number, rounded.
  int n_neighbors = 0;
  /// Random permutations behind the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct Separation {
  /// Probability that a point of the second sample has a higher score than one of the first, ties
  /// by halves: 1 where the classifier tells the samples apart without error, 0.5 where it cannot.
  double auc = 0.5;
  int n_neighbors = 0;  ///< that were used
  PermutationNull null;
};

/// How well a classifier tells two samples apart: nearest neighbours, which need no model and see
/// any difference that is local.
///
/// All points are cut into two random halves by the seed. The score of a point is the share of the
/// second sample among its nearest neighbours in the other half, so that neither its own label nor
/// who else is judged with it plays a part; pairs of points are compared within a half. (Leaving
/// out the point alone would not do: of equal points, those of the second sample then have one
/// neighbour of their own less, and always the lower score.) Features are divided by their standard
/// deviation over both samples. All neighbours as near as the last are taken, so that ties, as
/// between points of one-hot columns, do not depend on the order of the samples. Takes
/// (n_first + n_second)^2 / 2 distances.
///
/// @param first, second  two samples or more each, of one number of features
[[nodiscard]] Separation separation(SampleView first, SampleView second,
                                    const SeparationOptions& options = {});

/// How far a map moves samples, beside how far it should.
struct Displacement {
  Index n_samples = 0;
  double rms = 0.0;      ///< root mean square displacement
  double largest = 0.0;  ///< largest displacement
  /// Distance of the means, plus the root mean square distance of the samples from their mean, plus
  /// the same of the target. No map that takes the samples to the target moves them by more in the
  /// root mean square, whichever point goes where (triangle inequality).
  double reach = 0.0;
  /// How far the outermost sample would go if the samples grew as the target is larger than they:
  /// distance of the means + distance of that sample from its mean * (1 + ratio of the spreads).
  double farthest_reach = 0.0;

  /// Whether displacements are too large: rms above reach, or largest above three times
  /// farthest_reach. It happens where components have directions of next to no variance, which the
  /// map must stretch.
  [[nodiscard]] bool out_of_proportion() const {
    return rms > reach || largest > 3.0 * farthest_reach;
  }
};

/// @param map      whose source the samples are of
/// @param target   the mixture that it leads to
/// @param samples  one or more
[[nodiscard]] Displacement displacement(const LocalMap& map, const Mixture& target,
                                        SampleView samples, const Execution& execution = {});

/// A warning with a remedy where a model moves samples too far; the worst case of several.
///
/// Every group is carried to the barycenter or, with no weights, to the reference and back; of a
/// large one, 4096 samples are looked at, and fewer than 10 tell nothing. Samples of the fit lie
/// where their components have variance, so that what happens to new ones does not show on them;
/// they are therefore carried twice, as they are and nudged by normal noise: a tenth of every
/// feature's standard deviation over all groups given.
///
/// @param groups               samples of groups of the model, such as those that it was fitted to
/// @param barycentric_weights  one per group of the model, or none
[[nodiscard]] std::optional<std::string> displacement_warning(
    const TransportModel& model, std::span<const Group> groups,
    std::span<const double> barycentric_weights = {}, const Execution& execution = {});

/// What a user should know of the fit of a model, as sentences that name what to change. Those of
/// the verdict of report() too, and found without samples.
///
/// - mixture_options.covariance_floor is more than 1 % of the variance of a feature in a group,
///   although the feature is not constant there: the covariances then describe the floor. Floors
///   above the default were chosen, and are not warned of.
/// - Components of a group are copies of others, because it has fewer distinct samples.
[[nodiscard]] std::vector<std::string> fit_warnings(const TransportModel& model);

// What can be told about a fitted model, and of how it does on samples that it has not seen.

struct ComponentReport {
  std::string group;
  int component = 0;
  double mass = 0.0;       ///< its weight
  double n_samples = 0.0;  ///< behind it: its weight times the samples of the group's fit
  double condition = 1.0;  ///< largest over smallest eigenvalue of its covariance
};

/// A matching of the components of two groups.
struct MatchingReport {
  /// True where the model is coupled by it. Otherwise it is the one of least cost, and tells what
  /// coupling by a matching would do.
  bool is_coupling = false;
  Labels matching;  ///< matching[i] is the component of the second group of component i
  /// 1/2 sum_i |weight_i - weight_matching[i]|: mass that goes elsewhere than the other group has
  /// it.
  double misplaced_mass = 0.0;
  /// What that costs: MW2 between the group that the matching carries, whose weights stay what they
  /// were, and the one that it is carried to; of both ways the larger. Between mixtures that fit
  /// perfectly a map along the matching leaves so much, and a map along a plan nothing.
  double remaining_distance = 0.0;
  /// What moving all mass costs along the matching: of every pair as much as both members weigh
  /// goes from one to the other, and the misplaced mass from where it is left over to where it is
  /// missing, at the least cost. Comparable with PairReport::plan_cost, and never below it.
  double cost = 0.0;
  double total =
      0.0;  ///< sum of the costs of the pairs, whatever they weigh: what `match` makes least
  /// Total of the cheapest other matching, less this one's: near 0 where the choice is all but a
  /// toss-up, +infinity where there is no other, below 0 where another is cheaper, as may be
  /// between two groups that were both matched to a third.
  double gap = 0.0;
};

/// Costs are those of the model's coupling.cost, per unit of mass.
struct PairReport {
  std::string first;
  std::string second;
  double mixture_distance = 0.0;  ///< MW2, whatever the model's cost
  double plan_cost = 0.0;         ///< the least at which all mass can be moved
  /// At which the model's coupling moves it: MatchingReport::cost, or sum of mass times cost over
  /// the tuples. Never below plan_cost; above it where a matching insists on its pairs, or where
  /// two groups are coupled by way of a third.
  double coupling_cost = 0.0;
  std::optional<MatchingReport> matching;  ///< where both groups have as many components
};

/// Held-out samples of one group, carried to another or to the barycenter.
struct CarryReport {
  std::string from;
  std::string to;                 ///< a group; empty: the barycenter
  double mixture_distance = 0.0;  ///< MW2 of the source's mixture and the target's
  Displacement displacement;
  double log_likelihood = 0.0;  ///< mean of the carried samples under the target's mixture
  /// Mean of the target's own held-out samples there; of the barycenter, of as many draws from it.
  double target_log_likelihood = 0.0;
  /// Of the samples from those of the target; of a barycenter none.
  std::optional<SlicedDistance> before;
  std::optional<SlicedDistance> after;  ///< of the carried samples from those of the target
  /// The largest such distance that is explained by noise: of the held-out samples, and of the fit,
  /// which saw finitely many samples too. Over all groups and measures of a report together, noise
  /// alone exceeds such a limit in 5 % of reports at most. None without permutations.
  std::optional<double> after_limit;
  Index n_target_samples = 0;  ///< behind target_log_likelihood
  /// Standard deviation of the log-likelihoods that it is the mean of.
  double target_log_likelihood_deviation = 0.0;
};

/// Held-out samples of two groups, as they are and carried to the barycenter. The classifier takes
/// its default number of neighbours or, where only these find a difference to warn of, five.
struct SeparationReport {
  std::string first;
  std::string second;
  SlicedDistance distance_before = {};
  SlicedDistance distance_after = {};
  Separation before = {};
  Separation after = {};
  /// The largest distance_after and AUC after that noise explains; see CarryReport::after_limit.
  std::optional<double> distance_limit = {};
  double auc_limit = 1.0;
};

/// One sentence of a verdict.
struct Finding {
  bool warning = false;  ///< something to look at
  std::string text;
};

struct Report {
  std::vector<ComponentReport> components;  ///< by group, then component
  std::vector<PairReport> pairs;            ///< of every two groups
  /// Of held-out samples; empty without.
  std::vector<double> barycentric_weights;
  std::vector<CarryReport>
      carries;  ///< of every two groups, there and back; then to the barycenter
  std::vector<SeparationReport> separations;  ///< of every two groups
  /// Warnings first; "No problems found." where there is none. A map without fault is warned of
  /// in 5 % of reports at most.
  std::vector<Finding> verdict;
};

struct ReportOptions {
  /// Samples a group that are looked at, at most: costs of some measures grow with their square.
  Index most_samples = 2000;
  int n_directions = 64;
  int n_permutations = 199;
  /// Of the barycenter, divided by their sum; empty: those that the model was refined for, else
  /// equal.
  std::vector<double> barycentric_weights = {};
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// @param held_out  samples of groups of the model, 10 or more of each and without weights, that
///                  its fit has not seen; none: the model alone is reported on. Groups that are
///                  missing are left out.
[[nodiscard]] Report report(const TransportModel& model, std::span<const Group> held_out = {},
                            const ReportOptions& options = {});

/// The report as tables, one line per row, and the verdict.
///
/// @param most_rows  of a table, the rest counted; 0: all
[[nodiscard]] std::string describe(const Report& report, std::size_t most_rows = 0);

}  // namespace lbw
