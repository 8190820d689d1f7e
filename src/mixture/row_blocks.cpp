// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/sample_source.hpp>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/checks.hpp"
#include "mixture/digest.hpp"
#include "mixture/holdout.hpp"
#include "mixture/noisy_rows.hpp"

namespace lbw {

namespace {

constexpr const char* block_summing = "moment_sums";

/// The weights of a block, 0 for rows that are not of the part.
std::vector<double> weights_of_part(const SumsRequest& request, std::span<const double> weights,
                                    Index first_row, Index n_rows) {
  std::vector<double> own(weights.begin(), weights.end());
  if (request.part == RowPart::all) return own;
  if (own.empty()) own.assign(to_size(n_rows), 1.0);
  const bool wanted = request.part == RowPart::held_out;
  HeldOutRows held_out(request.seed);
  for (Index i = 0; i < n_rows; ++i) {
    if (held_out.contains(first_row + i) != wanted) at(own, i) = 0.0;
  }
  return own;
}

void check_block(const SumsRequest& request, SampleView rows, std::span<const double> weights,
                 Index first_row, const Execution& execution) {
  check_execution(execution, block_summing);
  check_samples(rows, block_summing, "samples", execution);
  require(rows.n_features() == request.mixture.n_features(), block_summing, ": samples have ",
          counted(rows.n_features(), "feature"), ", the mixture has ",
          request.mixture.n_features());
  require(first_row >= 0, block_summing, ": first_row is ", first_row, ", expected 0 or more");
  check_block_weights({rows, weights}, block_summing);
  check_row_noise(request.noise, rows.n_features(), block_summing);
}

MomentSums sums_of_block(const SumsRequest& request, SampleView rows,
                         std::span<const double> weights, Index first_row,
                         const Execution& execution) {
  const DensityTable table = checked_density_table(request.mixture, block_summing, "mixture");
  check_block(request, rows, weights, first_row, execution);
  const std::vector<double> own = weights_of_part(request, weights, first_row, rows.n_samples());
  const bool empty = !own.empty() && std::ranges::all_of(own, [](double w) { return w == 0.0; });
  if (empty) return MomentSums::about(request.mixture.means, request.mixture.covariance_type);
  if (request.noise.empty()) {
    return device_of(execution).moment_sums({rows, own}, table, request.precision, execution);
  }
  std::vector<Index> indices(to_size(rows.n_samples()));
  std::iota(indices.begin(), indices.end(), first_row);
  const RowMatrix noisy = noisy_rows(rows, request.noise, indices, execution);
  return device_of(execution).moment_sums({noisy, own}, table, request.precision, execution);
}

}  // namespace

MomentSums moment_sums(const SumsRequest& request, SampleView rows, std::span<const double> weights,
                       Index first_row, const Execution& execution) {
  MomentSums sums = sums_of_block(request, rows, weights, first_row, execution);
  check_range_of_sums(sums, request.mixture, block_summing);
  sums.mixture = digest_of(request.mixture);
  return sums;
}

std::vector<bool> held_out_rows(Index first_row, Index n_rows, std::uint64_t seed) {
  require(first_row >= 0 && n_rows >= 0, "held_out_rows: rows ", first_row, " to ",
          first_row + n_rows, " requested, expected numbers >= 0");
  HeldOutRows held_out(seed);
  std::vector<bool> flags(to_size(n_rows));
  for (Index i = 0; i < n_rows; ++i) at(flags, i) = held_out.contains(first_row + i);
  return flags;
}

ViewSource::ViewSource(SampleView samples, std::span<const double> sample_weights,
                       Execution execution)
    : samples_(samples), weights_(sample_weights), execution_(std::move(execution)) {
  check_samples(samples, "ViewSource", "samples", execution_);
  check_sample_weights({samples, sample_weights}, "ViewSource");
}

SourceSummary ViewSource::summary() {
  const Index n = samples_.n_samples();
  SourceSummary summary{n,     samples_.n_features(),  n,
                        false, static_cast<double>(n), static_cast<double>(n)};
  if (weights_.empty()) return summary;
  summary.has_weights = true;
  summary.n_positive = std::ranges::count_if(weights_, [](double w) { return w > 0.0; });
  summary.weight = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  summary.squared_weight =
      std::inner_product(weights_.begin(), weights_.end(), weights_.begin(), 0.0);
  return summary;
}

RowsAndWeights ViewSource::rows(std::span<const Index> ascending) {
  RowsAndWeights result{RowMatrix(std::ssize(ascending), samples_.n_features()), {}};
  SamplePass pass(samples_);
  for (Index i = 0; i < std::ssize(ascending); ++i) {
    const Index row = at(ascending, i);
    result.rows.row(i) = samples_.row(row).transpose();
    if (!weights_.empty()) result.weights.push_back(at(weights_, row));
    pass.used_up_to(row + 1);
  }
  samples_.check();
  return result;
}

MomentSums ViewSource::moment_sums(const SumsRequest& request) {
  if (request.noise.empty()) return lbw::moment_sums(request, samples_, weights_, 0, execution_);
  // noise needs a copy of the rows, so they are processed in batches
  const Chunks batches = Chunks::batches(samples_.n_samples(), samples_.n_features());
  MomentSums sums = MomentSums::about(request.mixture.means, request.mixture.covariance_type);
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const Index first = batches.begin(batch);
    const Index count = batches.size_of(batch);
    const auto weights =
        weights_.empty() ? weights_ : weights_.subspan(to_size(first), to_size(count));
    sums += lbw::moment_sums(request, samples_.rows(first, count), weights, first, execution_);
  }
  return sums;
}

}  // namespace lbw
