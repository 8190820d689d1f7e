// SPDX-License-Identifier: MIT
#include "core/point_draw.hpp"

#include <lbw/types.hpp>

#include "core/indexing.hpp"

namespace lbw {

PointDraws::PointDraws(std::uint64_t seed, Index n_features, std::uint64_t stream)
    : n_features_(n_features), keys_(to_size(n_features) + 1) {
  Random random(seed, stream);
  for (std::uint64_t& key : keys_) key = random.bits();
}

}  // namespace lbw
