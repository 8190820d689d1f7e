// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Brings the components of every group together with those of the reference: by matchings
/// (Algorithm 2, one-vs-rest for more than two groups), for which all mixtures have one number of
/// components, or by plans; or of all groups at once.
[[nodiscard]] Coupling couple(std::span<const Mixture> mixtures, Index reference,
                              CouplingMethod method, ComponentCost cost,
                              const Execution& execution);

/// Couples the components of the model's mixtures to those of the group model.coupling.reference,
/// in units of each feature's spread if the options ask for it. It sets scales and coupling.
void couple_components(const TransportOptions& options, TransportModel& model);

/// Position of the group that others are coupled to. Deviation P4: the paper does not say which
/// group it is; here the first unless one is named.
/// @throws InvalidArgument listing the groups there are
[[nodiscard]] Index reference_index(const TransportModel& model, const std::string& reference);

/// (n_tuples, n_groups): the mass of tuple t seen from group g. Under a matching it is the whole
/// weight of its component, otherwise the mass of the tuple.
[[nodiscard]] RowMatrix tuple_masses(const TransportModel& model);

}  // namespace lbw
