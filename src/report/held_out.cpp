// SPDX-License-Identifier: MIT
#include "report/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/transport.hpp>
#include <limits>

#include "core/indexing.hpp"
#include "mixture/unchecked.hpp"
#include "report/noise.hpp"
#include "report/representatives.hpp"
#include "report/transported_samples.hpp"
#include "transport/kept_groups.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

/// The held-out samples that represent a group, and their images at the barycenter.
struct HeldOut {
  Index group = 0;
  std::string name;
  RowMatrix samples;
  std::vector<std::uint64_t> keys;  // or empty
  RowMatrix at_barycenter;
};

class HeldOutReport {
 public:
  HeldOutReport(const TransportModel& model, const ReportOptions& options, Report& report)
      : model_(model), options_(options), report_(report) {
    report_.barycentric_weights = weights();
    barycenter_ = barycenter_unchecked(model, report_.barycentric_weights);
  }

  void add(const Group& group) {
    Representatives some = representatives_of(group, options_.most_samples, options_.seed);
    groups_.push_back({model_.group_index(group.name), group.name, std::move(some.samples),
                       std::move(some.keys), RowMatrix()});
  }

  void run() {
    for (const HeldOut& from : groups_) {
      for (const HeldOut& to : groups_) {
        const bool mapped = !is_kept(model_, from.name) && !is_kept(model_, to.name);
        if (from.group != to.group && mapped) report_.carries.push_back(carry_between(from, to));
      }
    }
    for (HeldOut& from : groups_) report_.carries.push_back(carry_to_barycenter(from));
    for (std::size_t a = 0; a < groups_.size(); ++a) {
      for (std::size_t b = a + 1; b < groups_.size(); ++b) {
        report_.separations.push_back(separation_of(groups_[a], groups_[b]));
      }
    }
  }

 private:
  [[nodiscard]] std::vector<double> weights() const {
    if (!options_.barycentric_weights.empty()) return options_.barycentric_weights;
    if (!model_.refinement.empty()) return model_.refinement.barycentric_weights;
    return std::vector<double>(model_.group_names.size(),
                               1.0 / static_cast<double>(model_.n_groups()));
  }

  [[nodiscard]] CarryReport carry_between(const HeldOut& from, const HeldOut& to) const {
    const Mixture& target = at(model_.mixtures, to.group);
    const RowMatrix transported =
        transport_unchecked(map_between_unchecked(model_, from.name, to.name), from.samples,
                            options_.execution, from.keys);
    CarryReport carry;
    carry.from = from.name;
    carry.to = to.name;
    carry.mixture_distance = distance_between(from.name, to.name);
    carry.displacement = displacement_of(from.samples, transported, target);
    carry.log_likelihood = mean_log_likelihood_unchecked(target, transported, options_.execution);
    add_target_likelihood(target, to.samples, carry);
    carry.before = distance_of(from.samples, to.samples);
    carry.after = distance_of(transported, to.samples);
    carry.after_limit = sliced_limit(
        carry.after->null, fit_noise_ratio(sizes_of(from), sizes_of(to)), critical_.other);
    return carry;
  }

  CarryReport carry_to_barycenter(HeldOut& from) const {
    const LocalMap map =
        map_to_barycenter_unchecked(model_, from.name, report_.barycentric_weights);
    from.at_barycenter = transport_unchecked(map, from.samples, options_.execution, from.keys);
    const RowMatrix draws = sample(barycenter_, from.samples.rows(), options_.seed).samples;
    CarryReport carry;
    carry.from = from.name;
    carry.mixture_distance = mixture_distance_unchecked(at(model_.mixtures, from.group),
                                                        barycenter_, options_.execution);
    carry.displacement = displacement_of(from.samples, from.at_barycenter, barycenter_);
    carry.log_likelihood =
        mean_log_likelihood_unchecked(barycenter_, from.at_barycenter, options_.execution);
    add_target_likelihood(barycenter_, draws, carry);
    return carry;
  }

