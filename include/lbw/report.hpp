// SPDX-License-Identifier: MIT
// Evaluating a model: displacements, distances between samples, reports and warnings.
// The tables are lists of named columns. The JSON of the program, the tables of Python and the
// printed text are made from these lists, so a quantity has the same name in all of them.
#pragma once

#include <cstdint>
#include <lbw/samples.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lbw {

/// The null distribution of a statistic of two samples in a permutation test: its values when the
/// points are reassigned to the samples at random, with the same sample sizes.
struct PermutationNull {
  int n_permutations = 0;  ///< 0 if there was no test; the other members are then undefined
  double mean = 0.0;       ///< mean of the statistic over the permutations
  double quantile = 0.0;   ///< 95 % quantile of the statistic over the permutations
  /// Fraction of permutations whose statistic is at least the observed one, which is itself
  /// counted.
  double p_value = 1.0;
  double deviation = 0.0;  ///< standard deviation of the statistic over the permutations
};

struct SlicedDistanceOptions {
  /// The number of directions, drawn uniformly from the sphere by `seed`. Ignored if `directions`
  /// is given or if there is one feature.
  int n_directions = 64;
  /// (n_directions, n_features), rows of length 1 within 1e-6; if empty, they are drawn.
  RowMatrix directions = {};
  /// The number of random permutations used to estimate the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct SlicedDistance {
  double distance = 0.0;
  PermutationNull null;
};

/// Sliced 2-Wasserstein distance of two samples: the root mean square, over all directions, of the
/// Wasserstein distance of the projected samples, which is computed by sorting. It is a lower bound
/// of the Wasserstein distance and, over all directions, 0 only for equal samples.
///
/// The cost is n_directions sorts and one pass along every direction for each permutation.
///
/// @param first, second  at least one sample each, with the same number of features
[[nodiscard]] SlicedDistance sliced_distance(SampleView first, SampleView second,
                                             const SlicedDistanceOptions& options = {});

struct SeparationOptions {
  /// The number of neighbours, at most half of all points; 0 means the square root of half the
  /// number of points, rounded.
  int n_neighbors = 0;
  /// The number of random permutations used to estimate the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct Separation {
  /// Area under the ROC curve: the probability that a point of the second sample has a higher score
  /// than one of the first, with ties counted as 1/2. It is 1 if the classifier separates the
  /// samples perfectly and 0.5 if it cannot separate them.
  double auc = 0.5;
  int n_neighbors = 0;  ///< the number of neighbours that was used
  PermutationNull null;
};

/// How well a nearest-neighbour classifier separates two samples (classifier two-sample test). It
/// needs no model and detects local differences.
///
/// The points are split into two random halves by the seed. The score of a point is the fraction of
/// the second sample among its nearest neighbours in the other half, so its own label is not used;
/// scores are compared within a half. (Leave-one-out scores would be biased: among equal points,
/// those of the second sample would have one neighbour of their own sample less.) Features are
/// divided by their standard deviation over both samples. All neighbours at the distance of the
/// last one are included, so ties, for instance in one-hot columns, do not depend on the order of
/// the samples. The cost is (n_first + n_second)^2 / 2 distances.
///
/// @param first, second  at least two samples each, with the same number of features
[[nodiscard]] Separation separation(SampleView first, SampleView second,
                                    const SeparationOptions& options = {});

struct BoostedTreesOptions {
  int n_iterations = 25;      ///< trees of every group, or of the second one of two
  int max_leaf_nodes = 15;    ///< of a tree
  int min_samples_leaf = 20;  ///< samples of every leaf
  double learning_rate = 0.2;
  Execution execution = {};
};

