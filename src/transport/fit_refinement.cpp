// SPDX-License-Identifier: MIT
#include "transport/fit_refinement.hpp"

#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "core/sample_count.hpp"
#include "core/weights.hpp"
#include "device/turn_points.hpp"
#include "linalg/rotation.hpp"
#include "mixture/subsample.hpp"
#include "transport/kept_groups.hpp"
#include "transport/refinement.hpp"
#include "transport/refiner.hpp"
#include "transport/sliced_targets.hpp"
#include "transport/step_shrinkage.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t rotation_stream = 0x726f74617465;  // away from those of restarts

/// Samples on their way, and what they weigh.
struct Carried {
  RowMatrix points;
  std::vector<double> weights;  ///< empty when all weigh the same

  /// 0 for a group that is left where it is.
  [[nodiscard]] double count() const {
    return weights.empty() ? static_cast<double>(points.rows()) : sample_count(weights).count;
  }
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
      keys.push_back(at(own, chosen[keys.size()] - first));
    }
    samples.release(first, count);
  }
  return keys;
}

Carried carried_samples(const LocalMap& map, const Group& group, const TransportOptions& options) {
  const Execution& execution = options.mixture.execution;
  if (group.samples.n_samples() <= most_refinement_samples) {
    return {transport_unchecked(map, group.samples, execution, group.keys),
            copy_of(group.sample_weights)};
  }
  const Subsample some({group.samples, group.sample_weights}, most_refinement_samples,
                       options.mixture.seed);
  const bool draws = map.dithers() || map.kind == MapKind::random;
  const auto keys = draws ? keys_of(group, map.dithers(), some.chosen(), execution)
                          : std::vector<std::uint64_t>();
  return {transport_unchecked(map, some.view().samples, execution, keys),
          copy_of(some.view().weights)};
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
  std::vector<QuantileTable> tables(to_size(turned.cols()));
  constexpr double work_of_sorting = 100.0;
  const auto work = work_of_sorting * static_cast<double>(turned.size());
  for_each_chunk(turned.cols(), threads_worth(work, execution), [&](Index axis) {
    at(tables, axis) =
        quantile_table({turned.col(axis).data(), to_size(turned.rows())}, group.weights);
  });
  return tables;
}

/// Every third step looks along the features themselves: a value that many samples share is a
/// narrow place on its own axis alone, and rotations take many steps to bring such places of groups
/// together.
///
/// Features that are constant are axes of every step: turned with others they would bear traces of
/// them.
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

/// tables[g][f] of the groups, whose points have come as far as this step.
std::vector<AxisTables> tables_along(const std::vector<Carried>& groups, const Matrix& rotation,
                                     const Refinement& refinement, const Execution& execution) {
  const Matrix turn = rotation_of_scaled(rotation, refinement.scales);
  std::vector<AxisTables> along;
  for (const Carried& group : groups) {
    const bool kept = group.points.rows() == 0;
    along.push_back(kept ? AxisTables() : tables_of(group, turn, execution));
  }
  for (AxisTables& tables : along) {  // of kept groups, which no map uses: any will do
    if (tables.empty())
      tables = *std::find_if_not(along.begin(), along.end(),
                                 [](const AxisTables& t) { return t.empty(); });
  }
  return along;
}

/// Where groups cannot be told apart from samples of one distribution, along the features and some
/// random axes, there is nothing to refine: steps would fit the noise of the samples.
bool nothing_to_refine(const std::vector<Carried>& groups, const std::vector<bool>& varies,
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

RefinementStep fit_step(const std::vector<Carried>& groups, const Matrix& rotation,
                        const Refinement& refinement, const Execution& execution) {
  RefinementStep step{rotation, tables_along(groups, rotation, refinement, execution)};
  step.shrinkage = step_shrinkage(step.tables, refinement.sample_counts);
  smooth_tables(step.tables, refinement.sample_counts);
  extend_ends(step.tables, refinement.sample_counts);
  return step;
}

/// Sums over the samples of all groups, every group by its share: of `term` of a point's entry in
/// column f.
template <typename Term>
double mean_over_groups(const std::vector<Carried>& groups, std::span<const double> shares, Index f,
                        const Term& term) {
  double mean = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].points.rows() == 0) continue;
    const std::vector<double>& weights = groups[g].weights;
    const double scale = weights.empty() ? 1.0 : sample_count(weights).scale;
    double sum = 0.0;
    double total = 0.0;
    for (Index i = 0; i < groups[g].points.rows(); ++i) {
      const double weight = weights.empty() ? 1.0 : scale * at(weights, i);
      sum += weight * term(groups[g].points(i, f));
      total += weight;
    }
    mean += shares[g] * sum / total;
  }
  return mean;
}

/// The standard deviation of every feature over all samples; 0 where a feature is constant.
Vector spread_of(const std::vector<Carried>& groups, std::span<const double> sample_counts,
                 Index n_features, const Execution& execution) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  Vector spread = Vector::Zero(n_features);
  constexpr double work_of_an_entry = 10.0;
  double work = 0.0;
  for (const Carried& group : groups) {
    work += work_of_an_entry * static_cast<double>(group.points.size());
  }
  for_each_chunk(spread.size(), threads_worth(work, execution), [&](Index f) {
    const double mean = mean_over_groups(groups, shares, f, [](double x) { return x; });
    const double deviation = std::sqrt(
        mean_over_groups(groups, shares, f, [&](double x) { return (x - mean) * (x - mean); }));
    const double rounding = 1e-14 * std::abs(mean);
    if (deviation > rounding && deviation > 1e-290) spread[f] = deviation;
  });
  return spread;
}

