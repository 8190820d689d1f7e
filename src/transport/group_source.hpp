// SPDX-License-Identifier: MIT
// Groups whose rows come from a source (Group::source).
#pragma once

#include <functional>
#include <lbw/fit_transport.hpp>
#include <lbw/sample_source.hpp>
#include <memory>
#include <span>
#include <vector>

#include "transport/dither.hpp"

namespace lbw {

/// The groups with rows in memory. A group of few rows is fetched completely and has no source any
/// more. Otherwise, it has the rows of a subsample, with their indices as keys.
[[nodiscard]] std::vector<Group> fetched_groups(std::span<const Group> groups, std::uint64_t seed);

/// The number of rows of a group, in memory or not, and of those with a weight above 0.
[[nodiscard]] Index n_rows_of(const Group& group);
[[nodiscard]] Index n_positive_of(const Group& group);

/// The sum of the weights; the number of rows without weights.
[[nodiscard]] double weight_of(const Group& group);

[[nodiscard]] bool has_weights(const Group& group);

/// Calls work(group) for all groups at the same time, each on its own thread, between begin() and
/// end() of its source. If calls throw, the exception of the first group is rethrown.
void for_each_group_at_once(std::span<const Group> groups,
                            const std::function<void(std::size_t)>& work);

/// A source whose rows have noise.
class NoisySource : public SampleSource {
 public:
  /// @param source  must outlive this object
  NoisySource(SampleSource& source, const Noise& noise, std::uint64_t seed, Execution execution);

  [[nodiscard]] SourceSummary summary() override { return source_.summary(); }
  [[nodiscard]] RowsAndWeights rows(std::span<const Index> ascending) override;
  [[nodiscard]] MomentSums moment_sums(const SumsRequest& request) override;
  void begin() override { source_.begin(); }
  void end() override { source_.end(); }

 private:
  SampleSource& source_;
  RowNoise noise_;
  Execution execution_;
};

}  // namespace lbw
