// SPDX-License-Identifier: MIT
#include "transport/fit_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "core/weights.hpp"
#include "device/device.hpp"
#include "device/rotate_points.hpp"
#include "linalg/rotation.hpp"
#include "mixture/subsample.hpp"
#include "quantile/sort_ascending.hpp"
#include "transport/kept_groups.hpp"
#include "transport/refinement.hpp"
#include "transport/refiner.hpp"
#include "transport/sliced_targets.hpp"
#include "transport/step_shrinkage.hpp"
#include "transport/transported_samples.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

constexpr double work_of_sorting = 100.0;  // multiply-adds per number
constexpr double work_of_a_map = 20.0;

constexpr std::uint64_t rotation_stream = 0x726f74617465;  // distinct from those of restarts

/// Values of a feature, or coordinates along an axis, without padding.
std::span<double> values_of(RowMatrix& points, Index row, Index n_points) {
  return {points.row(row).data(), to_size(n_points)};
}

Transported with_columns(const RowMatrix& rows, std::span<const double> weights) {
  Transported group;
  group.n_points = rows.rows();
  group.points = RowMatrix::Zero(rows.cols(), padded_points(rows.rows()));
  group.points.leftCols(rows.rows()) = rows.transpose();
  group.weights = {weights.begin(), weights.end()};
  return group;
}

/// The keys of selected samples of a group: given keys, or the numbers of copies among all samples.
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
      keys.push_back(at(own, chosen[keys.size()] - first));
    }
    samples.release(first, count);
  }
  return keys;
}

Transported transported_samples(const LocalMap& map, const Group& group,
                                const TransportOptions& options) {
  const Execution& execution = options.mixture.execution;
  if (group.samples.n_samples() <= most_refinement_samples) {
    return with_columns(transport_unchecked(map, group.samples, execution, group.keys),
                        group.sample_weights);
  }
  const Subsample some({group.samples, group.sample_weights}, most_refinement_samples,
                       options.mixture.seed);
  const bool draws = map.dithers() || map.kind == MapKind::random;
  const auto keys = draws ? keys_of(group, map.dithers(), some.chosen(), execution)
                          : std::vector<std::uint64_t>();
  return with_columns(transport_unchecked(map, some.view().samples, execution, keys),
                      some.view().weights);
}

/// Groups that have points, in the order of all groups.
using Moving = std::vector<Transported*>;

Moving with_points(std::vector<Transported>& groups) {
  Moving found;
  for (Transported& group : groups) {
    if (group.n_points > 0) found.push_back(&group);
  }
  return found;
}

/// Calls work(group, axis) for every axis of the groups, by the group's place among them. Small
/// groups share the threads that all of them together justify.
void for_each_axis(const Moving& groups, Index n_axes, double work_of_a_value,
                   const Execution& execution, const std::function<void(Index, Index)>& work) {
  double n_values = 0.0;
  for (const Transported* group : groups) n_values += static_cast<double>(group->n_points * n_axes);
  for_each_chunk(std::ssize(groups) * n_axes, threads_worth(work_of_a_value * n_values, execution),
                 [&](Index task) { work(task / n_axes, task % n_axes); });
}

/// Rotates the points of groups: one group after the other if they are large, and otherwise one
/// group per thread.
void rotate_groups(const Moving& groups, const Matrix& matrix, RowMatrix Transported::*from,
                   RowMatrix Transported::*to, const Execution& execution) {
  double work = 0.0;
  double largest = 0.0;
  for (const Transported* group : groups) {
    const auto own = static_cast<double>(group->n_points * matrix.size());
    work += own;
    largest = std::max(largest, own);
  }
  const bool are_large = threads_worth(largest, execution).n_threads != 1;
  const Execution outer = are_large ? on_one_thread(execution) : threads_worth(work, execution);
  const Execution inner = are_large ? execution : on_one_thread(execution);
  for_each_chunk(std::ssize(groups), outer, [&](Index g) {
    Transported& group = *at(groups, g);
    device_of(execution).rotate(matrix, group.*from, inner, group.*to);
  });
}

/// Every third step uses the features themselves as axes. A value that many samples share is an
/// atom only on its own axis, and rotations need many steps to align such atoms.
///
/// Constant features are axes of every step. If they were rotated, they would no longer be
/// constant.
Matrix axes_of_step(int step, const std::vector<bool>& varies, Random& random) {
  constexpr int steps_per_turn = 3;
  const auto n_features = std::ssize(varies);
  Matrix axes = Matrix::Identity(n_features, n_features);
  std::vector<Index> turned;
  for (Index f = 0; f < n_features; ++f) {
    if (at(varies, f)) turned.push_back(f);
  }
  if (step % steps_per_turn != 0 && !turned.empty()) {
    axes(turned, turned) = haar_rotation(std::ssize(turned), random);
  }
  return axes;
}

