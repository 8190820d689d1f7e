// SPDX-License-Identifier: MIT
#include <lbw/fit_transport.hpp>

namespace lbw {

std::vector<Option> options_of(TransportOptions& options) {
  return {
      choice_option("coupling", options.coupling,
                    "How components are coupled: one to one, by a transport plan that keeps mass, "
                    "or by one plan for all groups"),
      choice_option("cost", options.cost,
                    "Cost of coupling two components: the squared distance of their means, or of "
                    "the Gaussians"),
      choice_option("map", options.map,
                    "How a point of several components is transported: by the likeliest, to the "
                    "average, or by one drawn by probability"),
      boolean_option("scale_features", options.scale_features,
                     "Measure distances between components in standard deviations of every "
                     "feature, so that units do not matter"),
      fraction_option("dither", options.dither,
                      "Spread the values of columns that take few, such as whole numbers or 0 and "
                      "1: auto over the gaps between neighbouring values, a number over this "
                      "fraction of equal steps; 0 is off"),
      integer_option("refine", options.refine, {.least = 0},
                     "Number of refinement steps after the local map to the barycenter: each turns "
                     "the points at random and brings the groups together on every axis"),
      fraction_option("group_shrinkage", options.group_shrinkage,
                      "How far mean and covariance of every group are shrunk towards those of all "
                      "samples: a number from 0 (not at all) to 1, or auto, by the sampling noise; "
                      "for small groups"),
      choice_option("small_groups", options.small_groups,
                    "Whether groups of a single sample are refused or left where they are"),
  };
}

}  // namespace lbw
