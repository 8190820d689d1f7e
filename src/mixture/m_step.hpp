// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "mixture/regularization.hpp"

namespace lbw {

/// How to treat empty or collapsed components.
enum class LostComponents {
  put_back,  ///< the first moves to the sample of lowest density, others keep their place
  keep,      ///< all keep their mean and covariance
};

/// next_mixture without argument checks, and with this choice.
[[nodiscard]] NextMixture m_step(const Mixture& current, const MomentSums& sums,
                                 const Regularization& regularization,
                                 LostComponents lost_components);

}  // namespace lbw