/// Learns from samples of groups to tell the groups apart, and returns the probabilities of the
/// groups of other samples: (n_others, n_groups), with rows that sum to 1.
///
/// A classifier of gradient-boosted trees on histograms, for comparisons such as "do samples still
/// reveal their group after a transport". It gives the same probabilities as scikit-learn's
/// HistGradientBoostingClassifier of the same settings, up to rounding and up to 200,000 samples,
/// beyond which scikit-learn bins by a random part of them. A feature has at most 255 bins. Samples
/// of weight 0 count as samples of a leaf, and for nothing else.
///
/// @param labels   the number of every sample's group, all of 0, 1, ..., n_groups - 1
/// @param others   with the features of the samples
/// @param weights  one per sample, not all 0; empty: every sample counts 1
[[nodiscard]] RowMatrix group_probabilities(SampleView samples, std::span<const int> labels,
                                            SampleView others, std::span<const double> weights = {},
                                            const BoostedTreesOptions& options = {});

/// How far a map moves samples, and limits for comparison.
struct Displacement {
  Index n_samples = 0;
  double rms = 0.0;      ///< root mean square displacement
  double largest = 0.0;  ///< largest displacement
  /// Distance of the means, plus the root mean square distance of the samples from their mean, plus
  /// the same for the target. By the triangle inequality, no map from the samples to the target has
  /// a larger rms.
  double reach = 0.0;
  /// The displacement of the outermost sample under scaling to the spread of the target: distance
  /// of the means + distance of that sample from its mean * (1 + ratio of the spreads).
  double farthest_reach = 0.0;

  /// Whether displacements are too large: rms above reach, or largest above three times
  /// farthest_reach. The cause is usually a component with almost no variance in some direction,
  /// which the map stretches.
  [[nodiscard]] bool out_of_proportion() const {
    return rms > reach || largest > 3.0 * farthest_reach;
  }
};

/// Measures the displacement of samples under a map.
///
/// @param map      the map from the group of the samples
/// @param target   the mixture of the map's target
/// @param samples  one or more
[[nodiscard]] Displacement displacement(const LocalMap& map, const Mixture& target,
                                        SampleView samples, const Execution& execution = {});

/// A warning with advice if a model moves samples too far; only the worst case is reported.
///
/// Every group is transported to the barycenter or, without weights, to the reference group and
/// back. At most 4096 samples of a group are used, and weights as in report(); groups of fewer than
/// 10 are skipped. Training samples lie where their components have variance, so they do not show
/// how new samples behave. They are therefore transported twice: unchanged, and with normal noise
/// of a tenth of every feature's standard deviation over all given groups.
///
/// @param groups               samples of groups of the model, such as the training samples
/// @param barycentric_weights  one per group of the model, or none
[[nodiscard]] std::optional<std::string> displacement_warning(
    const TransportModel& model, std::span<const Group> groups,
    std::span<const double> barycentric_weights = {}, const Execution& execution = {});

/// A warning with advice if the Gaussian of a group with one component describes a few values of
/// some feature and not the others: at most 1 % of the values are 25 times as far from the median
/// as the central 80 % reach, and they make up three quarters of the mean square. A typing error is
/// an example. The worst feature of all groups is named. Groups of fewer than 20 samples are
/// skipped.
///
/// @param groups  the training samples, of groups of the model
[[nodiscard]] std::optional<std::string> far_values_warning(const TransportModel& model,
                                                            std::span<const Group> groups);

/// Warnings about the fit of a model, as sentences that name the option to change. They need no
/// samples and are part of the verdict of report().
///
/// - mixture_options.covariance_floor exceeds 1 % of the variance of a feature in a group, although
/// the feature is not constant there: the covariances then reflect the floor. Floors above the
/// default are deliberate and give no warning.
/// - Components of a group are copies of others, because it has too few distinct samples.
/// - The weights of a group count as more than ten samples per row (GroupReport::weighted_count).
[[nodiscard]] std::vector<std::string> fit_warnings(const TransportModel& model);

/// The first of these warnings, for the mixture of one set of samples.
///
/// @param name           what the warning calls the samples
/// @param feature_names  one per feature, or none
[[nodiscard]] std::optional<std::string> floor_warning(
    const Mixture& mixture, const MixtureOptions& options, const std::string& name,
    const std::vector<std::string>& feature_names = {});

