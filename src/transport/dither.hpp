// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/dither.hpp>
#include <string>

namespace lbw {

/// Throws InvalidArgument unless the widths are none at all or one per feature, finite and >= 0.
void check_widths(const Vector& widths, Index n_features, const char* function,
                  const std::string& argument);

/// dithered() of samples and widths that were checked before.
void dither_into(SampleView samples, const Vector& widths, std::uint64_t seed,
                 const Execution& execution, RowMatrix& out);

}  // namespace lbw
