// SPDX-License-Identifier: MIT
#include "transport/group_source.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <thread>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/fit_source.hpp"
#include "mixture/noisy_rows.hpp"
#include "mixture/subsample.hpp"
#include "transport/fit_refinement.hpp"

namespace lbw {

namespace {

Group fetched(const Group& group, std::uint64_t seed) {
  if (group.source == nullptr) return group;
  const SourceSummary summary = group.source->summary();
  require(summary.n_samples > 0 && summary.n_features > 0, "fit_transport: group '", group.name,
          "' has ", counted(summary.n_samples, "row"), " and ",
          counted(summary.n_features, "feature"), ", expected one or more");
  const bool all = summary.n_samples <= most_refinement_samples;
  const std::vector<Index> chosen = subsample_indices(
      summary.n_samples, std::min(summary.n_samples, most_refinement_samples), seed);
  RowsAndWeights some = fetch_rows(*group.source, chosen);
  Group result{.name = group.name,
               .samples = std::move(some.rows),
               .sample_weights = std::move(some.weights)};
  if (all) return result;
  result.keys = std::vector<std::uint64_t>(chosen.begin(), chosen.end());
  result.source = group.source;
  return result;
}

/// Calls end() of the source after the work, whether it succeeds or not: other groups may wait.
void run_to_end(const Group& group, const std::function<void()>& work) {
  if (group.source == nullptr) return work();
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  try {
    group.source->end();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::vector<Group> fetched_groups(std::span<const Group> groups, std::uint64_t seed) {
  std::vector<Group> result;
  for (const Group& group : groups) result.push_back(fetched(group, seed));
  return result;
}

Index n_rows_of(const Group& group) {
  return group.source != nullptr ? group.source->summary().n_samples : group.samples.n_samples();
}

bool has_weights(const Group& group) { return !group.sample_weights.empty(); }

Index n_positive_of(const Group& group) {
  if (group.source != nullptr) return group.source->summary().n_positive;
  if (!has_weights(group)) return group.samples.n_samples();
  const std::span<const double> weights = group.sample_weights;
  return std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0.0; });
}

double weight_of(const Group& group) {
  if (group.source != nullptr) return group.source->summary().weight;
  if (!has_weights(group)) return static_cast<double>(group.samples.n_samples());
  const std::span<const double> weights = group.sample_weights;
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

void for_each_group_at_once(std::span<const Group> groups,
                            const std::function<void(std::size_t)>& work) {
  for (const Group& group : groups) {
    if (group.source != nullptr) group.source->begin();
  }
  std::vector<std::exception_ptr> failures(groups.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      threads.emplace_back([&, g] {
        try {
          run_to_end(groups[g], [&] { work(g); });
        } catch (...) {
          failures[g] = std::current_exception();
        }
      });
    }
  }  // the threads are joined here
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

NoisySource::NoisySource(SampleSource& source, const Noise& noise, std::uint64_t seed,
                         Execution execution)
    : source_(source), noise_{seed, noise.widths, {}}, execution_(std::move(execution)) {
  for (const DitherCells& cells : noise.cells) noise_.cells.push_back({cells.lower, cells.upper});
}

RowsAndWeights NoisySource::rows(std::span<const Index> ascending) {
  RowsAndWeights fetched = source_.rows(ascending);
  if (fetched.rows.rows() != std::ssize(ascending)) return fetched;  // the caller refuses it
  fetched.rows = noisy_rows(fetched.rows, noise_, ascending, execution_);
  return fetched;
}

MomentSums NoisySource::moment_sums(const SumsRequest& request) {
  SumsRequest noisy = request;
  noisy.noise = noise_;
  return source_.moment_sums(noisy);
}

}  // namespace lbw
