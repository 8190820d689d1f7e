// SPDX-License-Identifier: MIT
#include "core/point_draw.hpp"

#include <lbw/random.hpp>

namespace lbw {

namespace {

constexpr std::uint64_t stream = 0x706f696e74;  // away from those of restarts

}  // namespace

PointDraws::PointDraws(std::uint64_t seed, Index n_features)
    : n_features_(n_features), keys_(static_cast<std::size_t>(n_features) + 1) {
  Random random(seed, stream);
  for (std::uint64_t& key : keys_) key = random.bits();
}

}  // namespace lbw
