// SPDX-License-Identifier: MIT
#include "support/plain_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lbw {

namespace {

// Below this, a responsibility is exactly 0: it would not change a sum, and denormals are slow.
constexpr double smallest_exponent = -300.0;

// distances[i] += (row . differences[i])^2 for one row of a lower triangular whitening matrix.
void add_whitened_row(const Matrix& whitening, Index row, const std::vector<Lane>& differences,
                      Lane& distances) {
  Lane projected{};
  for (Index column = 0; column <= row; ++column) {
    const double factor = whitening(row, column);
    const Lane& difference = differences[static_cast<std::size_t>(column)];
    for (std::size_t i = 0; i < block_size; ++i) projected[i] += factor * difference[i];
  }
  for (std::size_t i = 0; i < block_size; ++i) distances[i] += projected[i] * projected[i];
}

void add_scaled_feature(double inverse_deviation, const Lane& difference, Lane& distances) {
  for (std::size_t i = 0; i < block_size; ++i) {
    const double scaled = inverse_deviation * difference[i];
    distances[i] += scaled * scaled;
  }
}

void mahalanobis_distances(const DensityTable& table, Index component,
                           const std::vector<Lane>& differences, Lane& distances) {
  distances.fill(0.0);
  const Matrix& whitening = table.whitening_of(component);
  for (Index feature = 0; feature < table.n_features(); ++feature) {
    switch (table.covariance_type) {
      case CovarianceType::full:
      case CovarianceType::tied:
        add_whitened_row(whitening, feature, differences, distances);
        break;
      case CovarianceType::diagonal:
      case CovarianceType::spherical:
        add_scaled_feature(whitening(std::min(feature, whitening.rows() - 1), 0),
                           differences[static_cast<std::size_t>(feature)], distances);
        break;
    }
  }
}

Lane largest_joint(const std::vector<Lane>& joint) {
  Lane largest = joint.front();
  for (const Lane& lane : joint) {
    for (std::size_t i = 0; i < block_size; ++i) largest[i] = std::max(largest[i], lane[i]);
  }
  return largest;
}

}  // namespace

void log_joint_densities(const SampleBlock& block, const DensityTable& table,
                         DensityWorkspace& workspace) {
  Lane distances{};
  for (Index component = 0; component < table.n_components(); ++component) {
    block.subtract(table.means.row(component).transpose(), workspace.differences);
    mahalanobis_distances(table, component, workspace.differences, distances);
    Lane& joint = workspace.joint[static_cast<std::size_t>(component)];
    for (std::size_t i = 0; i < block_size; ++i) {
      joint[i] = table.log_scale[component] - 0.5 * distances[i];
    }
  }
}

void normalize_responsibilities(DensityWorkspace& workspace) {
  const Lane largest = largest_joint(workspace.joint);
  Lane sum{};
  for (Lane& lane : workspace.joint) {
    for (std::size_t i = 0; i < block_size; ++i) {
      const double exponent = lane[i] - largest[i];
      // if every density is 0, the exponent is -inf - -inf and no component gets the point
      lane[i] = exponent > smallest_exponent ? std::exp(exponent) : 0.0;
      sum[i] += lane[i];
    }
  }
  for (Lane& lane : workspace.joint) {
    for (std::size_t i = 0; i < block_size; ++i) lane[i] = sum[i] > 0.0 ? lane[i] / sum[i] : 0.0;
  }
  for (std::size_t i = 0; i < block_size; ++i) {
    workspace.log_density[i] =
        sum[i] > 0.0 ? largest[i] + std::log(sum[i]) : -std::numeric_limits<double>::infinity();
  }
}

void largest_component(const std::vector<Lane>& joint, std::array<int, block_size>& labels) {
  Lane largest = joint.front();
  labels.fill(0);
  for (std::size_t component = 1; component < joint.size(); ++component) {
    for (std::size_t i = 0; i < block_size; ++i) {
      if (joint[component][i] > largest[i]) {
        largest[i] = joint[component][i];
        labels[i] = static_cast<int>(component);
      }
    }
  }
}

}  // namespace lbw
