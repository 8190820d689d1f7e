// SPDX-License-Identifier: MIT
// What small groups seem to be, drawn towards what all samples are.
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Draws the mean, the variances and the correlations of every group's mixture towards those of all
/// samples (TransportOptions::group_shrinkage); components are moved along by one affine map per
/// group. The fraction of a difference that is given up is noise_fraction of its square. With n_g
/// of N samples, e = 1 / n_g - 1 / N, m, v, R the means, variances and correlations of all samples
/// within their groups, V = (v_g + v) / 2 and k the kurtosis:
///
///   mean        (m_g - m)^2 / V     noise e
///   variance    (v_g - v)^2 / V^2   noise e (max(k, 3) - 1)
///   correlation |R_g - R|^2         noise e sum of (1 - R_ij^2)^2
///
/// Atoms raise the limit of what counts as noise (noise_limit).
/// The first two are taken for every feature and for all features together, by the smaller fraction
/// of the two; the third is taken for all pairs together.
///
/// @param mixtures  one per group, fitted to it
void shrink_groups(std::vector<Mixture>& mixtures, std::span<const Group> groups,
                   const TransportOptions& options);

/// How many samples a group has; weights count copies.
[[nodiscard]] double sample_count_of(const Group& group);

}  // namespace lbw
