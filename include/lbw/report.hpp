// SPDX-License-Identifier: MIT
// What can be told about a fitted model, and of how it does on samples that it has not seen.
#pragma once

#include <lbw/displacement.hpp>
#include <lbw/separation.hpp>
#include <lbw/sliced_distance.hpp>
#include <lbw/transport.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lbw {

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
