// SPDX-License-Identifier: MIT
// Selects the instruction set of a density model at run time. These are macros because Highway 1.0
// cannot export templates.
#pragma once

#include "device/density_model.hpp"

/// In HWY_NAMESPACE: functions that create a Model<double> and a Model<float>.
#define LBW_NEW_MODELS(Model)                                                          \
  std::unique_ptr<DensityModel<double>> new_double_##Model(const KernelTable& table) { \
    return std::make_unique<Model<double>>(table);                                     \
  }                                                                                    \
  std::unique_ptr<DensityModel<float>> new_float_##Model(const KernelTable& table) {   \
    return std::make_unique<Model<float>>(table);                                      \
  }                                                                                    \
  static_assert(true)

/// If HWY_ONCE: defines make<double>(table) and make<float>(table).
#define LBW_MAKE_MODELS(Model, make)                                     \
  HWY_EXPORT(new_double_##Model);                                        \
  HWY_EXPORT(new_float_##Model);                                         \
  template <>                                                            \
  std::unique_ptr<DensityModel<double>> make(const KernelTable& table) { \
    return HWY_DYNAMIC_DISPATCH(new_double_##Model)(table);              \
  }                                                                      \
  template <>                                                            \
  std::unique_ptr<DensityModel<float>> make(const KernelTable& table) {  \
    return HWY_DYNAMIC_DISPATCH(new_float_##Model)(table);               \
  }                                                                      \
  static_assert(true)
