// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/transport.hpp>
#include <mutex>
#include <numeric>
#include <set>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "mixture/checks.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/shrink.hpp"
#include "transport/couple.hpp"
#include "transport/feature_scales.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/shrink_groups.hpp"

namespace lbw {

namespace {

constexpr const char* fit = "fit_transport";

// With one sample the mean is as uncertain as the group is wide, and there is no spread at all.
constexpr Index least_group_size = 2;

void check_groups(std::span<const Group> groups, const TransportOptions& options) {
  require(groups.size() >= 2, fit, ": ", counted(groups.size(), "group"),
          " given, expected 2 or more");
  std::set<std::string> seen;
  for (const Group& group : groups) {
    require(!group.name.empty(), fit, ": a group name is empty");
    require(seen.insert(group.name).second, fit, ": two groups are named '", group.name, "'");
    require(group.samples.n_features() == groups.front().samples.n_features(), fit, ": group '",
            group.name, "' has ", counted(group.samples.n_features(), "feature"), ", group '",
            groups.front().name, "' has ", groups.front().samples.n_features());
    check_keys(group.keys, group.samples.n_samples(), fit, "keys of group '" + group.name + "'");
  }
  const Index d = groups.front().samples.n_features();
  require(options.feature_names.empty() || std::ssize(options.feature_names) == d, fit,
          ": feature_names has ", counted(options.feature_names.size(), "entry"), " for ",
          counted(d, "feature"));
  require(!options.mixture.initial, fit,
          ": mixture.initial is set, but each group needs its own start; leave it empty");
}

/// One sample, whatever it weighs unless it counts for two.
bool is_small(const Group& group) {
  if (group.sample_weights.empty()) return group.samples.n_samples() < least_group_size;
  const std::span<const double> weights = group.sample_weights;
  const auto rows = std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0.0; });
  return rows < least_group_size && std::accumulate(weights.begin(), weights.end(), 0.0) <
                                        static_cast<double>(least_group_size);
}

/// For every group whether it is left where it is.
std::vector<bool> kept_of(std::span<const Group> groups, const TransportOptions& options) {
  std::vector<bool> kept;
  for (const Group& group : groups) {
    const std::string argument = "samples of group '" + group.name + "'";
    check_shape(group.samples, fit, argument.c_str());
    const bool small = is_small(group);
    require(
        !small || options.small_groups == SmallGroups::keep, fit, ": group '", group.name, "' has ",
        counted(group.samples.n_samples(), "sample"),
        ", expected 2 or more: one sample has no spread to learn; merge the group with another, "
        "leave it out, or set small_groups to keep");
    kept.push_back(small);
  }
  const auto n_fitted = std::count(kept.begin(), kept.end(), false);
  require(n_fitted >= 2, fit, ": ", counted(n_fitted, "group"), n_fitted == 1 ? " has" : " have",
          " 2 samples or more, expected at least 2 such groups");
  return kept;
}

int n_components_of(std::size_t group, const TransportOptions& options) {
  return options.n_components_per_group.empty() ? options.mixture.n_components
                                                : options.n_components_per_group[group];
}

void check_components(std::span<const Group> groups, const TransportOptions& options) {
  const std::vector<int>& numbers = options.n_components_per_group;
  require(numbers.empty() || numbers.size() == groups.size(), fit, ": n_components_per_group has ",
          counted(numbers.size(), "entry"), " for ", counted(groups.size(), "group"));
  if (options.coupling != CouplingMethod::matching) return;
  for (const int number : numbers) {
    require(number == numbers.front(), fit, ": n_components_per_group asks for ", numbers.front(),
            " and ", counted(number, "component"),
            ", a matching needs as many in every group; set coupling to plan");
  }
}

/// The variance of every feature over all groups, each counting the same.
Vector common_variances(std::span<const Group> groups, const Execution& execution) {
  std::vector<SampleSpread> spreads;
  Vector mean = Vector::Zero(groups.front().samples.n_features());
  for (const Group& group : groups) {
    const std::string argument = "samples of group '" + group.name + "'";
    check_samples(group.samples, fit, argument.c_str(), execution);
    const WeightedSamples samples{group.samples, group.sample_weights};
    check_sample_weights(samples, fit);
    spreads.push_back(sample_spread(samples, CovarianceType::diagonal, execution));
    mean += spreads.back().mean / static_cast<double>(groups.size());
  }
  Vector variances = Vector::Zero(mean.size());
  for (const SampleSpread& spread : spreads) {
    variances += spread.covariance.col(0) + (spread.mean - mean).cwiseAbs2();
  }
  return variances / static_cast<double>(groups.size());
}

