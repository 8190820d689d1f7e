// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "mixture/regularization.hpp"

namespace lbw {

/// What becomes of components that emptied or collapsed.
enum class LostComponents {
  put_back,  ///< the first goes to the worst explained sample, others keep their old place
  keep,      ///< all keep the mean and covariance they had
};

/// next_mixture without argument checks, and with the choice above.
[[nodiscard]] NextMixture m_step(const Mixture& current, const MomentSums& sums,
                                 const Regularization& regularization,
                                 LostComponents lost_components);

}  // namespace lbw
