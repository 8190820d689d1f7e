// SPDX-License-Identifier: MIT
#include <lbw/covariance_type.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(CovarianceType type) {
  switch (type) {
    case CovarianceType::full:
      return "full";
    case CovarianceType::tied:
      return "tied";
    case CovarianceType::diagonal:
      return "diagonal";
    case CovarianceType::spherical:
      return "spherical";
  }
  return "";
}

CovarianceType covariance_type_from(std::string_view name) {
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied,
                                    CovarianceType::diagonal, CovarianceType::spherical}) {
    if (to_string(type) == name) return type;
  }
  throw InvalidArgument(
      message("covariance_type: '", name,
              "' is unknown, expected 'full', 'tied', 'diagonal' or 'spherical'"));
}

}  // namespace lbw
