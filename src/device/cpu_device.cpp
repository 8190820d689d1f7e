// SPDX-License-Identifier: MIT
#include "device/cpu_device.hpp"

#include <array>

#include "core/idle_states.hpp"
#include "core/parallel.hpp"
#include "core/sample_pass.hpp"
#include "device/blend_pass.hpp"
#include "device/cluster_pass.hpp"
#include "device/density_pass.hpp"
#include "device/draw_pass.hpp"
#include "device/em_pass.hpp"
#include "device/kernel_table.hpp"
#include "device/label_pass.hpp"
#include "device/map_pass.hpp"
#include "device/nearest_pass.hpp"
#include "device/neighbor_pass.hpp"
#include "device/noise_pass.hpp"
#include "device/random_pass.hpp"
#include "device/rotate_points.hpp"
#include "device/step_pass.hpp"

namespace lbw {

namespace {

// Larger output would evict everything else from the cache.
constexpr Index bytes_around_cache = Index{16} << 20;

bool goes_around_cache(const Eigen::Ref<RowMatrix>& out) {
  return out.size() * static_cast<Index>(sizeof(double)) > bytes_around_cache;
}

double product(Index a, Index b, Index c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

Execution threads_for(SampleView samples, const KernelTable& table, const Execution& execution) {
  const double work = product(samples.n_samples(), table.n_components(), 16 + 2 * table.n_terms());
  return threads_worth(work, execution);
}

/// The factor that makes the largest weight 1.
double single_weight_scale(const WeightedSamples& samples) {
  double largest = 0.0;
  for (const double weight : samples.weights) largest = std::max(largest, weight);
  return largest > 0.0 ? 1.0 / largest : 1.0;
}

/// Calls work(begin, end) for every chunk of this many samples.
template <typename Work>
void for_each_chunk_of(Index n_samples, const Execution& execution, const Work& work) {
  const Chunks chunks = Chunks::of(n_samples);
  for_each_chunk(chunks.count(), execution,
                 [&](Index chunk) { work(chunks.begin(chunk), chunks.end(chunk)); });
}

template <typename Work>
void for_each_chunk_of(SampleView samples, const Execution& execution, const Work& work) {
  for_each_chunk_of(samples.n_samples(), execution, work);
  samples.check();
}

constexpr Index batch_size = 1024;

/// Calls work(begin, end) for every batch of at most batch_size samples.
template <typename Work>
void for_each_batch_of(SampleView samples, const Execution& execution, const Work& work) {
  for_each_chunk_of(samples, execution, [&](Index begin, Index end) {
    SamplePass pass(samples, begin);
    for (Index first = begin; first < end; first += batch_size) {
      const Index last = std::min(first + batch_size, end);
      work(first, last);
      pass.used_up_to(last);
    }
  });
}

/// The sum of partial(begin, end), of n_results numbers each, over all chunks of the samples, in
/// their order.
template <typename Sum, typename Partial>
Sum sum_over_chunks(SampleView samples, const Execution& execution, Index n_results, Sum zero,
                    const Partial& partial) {
  const Chunks chunks = Chunks::of(samples.n_samples(), n_results);
  ordered_sum(chunks.count(), execution, zero,
              [&](Index chunk) { return partial(chunks.begin(chunk), chunks.end(chunk)); });
  samples.check();
  return zero;
}

PassSums zero_sums(Index n_components, Index n_terms) {
  PassSums sums;
  sums.moments = RowMatrix::Zero(n_components, 1 + n_terms);
  return sums;
}

MomentSums em_sums(const WeightedSamples& samples, const DensityTable& table, Precision precision,
                   const Execution& execution, bool with_moments) {
  const KernelTable kernel = KernelTable::fastest(table, precision);
  const bool single = kernel.precision == Precision::f32;
  const double scale = single ? single_weight_scale(samples) : 1.0;
  IdleStates<EmPass> passes;
  PassSums sums = sum_over_chunks(
      samples.samples, threads_for(samples.samples, kernel, execution),
      kernel.n_components() * kernel.n_terms(), zero_sums(kernel.n_components(), kernel.n_terms()),
      [&](Index begin, Index end) {
        return passes.with([&] { return make_em_pass(kernel, samples, scale); },
                           [&](EmPass& pass) { return pass.sums(begin, end, with_moments); });
      });
  if (scale != 1.0) sums.moments /= scale;
  const bool about_origin = kernel.kind == KernelTable::Kind::features;
  return moment_sums_of(sums, table.means, table.covariance_type,
                        about_origin ? RowMatrix(kernel.origin.transpose()) : table.means,
                        samples.samples);
}

class CpuMovingCenters final : public MovingCenters {
 public:
  CpuMovingCenters(const WeightedSamples& samples, const Execution& execution)
      : samples_(samples), execution_(execution), bounds_(samples.samples.n_samples()) {}

  RowMatrix sums(const RowMatrix& centers) override {
    const CenterMoves moves(before_, centers);
    if (before_.size() == 0) origin_ = centers.colwise().mean().transpose();
    before_ = centers;
    if (adds_all(moves)) {
      sums_ = pass(centers, moves, true);
    } else {
      sums_ += pass(centers, moves, false);
    }
    RowMatrix about_centers = sums_.leftCols(1 + centers.cols());
    about_centers.rightCols(centers.cols()) -=
        sums_.col(0).asDiagonal() * (centers.rowwise() - origin_.transpose());
    return about_centers;
  }

 private:
  RowMatrix pass(const RowMatrix& centers, const CenterMoves& moves, bool all) {
    const double work = product(samples_.samples.n_samples(), centers.rows(), centers.cols());
    return sum_over_chunks(samples_.samples, threads_worth(work, execution_), 2 * centers.size(),
                           RowMatrix(RowMatrix::Zero(centers.rows(), 1 + 2 * centers.cols())),
                           [&](Index begin, Index end) {
                             return chunk_cluster_sums(samples_, centers, moves, origin_, all,
                                                       begin, end, bounds_);
                           });
  }

  /// Whether to add up all samples, because rounding has moved a center noticeably. Sums of weights
  /// other than 1 are not exactly 0 once a center has lost all samples.
  [[nodiscard]] bool adds_all(const CenterMoves& moves) const {
    constexpr double noticeable = 1e-10;  // of the distance to the nearest other center
    if (sums_.size() == 0 || !samples_.weights.empty()) return true;
    const Index d = origin_.size();
    for (Index k = 0; k < sums_.rows(); ++k) {
      const double rounding = 0x1p-52 * sums_.row(k).tail(d).sum();
      if (!(rounding <= noticeable * moves.half_gaps[k] * std::max(1.0, sums_(k, 0)))) return true;
    }
    return false;
  }

  WeightedSamples samples_;
  Execution execution_;
  NearestBounds bounds_;
  RowMatrix before_;
  Vector origin_;
  RowMatrix sums_;  ///< about the origin, see chunk_cluster_sums
};

class CpuDevice final : public Device {
 public:
  std::unique_ptr<ResidentSamples> keep(const WeightedSamples& /*samples*/,
                                        const Execution& /*execution*/) const override {
    return nullptr;  // passes read the memory of the host
  }

  MomentSums moment_sums(const WeightedSamples& samples, const DensityTable& table,
                         Precision precision, const Execution& execution) const override {
    return em_sums(samples, table, precision, execution, true);
  }

  MomentSums likelihood_sums(const WeightedSamples& samples, const DensityTable& table,
                             Precision precision, const Execution& execution) const override {
    return em_sums(samples, table, precision, execution, false);
  }

  void log_densities(SampleView samples, const DensityTable& table, const Execution& execution,
                     Vector& out) const override {
    out.resize(samples.n_samples());
    const KernelTable kernel = KernelTable::accurate(table);
    for_each_chunk_of(
        samples, threads_for(samples, kernel, execution),
        [&](Index begin, Index end) { chunk_log_densities(kernel, samples, begin, end, out); });
  }

  void responsibilities(SampleView samples, const DensityTable& table, const Execution& execution,
                        RowMatrix& out) const override {
    out.resize(samples.n_samples(), table.n_components());
    const KernelTable kernel = KernelTable::accurate(table);
    for_each_chunk_of(
        samples, threads_for(samples, kernel, execution),
        [&](Index begin, Index end) { chunk_responsibilities(kernel, samples, begin, end, out); });
  }

  void labels(SampleView samples, const DensityTable& table, const Execution& execution,
              Labels& out) const override {
    out.resize(samples.n_samples());
    const LabelTables tables(table);
    IdleStates<LabelPass> passes;
    for_each_batch_of(
        samples, threads_for(samples, tables.exact, execution), [&](Index begin, Index end) {
          passes.with([&] { return make_label_pass(tables, samples); },
                      [&](LabelPass& pass) { pass.labels(begin, end, out.data() + begin); });
        });
  }

  void apply_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                  const BatchCheck& check, const Execution& execution,
                  Eigen::Ref<RowMatrix> out) const override {
    const LabelTables tables(table);
    const PackedMaps packed(maps);
    IdleStates<LabelPass> passes;
    for_each_batch_of(
        samples, threads_for(samples, tables.exact, execution), [&](Index begin, Index end) {
          if (check) check(begin, end);
          // labels and maps of a batch, while it is in the cache
          std::array<int, batch_size> labels{};
          passes.with([&] { return make_label_pass(tables, samples); },
                      [&](LabelPass& pass) { pass.labels(begin, end, labels.data()); });
          chunk_apply_maps(packed, samples, labels.data(), begin, end, out, goes_around_cache(out));
        });
  }

  void blend_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                  const BatchCheck& check, const Execution& execution,
                  Eigen::Ref<RowMatrix> out) const override {
    const KernelTable kernel = KernelTable::fastest(table, Precision::f64);
    const BlendTable blend(maps, table);
    IdleStates<BlendPass> passes;
    for_each_batch_of(
        samples, threads_for(samples, kernel, execution), [&](Index begin, Index end) {
          if (check) check(begin, end);
          passes.with(
              [&] { return make_blend_pass(kernel, blend, samples); },
              [&](BlendPass& pass) { pass.apply(begin, end, out, goes_around_cache(out)); });
        });
  }