/// tables[g][f] of the groups before this step, and their points along its axes.
std::vector<AxisTables> tables_along(std::vector<Transported>& groups, const Matrix& rotation,
                                     const Refinement& refinement, const Execution& execution) {
  const Moving seen = with_points(groups);
  rotate_groups(seen, rotation_of_scaled(rotation, refinement.scales), &Transported::points,
                &Transported::along, execution);
  std::vector<AxisTables> tables(seen.size(), AxisTables(to_size(rotation.rows())));
  for_each_axis(seen, rotation.rows(), work_of_sorting, execution, [&](Index g, Index axis) {
    Transported& group = *at(seen, g);
    at(at(tables, g), axis) =
        quantile_table(values_of(group.along, axis, group.n_points), group.weights);
  });
  for (std::size_t g = 0; g < groups.size(); ++g) {
    // kept groups: any table works, because no map uses it
    if (groups[g].n_points == 0) tables.insert(tables.begin() + static_cast<Index>(g), tables[0]);
  }
  return tables;
}

/// Whether the groups are statistically indistinguishable along the features and some random axes.
/// Refinement would then fit the sampling noise.
bool nothing_to_refine(std::vector<Transported>& groups, const std::vector<bool>& varies,
                       const Refinement& refinement, const TransportOptions& options) {
  constexpr int n_looks = 3;
  Random random(options.mixture.seed, rotation_stream);
  for (int look = 0; look < n_looks; ++look) {
    const Matrix axes = axes_of_step(look, varies, random);
    const auto tables = tables_along(groups, axes, refinement, options.mixture.execution);
    if (!are_alike(tables, refinement.sample_counts)) return false;
  }
  return true;
}

RefinementStep fit_step(std::vector<Transported>& groups, const Matrix& rotation,
                        const Refinement& refinement, const Execution& execution) {
  RefinementStep step{rotation, tables_along(groups, rotation, refinement, execution)};
  step.shrinkage = step_shrinkage(step.tables, refinement.sample_counts);
  smooth_tables(step.tables, refinement.sample_counts);
  extend_ends(step.tables, refinement.sample_counts);
  return step;
}

/// Applies the last step to the points of all groups, which are known along its axes.
void apply_last_step(const Refinement& refinement, const Execution& execution,
                     std::vector<Transported>& groups) {
  const std::size_t last = refinement.steps.size() - 1;
  Moving moving;
  std::vector<SlicedStep> steps;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].n_points == 0) continue;
    SlicedStep step = step_of_group(refinement, last, static_cast<Index>(g));
    if (moves_nothing(step)) continue;  // nor does rounding
    moving.push_back(&groups[g]);
    steps.push_back(std::move(step));
  }
  const Device& device = device_of(execution);
  const Matrix& rotation = refinement.steps[last].rotation;
  for_each_axis(moving, rotation.rows(), work_of_a_map, execution, [&](Index g, Index axis) {
    const QuantileMap& map = at(at(steps, g).axes, axis);
    Transported& group = *at(moving, g);
    const std::span<double> values = values_of(group.along, axis, group.n_points);
    device.apply_knots({map.source.values, map.target.values, map.amount}, values,
                       on_one_thread(execution), values);
  });
  rotate_groups(moving, inverse_of_scaled(rotation, refinement.scales), &Transported::along,
                &Transported::points, execution);
}

/// The ranks of values among sorted distinct ones.
class Places {
 public:
  explicit Places(std::vector<double> values) : values_(std::move(values)) {
    sort_ascending(values_);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    cells_per_unit_ = static_cast<double>(values_.size()) / (values_.back() - values_.front());
    if (!std::isfinite(cells_per_unit_)) cells_per_unit_ = 0.0;  // one value, or nearly so
    firsts_.assign(values_.size() + 1, 0);
    for (const double value : values_) ++firsts_[cell_of(value) + 1];
    std::partial_sum(firsts_.begin(), firsts_.end(), firsts_.begin());
  }

  /// cell_of does not decrease, so the value is found among those of its cell.
  [[nodiscard]] double of(double value) const {
    const std::size_t cell = cell_of(value);
    const auto begin = values_.begin();
    return static_cast<double>(
        std::lower_bound(begin + firsts_[cell], begin + firsts_[cell + 1], value) - begin);
  }

