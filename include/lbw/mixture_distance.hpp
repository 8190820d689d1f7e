// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

/// (k_first, k_second): squared Bures-Wasserstein distance (Eq. 2) of every component of the first
/// mixture from every component of the second.
///
/// @throws InvalidArgument unless both are mixtures of one number of features
[[nodiscard]] RowMatrix squared_distances(const Mixture& first, const Mixture& second,
                                          const Execution& execution = {});

/// Mixture-Wasserstein distance: the root of the least cost of a plan between the weights of the
/// components under squared_distances. A metric on mixtures, never below the Wasserstein distance
/// of order 2, and equal to it for single Gaussians.
[[nodiscard]] double mixture_distance(const Mixture& first, const Mixture& second,
                                      const Execution& execution = {});

}  // namespace lbw
