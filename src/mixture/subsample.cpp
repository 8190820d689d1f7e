// SPDX-License-Identifier: MIT
#include "mixture/subsample.hpp"

#include <algorithm>
#include <lbw/fit_mixture.hpp>
#include <lbw/types.hpp>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"

namespace lbw {

namespace {

// A separate random stream, so that restarts keep theirs.
constexpr std::uint64_t subsample_stream = std::uint64_t{1} << 32;

constexpr Index least_start = 2048;
constexpr Index most_start = Index{1} << 17;
constexpr Index samples_per_parameter = 16;
constexpr Index start_share = 20;
// A subsample is used only if there are at least this many times as many samples.
constexpr Index least_ratio = 4;

}  // namespace

std::vector<Index> subsample_indices(Index n_samples, Index size, std::uint64_t seed) {
  const double stretch = static_cast<double>(n_samples) / static_cast<double>(size);
  Random random(seed, subsample_stream);
  std::vector<Index> chosen;
  chosen.reserve(to_size(size));
  for (Index i = 0; i < size; ++i) {
    const double place = (static_cast<double>(i) + random.uniform()) * stretch;
    chosen.push_back(std::min(static_cast<Index>(place), n_samples - 1));
  }
  return chosen;
}

Subsample::Subsample(const WeightedSamples& all, Index size, std::uint64_t seed)
    : samples_(size, all.samples.n_features()),
      chosen_(subsample_indices(all.samples.n_samples(), size, seed)) {
  SamplePass pass(all.samples);
  for (Index i = 0; i < size; ++i) {
    const Index chosen = at(chosen_, i);
    samples_.row(i) = all.samples.row(chosen).transpose();
    if (!all.weights.empty()) weights_.push_back(all.weight(chosen));
    pass.used_up_to(chosen + 1);
  }
  all.samples.check();
}

Index start_sample_size(Index n_samples, Index n_features, int n_components) {
  const Index n_parameters = n_components * (n_features + 1) * (n_features + 2) / 2;
  const Index wanted = std::max({least_start, samples_per_parameter * n_parameters,
                                 std::min(most_start, n_samples / start_share)});
  return n_samples >= least_ratio * wanted ? wanted : n_samples;
}

}  // namespace lbw
