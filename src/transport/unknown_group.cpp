// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/transport.hpp>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/unchecked.hpp"
#include "transport/kept_groups.hpp"

namespace lbw {

namespace {

constexpr Index always_allowed = 20;
constexpr Index rows_per_text_label = 10;

/// Converts log-densities to probabilities, in place.
void normalize(Eigen::Ref<RowMatrix> row) {
  const double largest = row.maxCoeff();
  if (!std::isfinite(largest)) {
    row.setConstant(1.0 / static_cast<double>(row.cols()));
    return;
  }
  double sum = 0.0;
  for (Index g = 0; g < row.cols(); ++g) {
    row(0, g) = std::exp(row(0, g) - largest);
    sum += row(0, g);
  }
  row /= sum;
}

}  // namespace

RowMatrix group_probabilities(const TransportModel& model, SampleView samples,
                              const Execution& execution) {
  check_model(model, "group_probabilities");
  RowMatrix probabilities(samples.n_samples(), model.n_groups());
  for (Index g = 0; g < model.n_groups(); ++g) {
    const auto at = to_size(g);
    const Mixture& mixture = model.mixtures[at];
    if (is_kept(model, model.group_names[at])) {  // its mixture is a copy of another group's
      probabilities.col(g).setConstant(-std::numeric_limits<double>::infinity());
      continue;
    }
    probabilities.col(g) = log_density_unchecked(mixture, samples, execution);
  }
  for (Index i = 0; i < probabilities.rows(); ++i) normalize(probabilities.row(i));
  return probabilities;
}

Index max_groups(LabelKind kind, Index n_rows) {
  Index limit = 0;
  if (kind == LabelKind::text) limit = n_rows / rows_per_text_label;
  if (kind == LabelKind::whole_numbers) {
    limit = static_cast<Index>(std::sqrt(static_cast<double>(n_rows)));
  }
  return std::max(limit, always_allowed);
}

}  // namespace lbw