  void draw_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                 const PieceTable& pieces, std::span<const std::uint64_t> keys,
                 const BatchCheck& check, const Execution& execution,
                 Eigen::Ref<RowMatrix> out) const override {
    const LabelTables tables(table);
    const PackedMaps packed(maps);
    IdleStates<DrawPass> passes;
    for_each_batch_of(
        samples, threads_for(samples, tables.exact, execution), [&](Index begin, Index end) {
          if (check) check(begin, end);
          std::array<int, batch_size> drawn{};
          passes.with([&] { return make_draw_pass(tables, pieces, samples, keys); },
                      [&](DrawPass& pass) { pass.draw(begin, end, drawn.data()); });
          chunk_apply_maps(packed, samples, drawn.data(), begin, end, out, goes_around_cache(out));
        });
  }

  MomentSums nearest_sums(const WeightedSamples& samples, const RowMatrix& centers,
                          CovarianceType covariance_type,
                          const Execution& execution) const override {
    const bool squares_alone = has_squares_alone(covariance_type);
    const NearestTerms terms = squares_alone ? NearestTerms::diagonal : NearestTerms::full;
    const Index d = centers.cols();
    const Index n_terms = n_moments(d, squares_alone);
    const double work = product(samples.samples.n_samples(), centers.rows(), d) +
                        product(samples.samples.n_samples(), n_terms, 2);
    const PassSums sums =
        sum_over_chunks(samples.samples, threads_worth(work, execution), centers.rows() * n_terms,
                        zero_sums(centers.rows(), n_terms), [&](Index begin, Index end) {
                          return lbw::nearest_sums(samples, centers, terms, begin, end);
                        });
    return moment_sums_of(sums, centers, covariance_type, centers, samples.samples);
  }

