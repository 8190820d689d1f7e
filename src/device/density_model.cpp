// SPDX-License-Identifier: MIT
#include "device/density_model.hpp"

namespace lbw {

template <>
std::unique_ptr<DensityModel<double>> make_density_model(const KernelTable& table) {
  switch (table.kind) {
    case KernelTable::Kind::features:
      return make_feature_model(table);
    case KernelTable::Kind::scaled:
      return make_scaled_model<double>(table);
    default:
      return make_whitened_model<double>(table);
  }
}

template <>
std::unique_ptr<DensityModel<float>> make_density_model(const KernelTable& table) {
  return table.kind == KernelTable::Kind::scaled ? make_scaled_model<float>(table)
                                                 : make_whitened_model<float>(table);
}

}  // namespace lbw