 private:
  /// The index of one of as many equal intervals as there are values.
  [[nodiscard]] std::size_t cell_of(double value) const {
    const double cell = (value - values_.front()) * cells_per_unit_;
    return std::min(static_cast<std::size_t>(cell), values_.size() - 1);
  }

  std::vector<double> values_;
  std::vector<Index> firsts_;  ///< the number of values before every cell, then of all
  double cells_per_unit_ = 0.0;
};

/// Replaces the values of a feature by their ranks among the distinct values of all groups.
void replace_by_places(std::vector<Transported>& groups, Index feature) {
  std::vector<double> values;
  for (Transported& group : groups) {
    if (group.n_points == 0) continue;
    for (const double value : values_of(group.points, feature, group.n_points)) {
      values.push_back(value + 0.0);  // -0 is 0
    }
  }
  if (values.empty()) return;
  const Places places(std::move(values));
  for (Transported& group : groups) {
    if (group.n_points == 0) continue;
    for (double& value : values_of(group.points, feature, group.n_points)) value = places.of(value);
  }
}

Likeness likeness_of(std::vector<Transported> groups, Index n_features,
                     const TransportOptions& options) {
  const Execution& execution = options.mixture.execution;
  double work = 0.0;
  for (const Transported& group : groups) {
    work += work_of_sorting * static_cast<double>(group.points.size());
  }
  for_each_chunk(n_features, threads_worth(work, execution),
                 [&](Index f) { replace_by_places(groups, f); });
  Refinement places;
  for (const Transported& group : groups) places.sample_counts.push_back(group.count());
  const Spread spread = measured_spread(groups, places.sample_counts, n_features, execution);
  places.scales = spread.scales;
  const auto tables =
      tables_along(groups, Matrix::Identity(n_features, n_features), places, execution);
  return {.all = nothing_to_refine(groups, spread.varies, places, options),
          .features = alike_axes(tables, places.sample_counts)};
}

}  // namespace

Likeness likeness_of(std::span<const Group> groups, const TransportOptions& options) {
  std::vector<Transported> samples;
  for (const Group& group : groups) {
    const WeightedSamples all{group.samples, group.sample_weights};
    const Subsample some(all, std::min(all.samples.n_samples(), most_refinement_samples),
                         options.mixture.seed);
    const WeightedSamples seen = some.view();
    RowMatrix rows(seen.samples.n_samples(), seen.samples.n_features());
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = seen.samples.row(i).transpose();
    samples.push_back(with_columns(rows, seen.weights));
  }
  return likeness_of(std::move(samples), groups.front().samples.n_features(), options);
}

void check_refine_options(const TransportOptions& options, Index n_groups, const char* function) {
  if (options.refine_weights.empty()) return;
  require(options.refine > 0, function,
          ": refine_weights are given, but refine is 0; set refine to a positive number of steps");
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
  std::vector<Transported> transported;
  for (const Group& group : groups) {
    if (is_kept(model, group.name)) {
      transported.emplace_back();
      continue;
    }
    transported.push_back(transported_samples(
        map_to_barycenter_unchecked(model, group.name, weights, 1.0, options.mixture.execution),
        group, options));
  }
  const Execution& execution = options.mixture.execution;
  for (const Transported& group : transported) refinement.sample_counts.push_back(group.count());
  const auto [scales, varies] =
      measured_spread(transported, refinement.sample_counts, model.n_features(), execution);
  refinement.scales = scales;
  // values hide differences within clusters that are far apart, and ranks those in heavy tails
  const bool still =
      (nothing_to_refine(transported, varies, refinement, options) ||
       have_heavy_tails(transported, refinement.sample_counts, model.n_features())) &&
      likeness_of(transported, model.n_features(), options).all;
  Random random(options.mixture.seed, rotation_stream);
  for (int s = 0; s < options.refine; ++s) {
    if (s > 0 && options.on_refinement) options.on_refinement(s);
    const Matrix rotation = axes_of_step(s, varies, random);
    refinement.steps.push_back(fit_step(transported, rotation, refinement, execution));
    if (still) {
      refinement.steps.back().shrinkage.assign(groups.size(), 1.0);
      continue;
    }
    apply_last_step(refinement, execution, transported);
  }
  if (options.refine > 0 && options.on_refinement) options.on_refinement(options.refine);
  return refinement;
}

}  // namespace lbw