  [[nodiscard]] SeparationReport separation_of(const HeldOut& first, const HeldOut& second) const {
    SeparationReport pair;
    pair.first = first.name;
    pair.second = second.name;
    pair.distance_before = distance_of(first.samples, second.samples);
    pair.distance_after = distance_of(first.at_barycenter, second.at_barycenter);
    pair.distance_limit =
        sliced_limit(pair.distance_after.null, fit_noise_ratio(sizes_of(first), sizes_of(second)),
                     critical_.other);
    add_separation(first, second, 0, pair);
    if (pair.after.n_neighbors >= 2 * few_neighbors && !still_separated(pair)) {
      SeparationReport finer = pair;
      add_separation(first, second, few_neighbors, finer);
      if (still_separated(finer)) return finer;
    }
    return pair;
  }

  void add_separation(const HeldOut& first, const HeldOut& second, int n_neighbors,
                      SeparationReport& pair) const {
    const SeparationOptions options{.n_neighbors = n_neighbors,
                                    .n_permutations = options_.n_permutations,
                                    .seed = options_.seed,
                                    .execution = options_.execution};
    pair.before = separation(first.samples, second.samples, options);
    pair.after = separation(first.at_barycenter, second.at_barycenter, options);
    pair.auc_limit =
        auc_limit(pair.after, sizes_of(first), sizes_of(second),
                  std::max(n_parameters_of(first), n_parameters_of(second)), critical_.separation);
  }

  [[nodiscard]] SampleSizes sizes_of(const HeldOut& group) const {
    return {static_cast<double>(group.samples.rows()), at(model_.reports, group.group).count()};
  }

  /// The number of parameters of the map to the barycenter; unlimited with a refinement, which fits
  /// quantiles.
  [[nodiscard]] double n_parameters_of(const HeldOut& group) const {
    if (!model_.refinement.empty()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(n_parameters(at(model_.mixtures, group.group)));
  }

  void add_target_likelihood(const Mixture& target, const RowMatrix& samples,
                             CarryReport& carry) const {
    const Vector each = log_density_unchecked(target, samples, options_.execution);
    carry.n_target_samples = samples.rows();
    carry.target_log_likelihood =
        mean_log_likelihood_unchecked(target, samples, options_.execution);
    carry.target_log_likelihood_deviation = (each.array() - each.mean()).matrix().norm() /
                                            std::sqrt(static_cast<double>(samples.rows()));
  }

  [[nodiscard]] SlicedDistance distance_of(const RowMatrix& first, const RowMatrix& second) const {
    SlicedDistanceOptions options;
    options.n_directions = options_.n_directions;
    options.n_permutations = options_.n_permutations;
    options.seed = options_.seed;
    options.execution = options_.execution;
    return sliced_distance(first, second, options);
  }

  [[nodiscard]] double distance_between(const std::string& first, const std::string& second) const {
    const auto found =
        std::find_if(report_.pairs.begin(), report_.pairs.end(), [&](const PairReport& pair) {
          return (pair.first == first && pair.second == second) ||
                 (pair.first == second && pair.second == first);
        });
    return found->mixture_distance;
  }

  const TransportModel& model_;
  const ReportOptions& options_;
  Report& report_;
  Mixture barycenter_;
  CriticalDeviations critical_ = critical_deviations(model_.n_groups());
  std::vector<HeldOut> groups_;
};

}  // namespace

bool still_separated(const SeparationReport& pair) {
  return pair.after.auc > pair.auc_limit &&
         pair.after.auc - 0.5 > much_left * (pair.before.auc - 0.5);
}

void report_held_out(const TransportModel& model, std::span<const Group> held_out,
                     const ReportOptions& options, Report& report) {
  HeldOutReport work(model, options, report);
  for (const Group& group : held_out) work.add(group);
  work.run();
}

}  // namespace lbw