/// Features that differ between samples, and the scales of all.
struct Spread {
  Vector scales;
  std::vector<bool> varies;
};

Spread measured_spread(const std::vector<Carried>& groups, std::span<const double> sample_counts,
                       Index n_features, const Execution& execution) {
  const Vector deviations = spread_of(groups, sample_counts, n_features, execution);
  Spread spread{(deviations.array() > 0.0).select(deviations, 1.0), {}};
  for (const double deviation : deviations) spread.varies.push_back(deviation > 0.0);
  return spread;
}

/// Replaces the values of a feature by their places among the distinct values of all groups.
void replace_by_places(std::vector<Carried>& groups, Index feature) {
  std::vector<double> values;
  for (const Carried& group : groups) {
    for (Index i = 0; i < group.points.rows(); ++i) values.push_back(group.points(i, feature));
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (Carried& group : groups) {
    for (Index i = 0; i < group.points.rows(); ++i) {
      double& value = group.points(i, feature);
      value = static_cast<double>(std::ranges::lower_bound(values, value) - values.begin());
    }
  }
}

Likeness likeness_of(std::vector<Carried> groups, Index n_features,
                     const TransportOptions& options) {
  const Execution& execution = options.mixture.execution;
  for (Index f = 0; f < n_features; ++f) replace_by_places(groups, f);
  Refinement places;
  for (const Carried& group : groups) places.sample_counts.push_back(group.count());
  const Spread spread = measured_spread(groups, places.sample_counts, n_features, execution);
  places.scales = spread.scales;
  const auto tables =
      tables_along(groups, Matrix::Identity(n_features, n_features), places, execution);
  return {.all = nothing_to_refine(groups, spread.varies, places, options),
          .features = alike_axes(tables, places.sample_counts)};
}

/// Whether distances along some feature are those of a few samples.
bool have_heavy_tails(const std::vector<Carried>& groups, std::span<const double> sample_counts,
                      Index n_features) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  for (Index f = 0; f < n_features; ++f) {
    const double mean = mean_over_groups(groups, shares, f, [](double x) { return x; });
    const auto square = [&](double x) { return (x - mean) * (x - mean); };
    const double variance = mean_over_groups(groups, shares, f, square);
    if (!(variance > 0.0)) continue;
    const auto fourth = [&](double x) { return square(x) / variance * (square(x) / variance); };
    if (mean_over_groups(groups, shares, f, fourth) > heavy_kurtosis) return true;
  }
  return false;
}

}  // namespace

Likeness likeness_of(std::span<const Group> groups, const TransportOptions& options) {
  std::vector<Carried> samples;
  for (const Group& group : groups) {
    const WeightedSamples all{group.samples, group.sample_weights};
    const Subsample some(all, std::min(all.samples.n_samples(), most_refinement_samples),
                         options.mixture.seed);
    const WeightedSamples seen = some.view();
    Carried& own = samples.emplace_back();
    own.points.resize(seen.samples.n_samples(), seen.samples.n_features());
    for (Index i = 0; i < own.points.rows(); ++i) {
      own.points.row(i) = seen.samples.row(i).transpose();
    }
    own.weights = copy_of(seen.weights);
  }
  return likeness_of(std::move(samples), groups.front().samples.n_features(), options);
}

void check_refine_options(const TransportOptions& options, Index n_groups, const char* function) {
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
    if (is_kept(model, group.name)) {
      carried.emplace_back();
      continue;
    }
    carried.push_back(carried_samples(
        map_to_barycenter_unchecked(model, group.name, weights, 1.0, options.mixture.execution),
        group, options));
  }
  const Execution& execution = options.mixture.execution;
  for (const Carried& group : carried) refinement.sample_counts.push_back(group.count());
  const auto [scales, varies] =
      measured_spread(carried, refinement.sample_counts, model.n_features(), execution);
  refinement.scales = scales;
  const bool still = nothing_to_refine(carried, varies, refinement, options) ||
                     (have_heavy_tails(carried, refinement.sample_counts, model.n_features()) &&
                      likeness_of(carried, model.n_features(), options).all);
  Random random(options.mixture.seed, rotation_stream);
  for (int s = 0; s < options.refine; ++s) {
    const Matrix rotation = axes_of_step(s, varies, random);
    refinement.steps.push_back(fit_step(carried, rotation, refinement, execution));
    if (still) {
      refinement.steps.back().shrinkage.assign(groups.size(), 1.0);
      continue;
    }
    for (std::size_t g = 0; g < carried.size(); ++g) {
      if (carried[g].points.rows() == 0) continue;
      const SlicedStep step = step_of_group(refinement, to_size(s), static_cast<Index>(g));
      Refiner({&step, 1}).carry(carried[g].points, execution);
    }
  }
  return refinement;
}

}  // namespace lbw
