// SPDX-License-Identifier: MIT
#include "mixture/random_shares.hpp"

#include <algorithm>
#include <lbw/moment_sums.hpp>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"
#include "mixture/sample_spread.hpp"

namespace lbw {

namespace {

constexpr Index block_rows = 256;

/// (rows, n_components): the weight of every sample times the shares of the components.
RowMatrix draw_shares(const WeightedSamples& samples, Index begin, Index rows, Index n_components,
                      Random& random) {
  RowMatrix shares(rows, n_components);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < n_components; ++k) shares(i, k) = 1.0 - random.uniform();  // (0, 1]
    shares.row(i) *= samples.weight(begin + i) / shares.row(i).sum();
  }
  return shares;
}

/// Adds the second moments of a block of differences from the center.
void add_second(const RowMatrix& block, const RowMatrix& shares, MomentSums& sums) {
  const CovarianceLayout& layout = layout_of(sums.covariance_type);
  if (layout.is_shared) {
    sums.second.front().noalias() +=
        block.transpose() * (shares.rowwise().sum().asDiagonal() * block);
    return;
  }
  for (Index k = 0; k < shares.cols(); ++k) {
    Matrix& second = at(sums.second, k);
    switch (layout.entries) {
      case CovarianceEntries::matrix:
        second.noalias() += block.transpose() * (shares.col(k).asDiagonal() * block);
        break;
      case CovarianceEntries::variances:
        second += (shares.col(k).transpose() * block.cwiseAbs2()).transpose();
        break;
      case CovarianceEntries::variance:
        second(0, 0) += shares.col(k).dot(block.rowwise().squaredNorm());
        break;
    }
  }
}

}  // namespace

MomentSums random_shares(const WeightedSamples& samples, Index n_components, CovarianceType type,
                         Random& random, const Execution& execution) {
  const Index n = samples.samples.n_samples();
  const Vector center = sample_spread(samples, CovarianceType::spherical, execution).mean;
  MomentSums sums = MomentSums::about(center.transpose().replicate(n_components, 1), type);
  SamplePass pass(samples.samples);
  RowMatrix block;
  for (Index begin = 0; begin < n; begin += block_rows) {
    const Index rows = std::min(block_rows, n - begin);
    block.resize(rows, center.size());
    for (Index i = 0; i < rows; ++i) {
      block.row(i) = (samples.samples.row(begin + i) - center).transpose();
      if (samples.weight(begin + i) > 0.0) ++sums.n_samples;
    }
    const RowMatrix shares = draw_shares(samples, begin, rows, n_components, random);
    sums.weight += shares.sum();
    sums.component_weight += shares.colwise().sum().transpose();
    sums.first.noalias() += shares.transpose() * block;
    add_second(block, shares, sums);
    pass.used_up_to(begin + rows);
  }
  return sums;
}

}  // namespace lbw
