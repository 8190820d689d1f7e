// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <string>
#include <vector>

namespace lbw {

/// What a user should know of the fit of a model, as sentences that name what to change. Those of
/// the verdict of report() too, and found without samples.
///
/// - mixture_options.covariance_floor is more than 1 % of the variance of a feature in a group,
///   although the feature is not constant there: the covariances then describe the floor. Floors
///   above the default were chosen, and are not warned of.
/// - Components of a group are copies of others, because it has fewer distinct samples.
[[nodiscard]] std::vector<std::string> fit_warnings(const TransportModel& model);

}  // namespace lbw