/// The options of every group's fit.
MixtureOptions group_options(std::span<const Group> groups, const MixtureOptions& options) {
  MixtureOptions common = options;
  if (options.relative_covariance_floor > 0.0 && !options.floor_variances) {
    Vector variances = common_variances(groups, options.execution);
    if (options.covariance_floor == 0.0) {  // constant features need a floor, of any size
      variances = (variances.array() > 0.0).select(variances, 1.0);
    }
    common.floor_variances = variances;
  }
  return common;
}

/// The samples of a group that weigh something, which `copies` holds if not all do. Weights are
/// checked where they are fitted.
SampleView weighing_samples(const Group& group, std::vector<RowMatrix>& copies) {
  const std::span<const double> weights = group.sample_weights;
  const SampleView& samples = group.samples;
  const auto zeros = std::count(weights.begin(), weights.end(), 0.0);
  if (zeros == 0 || zeros == samples.n_samples()) return samples;
  if (std::ssize(weights) != samples.n_samples()) return samples;
  RowMatrix& rows = copies.emplace_back(samples.n_samples() - zeros, samples.n_features());
  for (Index i = 0, next = 0; i < samples.n_samples(); ++i) {
    if (weights[static_cast<std::size_t>(i)] != 0.0) rows.row(next++) = samples.row(i).transpose();
  }
  return rows;
}

/// The noise for features that take few values; none where none is asked for or none does.
void find_noise(std::span<const Group> groups, const TransportOptions& options,
                TransportModel& model) {
  if (options.dither.is_none()) return;
  const Execution& execution = options.mixture.execution;
  std::vector<SampleView> samples;
  std::vector<RowMatrix> copies;
  copies.reserve(groups.size());
  for (const Group& group : groups) {
    check_samples(group.samples, fit, ("samples of group '" + group.name + "'").c_str(), execution);
    samples.push_back(weighing_samples(group, copies));
  }
  if (options.dither.automatic) {
    std::vector<DitherCells> cells = dither_cells(samples, options.mixture.seed, execution);
    const bool any = !std::ranges::all_of(cells, &DitherCells::empty);
    if (any) model.dither_cells = std::move(cells);
    return;
  }
  const Vector steps = grid_steps(samples, execution);
  if (!steps.isZero(0.0)) model.dither = options.dither.amount * steps;
}

/// The groups with their samples moved, which `moved` holds.
std::vector<Group> dithered_groups(std::span<const Group> groups, const TransportModel& model,
                                   const Execution& execution, std::vector<RowMatrix>& moved) {
  std::vector<Group> result(groups.begin(), groups.end());
  if (!model.dithers()) return result;
  const std::uint64_t seed = model.mixture_options.seed;
  for (const auto& [name, samples, weights, keys] : groups) {
    moved.push_back(model.dither_cells.empty()
                        ? dithered(samples, model.dither, seed, execution, keys)
                        : dithered(samples, model.dither_cells, seed, execution, keys));
  }
  for (std::size_t g = 0; g < moved.size(); ++g) result[g].samples = moved[g];
  return result;
}

// Passes with fewer multiply-adds than this gain little from a second thread of their own.
constexpr double large_pass = 3e7;

/// Small groups are fitted side by side, one thread each; large ones one after the other on all
/// threads, which shares the work evenly whatever their sizes. The bits are the same.
bool side_by_side(std::span<const Group> groups, const TransportOptions& options) {
  const Index d = groups.front().samples.n_features();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto n = static_cast<double>(groups[i].samples.n_samples());
    if (n * n_components_of(i, options) * static_cast<double>(d * d + 20) > large_pass)
      return false;
  }
  return true;
}

MixtureFit fit_group(const Group& group, int n_components, const TransportOptions& options,
                     const Execution& execution, std::mutex& one_at_a_time) {
  MixtureOptions mixture_options = options.mixture;
  mixture_options.n_components = n_components;
  mixture_options.execution = execution;
  if (options.on_iteration) {
    mixture_options.on_iteration = [&](const FitProgress& progress) {
      const std::lock_guard lock(one_at_a_time);
      options.on_iteration(group.name, progress);
    };
  }
  try {
    return fit_mixture(group.samples, mixture_options, group.sample_weights);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(message("group '", group.name, "': ", error.what()));
  } catch (const NumericalError& error) {
    throw NumericalError(message("group '", group.name, "': ", error.what()));
  }
}

