// SPDX-License-Identifier: MIT
#include "device/random_pass.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"

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

constexpr Index block_masses = 256;

/// The sum of weight * distance over samples [begin, end), in a few independent sums.
double mass_of(const WeightedSamples& samples, const Vector& distances, Index begin, Index end) {
  constexpr Index n_sums = 8;
  std::array<double, to_size(n_sums)> sums{};
  Index i = begin;
  for (; i + n_sums <= end; i += n_sums) {
    for (Index j = 0; j < n_sums; ++j) {
      at(sums, j) += samples.weight(i + j) * distances[i + j];
    }
  }
  for (; i < end; ++i) sums.front() += samples.weight(i) * distances[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The first sample of [begin, end) at which the cumulative sum exceeds the threshold, or the last
/// one with mass.
Index draw_in(const WeightedSamples& samples, const Vector& distances, Index begin, Index end,
              double threshold) {
  double cumulative = 0.0;
  Index last_with_mass = begin;
  for (Index i = begin; i < end; ++i) {
    const double mass = samples.weight(i) * distances[i];
    if (mass <= 0.0) continue;
    cumulative += mass;
    last_with_mass = i;
    if (cumulative > threshold) break;
  }
  return last_with_mass;
}

}  // namespace

std::vector<Index> draws_by_distance(const WeightedSamples& samples, const Vector& distances,
                                     std::span<const double> fractions) {
  const Index n = distances.size();
  std::vector<double> masses;  // of blocks
  for (Index begin = 0; begin < n; begin += block_masses) {
    masses.push_back(mass_of(samples, distances, begin, std::min(begin + block_masses, n)));
  }
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  std::vector<Index> drawn;
  if (!(total > 0.0)) return drawn;
  while (!(masses.back() > 0.0)) masses.pop_back();
  for (const double fraction : fractions) {
    double before = 0.0;
    Index block = 0;
    while (block + 1 < std::ssize(masses) && before + at(masses, block) <= fraction * total) {
      before += at(masses, block++);
    }
    const Index begin = block * block_masses;
    drawn.push_back(draw_in(samples, distances, begin, std::min(begin + block_masses, n),
                            fraction * total - before));
  }
  return drawn;
}

MomentSums random_sums(const WeightedSamples& samples, const Vector& center, Index n_components,
                       CovarianceType type, Random& random) {
  const Index n = samples.samples.n_samples();
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
