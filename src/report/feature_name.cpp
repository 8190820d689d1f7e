// SPDX-License-Identifier: MIT
#include "report/feature_name.hpp"

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

std::string feature_name(const TransportModel& model, Index feature) {
  if (!model.feature_names.empty()) {
    return "'" + at(model.feature_names, feature) + "'";
  }
  return message(feature + 1, " of ", model.n_features());
}

}  // namespace lbw