  std::unique_ptr<MovingCenters> moving_centers(const WeightedSamples& samples,
                                                const Execution& execution) const override {
    return std::make_unique<CpuMovingCenters>(samples, execution);
  }

  Vector potentials(const WeightedSamples& samples, const RowMatrix& candidates,
                    const Vector& distances, const Execution& execution) const override {
    const double work =
        product(samples.samples.n_samples(), candidates.rows() + 4, candidates.cols());
    return sum_over_chunks(samples.samples, threads_worth(work, execution), candidates.rows(),
                           Vector(Vector::Zero(candidates.rows())), [&](Index begin, Index end) {
                             return chunk_potentials(samples, candidates, distances, begin, end);
                           });
  }

  void lower_distances(const WeightedSamples& samples, const Vector& center,
                       const Execution& execution, Vector& distances) const override {
    const double work = product(samples.samples.n_samples(), 5, center.size());
    for_each_chunk_of(samples.samples, threads_worth(work, execution), [&](Index begin, Index end) {
      chunk_lower_distances(samples.samples, center, begin, end, distances);
    });
  }

  std::vector<Index> draws_by_distance(const WeightedSamples& samples, const Vector& distances,
                                       std::span<const double> fractions) const override {
    return lbw::draws_by_distance(samples, distances, fractions);
  }

