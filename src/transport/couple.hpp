// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Couples the components of all groups: by matchings to the reference (Algorithm 2, one-vs-rest
/// for more than two groups), which need equal numbers of components; by plans to the reference; or
/// by one plan for all groups.
[[nodiscard]] Coupling couple(std::span<const Mixture> mixtures, Index reference,
                              CouplingMethod method, ComponentCost cost,
                              const Execution& execution);

/// Couples the components of the model's mixtures to those of the group model.coupling.reference,
/// in units of each feature's spread if the options ask for it. It sets scales and coupling.
void couple_components(const TransportOptions& options, TransportModel& model);

/// The index of the reference group. Deviation P4: the paper does not specify the reference; the
/// default is the first group.
/// @throws InvalidArgument  listing the group names
[[nodiscard]] Index reference_index(const TransportModel& model, const std::string& reference);

/// (n_tuples, n_groups): the mass of tuple t for group g. In a matching, it is the weight of the
/// component; otherwise, it is the mass of the tuple.
[[nodiscard]] RowMatrix tuple_masses(const TransportModel& model);

}  // namespace lbw
