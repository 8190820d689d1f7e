// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/transport.hpp>
#include <mutex>
#include <set>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "mixture/checks.hpp"
#include "mixture/kmeans.hpp"
#include "transport/couple.hpp"
#include "transport/fit_refinement.hpp"

namespace lbw {

namespace {

constexpr const char* fit = "fit_transport";

void check_groups(std::span<const Group> groups, const TransportOptions& options) {
  require(groups.size() >= 2, fit, ": ", groups.size(), " groups given, expected 2 or more");
  std::set<std::string> seen;
  for (const Group& group : groups) {
    require(!group.name.empty(), fit, ": a group name is empty");
    require(seen.insert(group.name).second, fit, ": two groups are named '", group.name, "'");
    require(group.samples.n_features() == groups.front().samples.n_features(), fit, ": group '",
            group.name, "' has ", group.samples.n_features(), " features, group '",
            groups.front().name, "' has ", groups.front().samples.n_features());
    check_keys(group.keys, group.samples.n_samples(), fit, "keys of group '" + group.name + "'");
  }
  const Index d = groups.front().samples.n_features();
  require(options.feature_names.empty() || std::ssize(options.feature_names) == d, fit,
          ": feature_names has ", options.feature_names.size(), " entries for ", d, " features");
  require(!options.mixture.initial, fit,
          ": mixture.initial is set, but each group needs its own start; leave it empty");
}

int n_components_of(std::size_t group, const TransportOptions& options) {
  return options.n_components_per_group.empty() ? options.mixture.n_components
                                                : options.n_components_per_group[group];
}

void check_components(std::span<const Group> groups, const TransportOptions& options) {
  const std::vector<int>& numbers = options.n_components_per_group;
  require(numbers.empty() || numbers.size() == groups.size(), fit, ": n_components_per_group has ",
          numbers.size(), " entries for ", groups.size(), " groups");
  if (options.coupling != CouplingMethod::matching) return;
  for (const int number : numbers) {
    require(number == numbers.front(), fit, ": n_components_per_group asks for ", numbers.front(),
            " and ", number,
            " components, a matching needs as many in every group; set coupling to plan");
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
    common.floor_variances = common_variances(groups, options.execution);
  }
  return common;
}

/// The noise for features that take few values; none where none is asked for or none does.
void find_noise(std::span<const Group> groups, const TransportOptions& options,
                TransportModel& model) {
  if (options.dither.is_none()) return;
  const Execution& execution = options.mixture.execution;
  std::vector<SampleView> samples;
  for (const Group& group : groups) {
    check_samples(group.samples, fit, ("samples of group '" + group.name + "'").c_str(), execution);
    samples.push_back(group.samples);
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
  const double dither = options.dither.amount;
  require(options.dither.automatic || (dither >= 0.0 && dither <= 1.0), fit, ": dither is ", dither,
          ", expected a number from 0 to 1");
  check_refine_options(options, std::ssize(groups), fit);
  TransportModel model;
  for (const Group& group : groups) model.group_names.push_back(group.name);
  model.feature_names = options.feature_names;
  model.map = options.map;
  model.mixture_options = remembered(options.mixture);
  const Index reference = reference_index(model, options.reference);
  find_noise(groups, options, model);
  std::vector<RowMatrix> moved;
  const std::vector<Group> seen = dithered_groups(groups, model, options.mixture.execution, moved);
  TransportOptions fit_options = options;
  fit_options.mixture = group_options(seen, options.mixture);
  std::vector<MixtureFit> fits = fit_groups(seen, fit_options);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    MixtureFit& fitted = fits[i];
    model.reports.push_back({groups[i].samples.n_samples(), fitted.mean_log_likelihood,
                             fitted.iterations, fitted.converged, fitted.replaced_components});
    model.mixtures.push_back(std::move(fitted.mixture));
  }
  model.coupling =
      couple(model.mixtures, reference, options.coupling, options.cost, options.mixture.execution);
  if (options.refine > 0) model.refinement = fit_refinement(model, groups, options);
  return model;
}

}  // namespace lbw
