// SPDX-License-Identifier: MIT
#include "transport/fit_refinement.hpp"

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "core/weights.hpp"
#include "device/turn_points.hpp"
#include "linalg/rotation.hpp"
#include "mixture/subsample.hpp"
#include "transport/refinement.hpp"
#include "transport/refiner.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t rotation_stream = 0x726f74617465;  // away from those of restarts

/// Samples on their way, and what they weigh.
struct Carried {
  RowMatrix points;
  std::vector<double> weights;  ///< empty when all weigh the same
};

std::vector<double> copy_of(std::span<const double> values) {
  return {values.begin(), values.end()};
}

/// The keys of some samples of a group, which are given or count copies among all of them.
std::vector<std::uint64_t> keys_of(const Group& group, bool dithers,
                                   const std::vector<Index>& chosen, const Execution& execution) {
  const SampleView& samples = group.samples;
  RowKeys all = dithers ? keys_for_dither(group.keys, samples, execution)
                        : RowKeys(group.keys, samples.n_features());
  const Chunks batches = Chunks::batches(samples.n_samples(), samples.n_features());
  std::vector<std::uint64_t> keys;
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const Index first = batches.begin(batch);
    const Index count = batches.size_of(batch);
    const auto own = all.next(samples.rows(first, count), execution);
    while (keys.size() < chosen.size() && chosen[keys.size()] < first + count) {
      keys.push_back(own[static_cast<std::size_t>(chosen[keys.size()] - first)]);
    }
    samples.release(first, count);
  }
  return keys;
}

Carried carried_samples(const LocalMap& map, const Group& group, const TransportOptions& options) {
  const Execution& execution = options.mixture.execution;
  if (group.samples.n_samples() <= most_refinement_samples) {
    return {transport(map, group.samples, execution, group.keys), copy_of(group.sample_weights)};
  }
  const Subsample some({group.samples, group.sample_weights}, most_refinement_samples,
                       options.mixture.seed);
  const bool draws = map.dithers() || map.kind == MapKind::random;
  const auto keys = draws ? keys_of(group, map.dithers(), some.chosen(), execution)
                          : std::vector<std::uint64_t>();
  return {transport(map, some.view().samples, execution, keys), copy_of(some.view().weights)};
}

/// Column f holds the coordinates along axis f.
Matrix along_axes(const RowMatrix& points, const Matrix& rotation, const Execution& execution) {
  Matrix turned(points.rows(), points.cols());
  const Chunks chunks = Chunks::of(points.rows());
  const auto work = static_cast<double>(points.rows()) * static_cast<double>(rotation.size());
  for_each_chunk(chunks.count(), threads_worth(work, execution), [&](Index chunk) {
    const Index count = chunks.size_of(chunk);
    RowMatrix block = RowMatrix::Zero(points.cols(), padded_to_turn(count));
    block.leftCols(count) = points.middleRows(chunks.begin(chunk), count).transpose();
    RowMatrix along(block.rows(), block.cols());
    turn_points(rotation, block, along);
    turned.middleRows(chunks.begin(chunk), count) = along.leftCols(count).transpose();
  });
  return turned;
}

std::vector<QuantileTable> tables_of(const Carried& group, const Matrix& rotation,
                                     const Execution& execution) {
  const Matrix turned = along_axes(group.points, rotation, execution);
  std::vector<QuantileTable> tables(static_cast<std::size_t>(turned.cols()));
  constexpr double work_of_sorting = 100.0;
  const auto work = work_of_sorting * static_cast<double>(turned.size());
  for_each_chunk(turned.cols(), threads_worth(work, execution), [&](Index axis) {
    tables[static_cast<std::size_t>(axis)] = quantile_table(
        {turned.col(axis).data(), static_cast<std::size_t>(turned.rows())}, group.weights);
  });
  return tables;
}

/// Every third step looks along the features themselves: a value that many samples share is a
/// narrow place on its own axis alone, and rotations take many steps to bring such places of groups
/// together.
Matrix axes_of_step(int step, Index n_features, Random& random) {
  constexpr int steps_per_turn = 3;
  if (step % steps_per_turn == 0) return Matrix::Identity(n_features, n_features);
  return haar_rotation(n_features, random);
}

RefinementStep fit_step(const std::vector<Carried>& groups, const Matrix& rotation,
                        const Execution& execution) {
  RefinementStep step{rotation, {}};
  for (const Carried& group : groups) step.tables.push_back(tables_of(group, rotation, execution));
  return step;
}

}  // namespace

void check_refine_options(const TransportOptions& options, Index n_groups, const char* function) {
  require(options.refine >= 0, function, ": refine is ", options.refine, ", expected 0 or more");
  if (options.refine_weights.empty()) return;
  require(options.refine > 0, function,
          ": refine_weights are given, but refine is 0; set refine to a number of steps");
  (void)normalized_weights(options.refine_weights, n_groups, function, "refine_weights");
}

Refinement fit_refinement(const TransportModel& model, std::span<const Group> groups,
                          const TransportOptions& options) {
  Refinement refinement;
  std::vector<double>& weights = refinement.barycentric_weights;
  if (options.refine_weights.empty()) {
    weights.assign(groups.size(), 1.0 / static_cast<double>(groups.size()));
  } else {
    weights = normalized_weights(options.refine_weights, std::ssize(groups), "fit_transport",
                                 "refine_weights");
  }
  std::vector<Carried> carried;
  for (const Group& group : groups) {
    carried.push_back(
        carried_samples(map_to_barycenter(model, group.name, weights), group, options));
  }
  const Execution& execution = options.mixture.execution;
  Random random(options.mixture.seed, rotation_stream);
  for (int s = 0; s < options.refine; ++s) {
    const Matrix rotation = axes_of_step(s, model.n_features(), random);
    refinement.steps.push_back(fit_step(carried, rotation, execution));
    for (std::size_t g = 0; g < carried.size(); ++g) {
      const SlicedStep step =
          step_of_group(refinement.steps.back(), weights, static_cast<Index>(g));
      Refiner({&step, 1}).carry(carried[g].points, execution);
    }
  }
  return refinement;
}

}  // namespace lbw
