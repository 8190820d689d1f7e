// SPDX-License-Identifier: MIT
// Names of version 0.1. They still compile through lbw/lbw.hpp and will be removed.
#pragma once

#include <lbw/fit_transport.hpp>
#include <lbw/transport.hpp>
#include <string>
#include <string_view>

namespace lbw {

#define LBW_OLD_NAME(name, Enum)                                                    \
  [[deprecated("use enum_from<" #Enum ">")]] [[nodiscard]] inline Enum name##_from( \
      std::string_view text) {                                                      \
    return enum_from<Enum>(text);                                                   \
  }
LBW_OLD_NAME(component_cost, ComponentCost)
LBW_OLD_NAME(coupling_method, CouplingMethod)
LBW_OLD_NAME(covariance_type, CovarianceType)
LBW_OLD_NAME(criterion, Criterion)
LBW_OLD_NAME(map_kind, MapKind)
LBW_OLD_NAME(mixture_start, MixtureStart)
LBW_OLD_NAME(precision, Precision)
LBW_OLD_NAME(small_groups, SmallGroups)
LBW_OLD_NAME(unknown_group, UnknownGroup)
#undef LBW_OLD_NAME

[[deprecated("use fraction_option")]] [[nodiscard]] inline Shrinkage shrinkage_from(
    std::string_view text) {
  Shrinkage shrinkage;
  fraction_option("shrinkage", shrinkage, "").set(text);
  return shrinkage;
}

[[deprecated("use fraction_option")]] [[nodiscard]] inline Dither dither_from(
    std::string_view text) {
  Dither dither;
  fraction_option("dither", dither, "").set(text);
  return dither;
}

[[deprecated("use fraction_option")]] [[nodiscard]] inline std::string to_string(
    Shrinkage shrinkage) {
  return fraction_option("shrinkage", shrinkage, "").text();
}

[[deprecated("use fraction_option")]] [[nodiscard]] inline std::string to_string(Dither dither) {
  return fraction_option("dither", dither, "").text();
}

}  // namespace lbw