std::vector<MixtureFit> fit_groups(std::span<const Group> groups, const TransportOptions& options) {
  const Execution& all = options.mixture.execution;
  const Execution one = on_one_thread(all);
  const bool parallel = side_by_side(groups, options);
  std::vector<MixtureFit> fits(groups.size());
  std::mutex one_at_a_time;
  for_each_chunk(std::ssize(groups), parallel ? all : one, [&](Index i) {
    const auto group = static_cast<std::size_t>(i);
    fits[group] = fit_group(groups[group], n_components_of(group, options), options,
                            parallel ? one : all, one_at_a_time);
  });
  return fits;
}

/// The groups that are fitted, and their options.
struct FittedGroups {
  std::vector<Group> groups;
  TransportOptions options;
};

FittedGroups without_kept(std::span<const Group> groups, const std::vector<bool>& kept,
                          const TransportOptions& options) {
  FittedGroups fitted{{}, options};
  fitted.options.n_components_per_group.clear();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (kept[g]) continue;
    fitted.groups.push_back(groups[g]);
    if (options.n_components_per_group.empty()) continue;
    fitted.options.n_components_per_group.push_back(options.n_components_per_group[g]);
  }
  fitted.options.mixture = group_options(fitted.groups, options.mixture);
  return fitted;
}

/// Fits and shrinks the groups. Kept ones get the mixture of the largest group, which no map of
/// theirs uses, so that all groups can be coupled alike.
void fit_mixtures(std::span<const Group> groups, const std::vector<bool>& kept,
                  const TransportOptions& options, TransportModel& model) {
  const FittedGroups fitted = without_kept(groups, kept, options);
  std::vector<MixtureFit> fits = fit_groups(fitted.groups, fitted.options);
  std::vector<Mixture> mixtures;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    mixtures.push_back(std::move(fits[i].mixture));
    const auto size_of = [&](std::size_t j) { return fitted.groups[j].samples.n_samples(); };
    if (size_of(i) > size_of(largest)) largest = i;
  }
  shrink_groups(mixtures, fitted.groups, options);
  std::size_t next = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Index n_samples = groups[g].samples.n_samples();
    if (kept[g]) {
      model.kept_groups.push_back(groups[g].name);
      model.reports.push_back({n_samples, 0.0, 0, true, 0});
      model.mixtures.push_back(mixtures[largest]);
      continue;
    }
    const MixtureFit& of_group = fits[next];
    model.reports.push_back({n_samples, of_group.mean_log_likelihood, of_group.iterations,
                             of_group.converged, of_group.replaced_components});
    model.mixtures.push_back(mixtures[next]);
    ++next;
  }
}

/// The options that a model remembers: those that decided its numbers.
MixtureOptions remembered(const MixtureOptions& options) {
  MixtureOptions kept = options;
  kept.execution = {};
  kept.on_iteration = {};
  kept.floor_variances = {};
  return kept;
}

}  // namespace

TransportModel fit_transport(std::span<const Group> groups, const TransportOptions& options) {
  check_groups(groups, options);
  check_components(groups, options);
  check_options(options_of(options), fit);
  check_refine_options(options, std::ssize(groups), fit);
  const std::vector<bool> kept = kept_of(groups, options);
  TransportModel model;
  for (const Group& group : groups) model.group_names.push_back(group.name);
  model.feature_names = options.feature_names;
  model.map = options.map;
  model.mixture_options = remembered(options.mixture);
  const Index reference = reference_index(model, options.reference);
  find_noise(groups, options, model);
  std::vector<RowMatrix> moved;
  const std::vector<Group> seen = dithered_groups(groups, model, options.mixture.execution, moved);
  fit_mixtures(seen, kept, options, model);
  if (options.scale_features) model.scales = feature_spread(model.mixtures);
  model.coupling = couple(scaled(model.mixtures, model.scales), reference, options.coupling,
                          options.cost, options.mixture.execution);
  if (options.refine > 0) model.refinement = fit_refinement(model, groups, options);
  return model;
}

}  // namespace lbw
