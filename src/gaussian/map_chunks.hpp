// SPDX-License-Identifier: MIT
// What all batches of maps between covariances share.
#pragma once

#include <algorithm>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>

#include "core/parallel.hpp"
#include "linalg/psd.hpp"

namespace lbw {

/// Whether a pair needs the general method: equal covariances have exactly the identity, and
/// diagonal ones are mapped feature by feature.
[[nodiscard]] inline bool is_special(const Eigen::Ref<const Matrix>& source,
                                     const Eigen::Ref<const Matrix>& target) {
  return source == target || (is_diagonal(source) && is_diagonal(target));
}

/// Calls work(begin, end) for chunks of about a hundred microseconds each, which depend only on the
/// number of features and fill whole vectors.
template <typename Work>
void for_each_chunk_of_maps(Index n_maps, Index n_features, const Execution& execution,
                            const Work& work) {
  const Index d = n_features;
  const Chunks chunks{n_maps, 8 * std::clamp<Index>(12'000 / (d * d * d), 1, 125)};
  const auto operations = static_cast<double>(n_maps * (20 * d * d * d + 100));
  for_each_chunk(chunks.count(), threads_worth(operations, execution),
                 [&](Index chunk) { work(chunks.begin(chunk), chunks.end(chunk)); });
}

}  // namespace lbw
