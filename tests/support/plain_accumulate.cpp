// SPDX-License-Identifier: MIT
#include "support/plain_accumulate.hpp"

namespace lbw {

namespace {

Lane product(const Lane& left, const Lane& right) {
  Lane result{};
  for (std::size_t i = 0; i < block_size; ++i) result[i] = left[i] * right[i];
  return result;
}

// Sum of weight * difference * difference^T into both triangles.
void add_outer_products(const Lane& weight, const std::vector<Lane>& differences, Matrix& second) {
  for (Index row = 0; row < second.rows(); ++row) {
    const Lane weighted = product(weight, differences[static_cast<std::size_t>(row)]);
    for (Index column = 0; column <= row; ++column) {
      second(row, column) += lane_dot(weighted, differences[static_cast<std::size_t>(column)]);
      second(column, row) = second(row, column);
    }
  }
}

// Sum of weight * difference^2, per feature or over all features.
void add_squares(const Lane& weight, const std::vector<Lane>& differences, Matrix& second) {
  for (std::size_t feature = 0; feature < differences.size(); ++feature) {
    const Lane weighted = product(weight, differences[feature]);
    const Index entry = second.rows() == 1 ? 0 : static_cast<Index>(feature);
    second(entry, 0) += lane_dot(weighted, differences[feature]);
  }
}

void add_component(const SampleBlock& block, Index component, const Lane& weight,
                   std::vector<Lane>& differences, MomentSums& sums) {
  sums.component_weight[component] += lane_sum(weight);
  block.subtract(sums.centers.row(component).transpose(), differences);
  for (Index feature = 0; feature < sums.centers.cols(); ++feature) {
    sums.first(component, feature) +=
        lane_dot(weight, differences[static_cast<std::size_t>(feature)]);
  }
  const bool tied = sums.covariance_type == CovarianceType::tied;
  Matrix& second = sums.second[tied ? 0 : static_cast<std::size_t>(component)];
  if (tied || sums.covariance_type == CovarianceType::full) {
    add_outer_products(weight, differences, second);
  } else {
    add_squares(weight, differences, second);
  }
}

void add_likelihood(const SampleBlock& block, const Lane& log_density, MomentSums& sums) {
  sums.weight += lane_sum(block.weights);
  for (Index i = 0; i < block.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (block.weights[at] == 0.0) continue;
    ++sums.n_samples;
    sums.log_likelihood += block.weights[at] * log_density[at];
    if (log_density[at] >= sums.worst_log_density) continue;
    sums.worst_log_density = log_density[at];
    for (std::size_t feature = 0; feature < block.features.size(); ++feature) {
      sums.worst_sample[static_cast<Index>(feature)] = block.features[feature][at];
    }
  }
}

bool all_zero(const Lane& lane) {
  for (const double value : lane) {
    if (value != 0.0) return false;
  }
  return true;
}

}  // namespace

void accumulate_moments(const SampleBlock& block, const std::vector<Lane>& responsibilities,
                        const Lane& log_density, std::vector<Lane>& differences, MomentSums& sums) {
  add_likelihood(block, log_density, sums);
  for (std::size_t component = 0; component < responsibilities.size(); ++component) {
    const Lane weight = product(block.weights, responsibilities[component]);
    if (all_zero(weight)) continue;
    add_component(block, static_cast<Index>(component), weight, differences, sums);
  }
}

}  // namespace lbw