  MomentSums random_sums(const WeightedSamples& samples, const Vector& center, Index n_components,
                         CovarianceType type, Random& random) const override {
    MomentSums sums = lbw::random_sums(samples, center, n_components, type, random);
    samples.samples.check();
    return sums;
  }

  void project(SampleView samples, const Matrix& axes, const Execution& execution,
               Matrix& out) const override {
    out.resize(samples.n_samples(), axes.rows());
    const double work = work_of_projection(axes) * static_cast<double>(samples.n_samples());
    for_each_chunk_of(samples, threads_worth(work, execution), [&](Index begin, Index end) {
      chunk_project(samples, axes, begin, end, out);
    });
  }

  void rotate(const Matrix& matrix, const RowMatrix& points, const Execution& execution,
              RowMatrix& out) const override {
    out.resize(matrix.rows(), points.cols());
    const double work = product(points.cols(), matrix.rows(), matrix.cols());
    const Chunks chunks{points.cols(), points_of_steps(matrix.cols())};
    for_each_chunk(chunks.count(), threads_worth(work, execution), [&](Index chunk) {
      rotate_points(matrix, points, chunks.begin(chunk), chunks.end(chunk), out);
    });
  }

  void apply_steps(std::span<const StepTable> steps, const Execution& execution,
                   Eigen::Ref<RowMatrix> points) const override {
    const double work = work_of_steps(steps) * static_cast<double>(points.rows());
    const Chunks chunks{points.rows(), points_of_steps(points.cols())};
    for_each_chunk(chunks.count(), threads_worth(work, execution), [&](Index chunk) {
      chunk_apply_steps(steps, chunks.begin(chunk), chunks.end(chunk), points);
    });
  }

  void apply_knots(const MonotoneKnots& knots, std::span<const double> values,
                   const Execution& execution, std::span<double> out) const override {
    constexpr double work_of_a_value = 20.0;
    const double work = work_of_a_value * static_cast<double>(values.size());
    for_each_chunk_of(
        std::ssize(values), threads_worth(work, execution), [&](Index begin, Index end) {
          std::copy(values.begin() + begin, values.begin() + end, out.begin() + begin);
          knots.apply({out.begin() + begin, out.begin() + end});
        });
  }

  void add_noise(SampleView samples, const NoiseTable& noise, std::span<const std::uint64_t> keys,
                 const Execution& execution, Eigen::Ref<RowMatrix> out) const override {
    for_each_chunk_of(samples, execution, [&](Index begin, Index end) {
      chunk_add_noise(samples, noise, keys, begin, end, out);
    });
  }

  std::vector<std::vector<int>> nearest_across(const RowMatrix& points,
                                               const std::vector<bool>& halves, int n_neighbors,
                                               const Execution& execution) const override {
    std::vector<std::vector<int>> neighbors(static_cast<std::size_t>(points.cols()));
    for_each_chunk(points.cols(), execution, [&](Index point) {
      neighbors[static_cast<std::size_t>(point)] =
          neighbors_across(points, halves, point, n_neighbors);
    });
    return neighbors;
  }
};

}  // namespace

const Device& cpu_device() {
  static const CpuDevice device;
  return device;
}

}  // namespace lbw
