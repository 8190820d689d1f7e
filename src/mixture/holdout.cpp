// SPDX-License-Identifier: MIT
#include "mixture/holdout.hpp"

#include <lbw/types.hpp>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "mixture/unchecked.hpp"

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

Holdout::Holdout(Index n_samples, std::uint64_t seed) : weights_(to_size(n_samples), 1.0) {
  HeldOutRows held_out(seed);
  for (Index row = 0; row < n_samples; ++row) {
    if (!held_out.contains(row)) continue;
    at(weights_, row) = 0.0;
    ++n_held_out_;
  }
}

double Holdout::mean_log_likelihood(const Mixture& mixture, SampleView samples,
                                    const Execution& execution) const {
  const Chunks batches = Chunks::batches(samples.n_samples(), samples.n_features());
  double sum = 0.0;
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const SampleView rows = samples.rows(batches.begin(batch), batches.size_of(batch));
    const Vector densities = log_density_unchecked(mixture, rows, execution);
    for (Index i = 0; i < densities.size(); ++i) {
      const bool held_out = at(weights_, batches.begin(batch) + i) == 0.0;
      if (held_out) sum += densities[i];
    }
  }
  return sum / static_cast<double>(n_held_out_);
}

}  // namespace lbw
