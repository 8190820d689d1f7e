// SPDX-License-Identifier: MIT
// Shrinkage of small groups towards all samples.
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Shrinks the mean, variances and correlations of every group's mixture towards those of all
/// samples (TransportOptions::group_shrinkage). Components are moved by one affine map per group.
/// The removed fraction of a difference is noise_fraction of its square. With n_g of N samples, e =
/// 1 / n_g - 1 / N, m, v, R the means, variances and correlations of all samples within their
/// groups, V = (v_g + v) / 2 and k the kurtosis:
///
///   mean        (m_g - m)^2 / V     noise e
///   variance    (v_g - v)^2 / V^2   noise e (max(k, 3) - 1)
///   correlation |R_g - R|^2         noise e sum of (1 - R_ij^2)^2
///
/// Atoms raise the noise limit (noise_limit). The first two fractions are computed for every
/// feature and for all features together, and the smaller one is used. The third is computed for
/// all pairs together.
///
/// @param mixtures  one per group, fitted to it
void shrink_groups(std::vector<Mixture>& mixtures, std::span<const Group> groups,
                   const TransportOptions& options);

/// The number of samples of a group; a weight of 2 counts twice.
[[nodiscard]] double sample_count_of(const Group& group);

}  // namespace lbw
