// SPDX-License-Identifier: MIT
// Bures-Wasserstein distances between many covariances at a time, one pair per vector lane.
#pragma once

#include <lbw/matrix.hpp>
#include <span>

namespace lbw {

/// Sets squares(i, j), for first <= i < last and all j, to the squared distance between the
/// Gaussians of mean 0 with the covariances sources[i] and targets[j]. It is NaN unless both are
/// finite, symmetric (1e-8 of the largest entry), of similar units and far from singular.
/// @param sources, targets  at least one each, all with the same number of features, at least 2
void lane_distances(std::span<const Matrix> sources, std::span<const Matrix> targets, Index first,
                    Index last, RowMatrix& squares);

}  // namespace lbw
