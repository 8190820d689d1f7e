// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace lbw {

/// What EM computes in. Sums over samples are in double precision always.
enum class Precision {
  f64,  ///< double
  f32,  ///< single: about twice as fast, log-likelihoods good to six digits
};

/// "f64" or "f32".
[[nodiscard]] std::string_view to_string(Precision precision);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] Precision precision_from(std::string_view name);

}  // namespace lbw