// Reports on a fitted model and on its performance on held-out samples.

struct ComponentReport {
  std::string group;
  int component = 0;
  double mass = 0.0;       ///< the weight of the component
  double n_samples = 0.0;  ///< the weight times GroupReport::count of the group
  double condition = 1.0;  ///< condition number: largest over smallest eigenvalue of the covariance
};

/// A matching of the components of two groups.
struct MatchingReport {
  /// Whether the model uses this matching. Otherwise, it is the matching of least cost, for
  /// comparison.
  bool is_coupling = false;
  Labels matching;  ///< matching[i] is the component of the second group matched to component i
  /// 1/2 sum_i |weight_i - weight_matching[i]|: mass that is moved to where the other group has
  /// none.
  double misplaced_mass = 0.0;
  /// The MW2 distance between the transported group, whose component weights do not change, and the
  /// target group; the maximum of both directions. If the mixtures fit perfectly, this is the error
  /// of a map along the matching. A map along a plan has none.
  double remaining_distance = 0.0;
  /// The cost of moving all mass along the matching: the smaller weight of every pair is moved
  /// within the pair, and the misplaced mass is moved at the least cost. Comparable with
  /// PairReport::plan_cost and never below it.
  double cost = 0.0;
  double total = 0.0;  ///< unweighted sum of the costs of the pairs, which `match` minimizes
  /// Total of the cheapest other matching minus that of this one. It is near 0 if the choice is
  /// nearly a tie and +infinity if there is no other matching. It is negative if another matching
  /// is cheaper, which is possible for two groups that were both matched to a third.
  double gap = 0.0;
};

/// The comparison of two groups. Costs are measured by the model's coupling.cost, per unit of mass.
struct PairReport {
  std::string first;
  std::string second;
  double mixture_distance = 0.0;  ///< MW2, independent of the model's cost
  double plan_cost = 0.0;         ///< the least cost of moving all mass
  /// The cost of the model's coupling: MatchingReport::cost, or the sum of mass times cost over the
  /// tuples. Never below plan_cost. It is larger if a matching forces its pairs or if two groups
  /// are coupled through a third.
  double coupling_cost = 0.0;
  std::optional<MatchingReport> matching;  ///< if both groups have the same number of components
};

/// Held-out samples of one group, transported to another group or to the barycenter.
struct CarryReport {
  std::string from;
  std::string to;                 ///< a group; empty for the barycenter
  double mixture_distance = 0.0;  ///< MW2 between the mixtures of source and target
  Displacement displacement;
  double log_likelihood = 0.0;  ///< mean of the transported samples under the target mixture
  /// Mean of the target's held-out samples under the target mixture; for the barycenter, of as many
  /// samples drawn from it.
  double target_log_likelihood = 0.0;
  /// Distance of the samples from those of the target before transport; empty for the barycenter.
  std::optional<SlicedDistance> before;
  std::optional<SlicedDistance> after;  ///< the same after transport
  /// The largest `after` distance that noise explains: noise of the held-out samples, and of the
  /// fit to finitely many samples. Over all groups and measures of a report, noise alone exceeds
  /// any of these limits in at most 5 % of reports. Empty without permutations.
  std::optional<double> after_limit;
  Index n_target_samples = 0;  ///< number of samples behind target_log_likelihood
  /// Standard deviation of the log-likelihoods behind target_log_likelihood.
  double target_log_likelihood_deviation = 0.0;
};

/// Held-out samples of two groups, before and after transport to the barycenter. The classifier
/// uses its default number of neighbours or, if only these reveal a significant difference, five.
struct SeparationReport {
  std::string first;
  std::string second;
  SlicedDistance distance_before = {};
  SlicedDistance distance_after = {};
  Separation before = {};
  Separation after = {};
  /// The largest distance_after and AUC after transport that noise explains; see
  /// CarryReport::after_limit.
  std::optional<double> distance_limit = {};
  double auc_limit = 1.0;
};

