// SPDX-License-Identifier: MIT
#include "mixture/digest.hpp"

#include <algorithm>

#include "core/fnv.hpp"

namespace lbw {

std::uint64_t digest_of(const Mixture& mixture) {
  Fnv hash;
  for (const double weight : mixture.weights) hash.add(weight);
  for (const double mean : mixture.means.reshaped<Eigen::RowMajor>()) hash.add(mean);
  for (const Matrix& covariance : mixture.covariances) {
    for (const double entry : covariance.reshaped()) hash.add(entry);
  }
  return std::max<std::uint64_t>(hash.value(), 1);
}

}  // namespace lbw
