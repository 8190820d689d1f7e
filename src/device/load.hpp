// SPDX-License-Identifier: MIT
// Samples into the rows of a block, feature by feature, so that vectors run over points.
#pragma once

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// rows.row(f)[i] = samples(begin + i, f) - origin[f] for i < count; 0 up to the end of the block.
/// The subtraction is done in double precision; single precision clamps at +-1e15.
template <typename T>
void load_features(SampleView samples, Index begin, Index count, const Vector& origin,
                   Rows<T>& rows);

/// weights[i] = scale * weight of sample begin + i for i < count; 0 up to the end of the block.
template <typename T>
void load_weights(const WeightedSamples& samples, Index begin, Index count, double scale,
                  T* weights);

}  // namespace lbw
