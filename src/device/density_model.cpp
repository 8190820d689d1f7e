// SPDX-License-Identifier: MIT
#include "device/density_model.hpp"

#include "device/shared_model.hpp"

namespace lbw {

namespace {

/// With fewer features, packing the panels costs more than they save.
template <typename T>
constexpr Index fewest_features_of_panel_model = sizeof(T) == sizeof(double) ? 29 : 48;

template <typename T>
std::unique_ptr<DensityModel<T>> make_model_of_factors(const KernelTable& table) {
  if (table.kind == KernelTable::Kind::scaled) return make_scaled_model<T>(table);
  if (can_share(table)) return make_shared_model<T>(table);
  return table.n_features() < fewest_features_of_panel_model<T> ? make_whitened_model<T>(table)
                                                                : make_panel_model<T>(table);
}

}  // namespace

template <>
std::unique_ptr<DensityModel<double>> make_density_model(const KernelTable& table) {
  return table.kind == KernelTable::Kind::features ? make_feature_model(table)
                                                   : make_model_of_factors<double>(table);
}

template <>
std::unique_ptr<DensityModel<float>> make_density_model(const KernelTable& table) {
  return make_model_of_factors<float>(table);
}

}  // namespace lbw
