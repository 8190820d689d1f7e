// SPDX-License-Identifier: MIT
// Densities of components that share one covariance, which many operations then need once for all
// components.
#pragma once

#include <memory>

#include "device/density_model.hpp"

namespace lbw {

/// Whether the components share a covariance, and are so close to each other that sums about the
/// origin of the table lose few digits. Not for KernelTable::accurate.
[[nodiscard]] bool can_share(const KernelTable& table);

/// For tables that can_share. Only the sum over components of the second moments has a meaning.
template <typename T>
[[nodiscard]] std::unique_ptr<DensityModel<T>> make_shared_model(const KernelTable& table);

}  // namespace lbw
