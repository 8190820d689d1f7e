// SPDX-License-Identifier: MIT
#include <lbw/fit_transport.hpp>

#include "transport/check_fit.hpp"
#include "transport/couple.hpp"
#include "transport/fit_groups.hpp"
#include "transport/fit_noise.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/group_source.hpp"
#include "transport/weighing_groups.hpp"

namespace lbw {

namespace {

/// The options stored in a model, which determine its results.
MixtureOptions remembered(const MixtureOptions& options) {
  MixtureOptions kept = options;
  kept.execution = {};
  kept.on_iteration = {};
  kept.floor_variances = {};
  kept.start_scales = {};
  return kept;
}

/// A model with names and options, to which nothing has been fitted yet.
TransportModel unfitted_model(std::span<const Group> groups, const TransportOptions& options) {
  TransportModel model;
  for (const Group& group : groups) model.group_names.push_back(group.name);
  model.feature_names = options.feature_names;
  model.map = options.map;
  model.mixture_options = remembered(options.mixture);
  model.coupling.reference = reference_index(model, options.reference);
  return model;
}

}  // namespace

// Algorithm 2. Beyond the paper: noise for features that take few values, mixtures that are shrunk
// towards each other, plans in place of matchings, and the refinement.
TransportModel fit_transport(std::span<const Group> given, const TransportOptions& options) {
  const std::vector<Group> fetched = fetched_groups(given, options.mixture.seed);
  check_fit(fetched, options);
  const std::vector<Group> groups = weighing_groups(fetched, options.mixture.execution);
  TransportModel model = unfitted_model(groups, options);

  const Noise noise = find_noise(groups, options);
  model.dither = noise.widths;
  model.dither_cells = noise.cells;

  // Step 1: fit a mixture to every group.
  const DitheredGroups dithered =
      dithered_groups(groups, noise, options.mixture.seed, options.mixture.execution);
  GroupFits fits = fit_mixtures(dithered.groups, options);
  model.mixtures = std::move(fits.mixtures);
  model.reports = std::move(fits.reports);
  model.kept_groups = std::move(fits.kept_groups);

  // Step 2: couple the components of all groups.
  couple_components(options, model);

  if (options.refine > 0) model.refinement = fit_refinement(model, groups, options);
  return model;
}

}  // namespace lbw
