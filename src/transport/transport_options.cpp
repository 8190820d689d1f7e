// SPDX-License-Identifier: MIT
#include <lbw/fit_transport.hpp>

namespace lbw {

std::vector<Option> options_of(TransportOptions& options) {
  return {
      choice_option("coupling", options.coupling,
                    "Couple components one to one, by transport plans that preserve mass, or by "
                    "one plan for all groups"),
      choice_option(
          "cost", options.cost,
          "Cost of coupling two components, the squared distance between their means or the "
          "squared Bures-Wasserstein distance"),
      choice_option("map", options.map,
                    "Transport a point by its most probable component, to the average over all "
                    "components, or by a component drawn at random with these probabilities"),
      boolean_option("scale_features", options.scale_features,
                     "Measure distances between components in standard deviations of every "
                     "feature, so that units do not matter"),
      fraction_option(
          "dither", options.dither,
          "Add noise to columns that take few values, such as whole numbers: auto fills the gaps "
          "between neighbouring values, a number fills this fraction of the step between equally "
          "spaced values, 0 adds none"),
      integer_option("refine", options.refine, {.least = 0},
                     "Number of refinement steps after the local map to the barycenter; each "
                     "rotates the points at random and aligns the groups along every axis"),
      fraction_option(
          "group_shrinkage", options.group_shrinkage,
          "Shrink mean and covariance of every group towards those of all samples, for small "
          "groups: a number from 0 (none) to 1, or auto to choose it from the sampling noise"),
      choice_option("small_groups", options.small_groups,
                    "Raise an error for groups of a single sample, or leave them unchanged"),
  };
}

}  // namespace lbw