/// One sentence of the verdict.
struct Finding {
  bool warning = false;  ///< whether the sentence is a warning
  std::string text;
};

struct Report {
  std::vector<ComponentReport> components;  ///< by group, then component
  std::vector<PairReport> pairs;            ///< of all pairs of groups
  /// The weights of the barycenter; empty without held-out samples.
  std::vector<double> barycentric_weights;
  std::vector<CarryReport>
      carries;  ///< of all pairs of groups in both directions, then to the barycenter
  std::vector<SeparationReport> separations;  ///< of all pairs of groups
  /// Warnings first; "No problems found." if there are none. A correct map gets a warning in at
  /// most 5 % of reports.
  std::vector<Finding> verdict;
};

struct ReportOptions {
  /// The maximum number of samples per group. The cost of some measures is quadratic in it.
  Index most_samples = 2000;
  int n_directions = 64;
  int n_permutations = 199;
  /// The weights of the barycenter, divided by their sum. By default, those of the model's
  /// refinement, or equal weights if there is none.
  std::vector<double> barycentric_weights = {};
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// Reports on a model and evaluates it on held-out samples.
///
/// Weighted samples are represented by samples without weights, so that permutation tests and their
/// noise remain valid: by copies if the weights are whole numbers and sum to at most most_samples,
/// otherwise by a random draw in proportion to the weights, of Kish's effective sample size
/// (sum w)^2 / sum w^2.
///
/// @param held_out  samples of groups of the model that were not used in the fit: 10 or more per
///                  group. If empty, the report covers only the model. Missing groups are skipped.
[[nodiscard]] Report report(const TransportModel& model, std::span<const Group> held_out = {},
                            const ReportOptions& options = {});

/// Formats the report as tables, followed by the verdict.
///
/// @param most_rows  the maximum number of rows of each table; 0 for all
[[nodiscard]] std::string describe(const Report& report, std::size_t most_rows = 0);

/// The type of the cells of a column.
enum class ColumnType {
  group,     ///< the name of a group
  boolean,   ///< true or false
  integer,   ///< a whole number
  number,    ///< a number
  text,      ///< a sentence
  integers,  ///< a list of whole numbers
};

template <>
struct EnumNames<ColumnType> {
  static constexpr std::string_view option = "column_type";
  static constexpr NamedValue<ColumnType> values[] = {
      {ColumnType::group, "group"},     {ColumnType::boolean, "boolean"},
      {ColumnType::integer, "integer"}, {ColumnType::number, "number"},
      {ColumnType::text, "text"},       {ColumnType::integers, "integers"}};
};

/// One value of a table. It is empty if the quantity does not apply to the row.
using ReportCell = std::variant<std::monostate, bool, Index, double, std::string, std::vector<int>>;

/// One column of the table that has a Row per line.
template <typename Row>
struct ReportColumn {
  std::string_view name;
  ColumnType type = ColumnType::number;
  ReportCell (*cell)(const Row& row) = nullptr;
  bool is_printed = true;  ///< whether describe() shows it
};

/// The columns of the table whose rows have this type, in their order.
template <typename Row>
[[nodiscard]] std::span<const ReportColumn<Row>> report_columns() = delete;
template <>
[[nodiscard]] std::span<const ReportColumn<ComponentReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<PairReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<CarryReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<SeparationReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<Finding>> report_columns();

/// Calls visit(name, rows) for every table of a report, in the order in which they are printed.
template <typename Visit>
void visit_tables(const Report& report, Visit&& visit) {
  visit(std::string_view("components"), report.components);
  visit(std::string_view("pairs"), report.pairs);
  visit(std::string_view("carried"), report.carries);
  visit(std::string_view("separations"), report.separations);
  visit(std::string_view("verdict"), report.verdict);
}

}  // namespace lbw
