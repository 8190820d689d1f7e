// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Matches the components of every group to those of the reference by their means (Algorithm 2,
/// one-vs-rest for more than two groups). All mixtures have one number of components.
[[nodiscard]] Coupling couple_by_means(std::span<const Mixture> mixtures, Index reference);

/// (n_tuples, n_groups): the mass of tuple t seen from group g. Under a matching it is the whole
/// weight of its component.
[[nodiscard]] RowMatrix tuple_masses(const TransportModel& model);

}  // namespace lbw
