// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_transport.hpp>
#include <optional>
#include <string>

namespace lbw {

/// Throws as check_model does, but does not check that the covariance matrices of one group are
/// positive definite, which takes a factorization. It is for callers that find out when they factor
/// them for a result (check_positive_definite). Variances are always checked.
void check_model_but(std::optional<Index> unfactored, const TransportModel& model,
                     const char* function);

/// The name of a group's mixture in messages.
[[nodiscard]] std::string mixture_name(const TransportModel& model, Index group);

}  // namespace lbw
