// SPDX-License-Identifier: MIT
#include "mixture/holdout.hpp"

#include <lbw/types.hpp>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "mixture/unchecked.hpp"
#include "mixture/weighing.hpp"

namespace lbw {

namespace {

// A random stream separate from those of restarts and subsamples.
constexpr std::uint64_t holdout_stream = std::uint64_t{1} << 33;

constexpr Index one_in = 5;

}  // namespace

HeldOutRows::HeldOutRows(std::uint64_t seed) : random_(seed, holdout_stream) {}

bool HeldOutRows::contains(Index row) {
  while (row >= end_) {
    drawn_ = end_ + static_cast<Index>(random_.below(one_in));
    end_ += one_in;
  }
  return row == drawn_;
}

Holdout::Holdout(const WeightedSamples& samples, std::uint64_t seed)
    : samples_(samples), weights_(samples.weights.begin(), samples.weights.end()) {
  if (weights_.empty()) weights_.assign(to_size(samples.samples.n_samples()), 1.0);
  HeldOutRows held_out(seed);
  for (Index row = 0; row < std::ssize(weights_); ++row) {
    if (held_out.contains(row)) at(weights_, row) = 0.0;
  }
}

double Holdout::mean_log_likelihood(const Mixture& mixture, const Execution& execution) const {
  const ScaledWeights scaled(samples_.weights);
  const WeightedSamples all{samples_.samples, scaled.values()};
  const Chunks batches = Chunks::batches(all.samples.n_samples(), all.samples.n_features());
  double sum = 0.0;
  double weight = 0.0;
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const Index first = batches.begin(batch);
    const SampleView rows = all.samples.rows(first, batches.size_of(batch));
    const Vector densities = log_density_unchecked(mixture, rows, execution);
    for (Index i = 0; i < densities.size(); ++i) {
      const bool held_out = at(weights_, first + i) == 0.0;
      if (!held_out) continue;
      sum += all.weight(first + i) * densities[i];
      weight += all.weight(first + i);
    }
  }
  return sum / weight;
}

}  // namespace lbw
