// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/samples.hpp>

namespace lbw {

[[nodiscard]] inline RowMatrix copy_of(SampleView samples) {
  RowMatrix copy(samples.n_samples(), samples.n_features());
  for (Index i = 0; i < copy.rows(); ++i) copy.row(i) = samples.row(i).transpose();
  samples.check();
  return copy;
}

}  // namespace lbw
