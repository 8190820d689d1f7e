// SPDX-License-Identifier: MIT
#include <lbw/precision.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(Precision precision) {
  return precision == Precision::f64 ? "f64" : "f32";
}

Precision precision_from(std::string_view name) {
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    if (to_string(precision) == name) return precision;
  }
  throw InvalidArgument(message("precision: '", name, "' is unknown, expected 'f64' or 'f32'"));
}

}  // namespace lbw
