// SPDX-License-Identifier: MIT
#include "support/plain_device.hpp"

#include <algorithm>
#include <limits>

#include "core/parallel.hpp"
#include "core/point_draw.hpp"
#include "device/random_pass.hpp"
#include "support/plain_accumulate.hpp"
#include "support/plain_block.hpp"
#include "support/plain_density.hpp"

namespace lbw {

namespace {

/// Calls body(block) for every block of samples [begin, end).
template <typename Body>
void for_each_block(const WeightedSamples& samples, Index begin, Index end, const Body& body) {
  SampleBlock block(samples.samples.n_features());
  for (Index first = begin; first < end; first += block_size) {
    block.load(samples, first, end);
    body(block);
  }
}

/// Calls body(block, state) for every block, with one state per chunk.
template <typename MakeState, typename Body>
void for_all_blocks(SampleView samples, const Execution& execution, const MakeState& make_state,
                    const Body& body) {
  const Chunks chunks = Chunks::of(samples.n_samples());
  for_each_chunk(chunks.count(), execution, [&](Index chunk) {
    auto state = make_state();
    for_each_block({samples, {}}, chunks.begin(chunk), chunks.end(chunk),
                   [&](const SampleBlock& block) { body(block, state); });
  });
}

/// Hard assignment of the points of a block to their nearest center.
struct NearestWorkspace {
  std::vector<Lane> assignment;  ///< (n_centers): 1 for the points of the center, else 0
  std::vector<Lane> differences;
  Lane negative_distance{};
  Lane distance{};

  NearestWorkspace(Index n_centers, Index n_features)
      : assignment(static_cast<std::size_t>(n_centers)),
        differences(static_cast<std::size_t>(n_features)) {}

  void assign(const SampleBlock& block, const RowMatrix& centers) {
    negative_distance.fill(-std::numeric_limits<double>::infinity());
    std::array<std::size_t, block_size> nearest{};
    for (Index center = 0; center < centers.rows(); ++center) {
      block.squared_distances(centers.row(center).transpose(), distance);
      for (std::size_t i = 0; i < block_size; ++i) {
        if (-distance[i] <= negative_distance[i]) continue;
        negative_distance[i] = -distance[i];
        nearest[i] = static_cast<std::size_t>(center);
      }
    }
    for (Lane& lane : assignment) lane.fill(0.0);
    for (std::size_t i = 0; i < block_size; ++i) assignment[nearest[i]][i] = 1.0;
  }
};

Vector mapped_point(const SampleBlock& block, std::size_t point, const MapTable& maps, int label) {
  const auto component = static_cast<std::size_t>(label);
  const Matrix& matrix = maps.matrices[component];
  Vector result = maps.target_means.row(label).transpose();
  for (Index column = 0; column < matrix.cols(); ++column) {
    const double difference =
        block.features[static_cast<std::size_t>(column)][point] - maps.source_means(label, column);
    for (Index row = 0; row < matrix.rows(); ++row) result[row] += matrix(row, column) * difference;
  }
  return result;
}

Vector mapped(const Vector& point, const MapTable& maps, Index i) {
  return maps.target_means.row(i).transpose() + maps.matrices[static_cast<std::size_t>(i)] *
                                                    (point - maps.source_means.row(i).transpose());
}

class PlainDevice final : public Device {
 public:
  MomentSums moment_sums(const WeightedSamples& samples, const DensityTable& table,
                         Precision /*precision*/, const Execution& execution) const override {
    MomentSums total = MomentSums::about(table.means, table.covariance_type);
    const Chunks chunks = Chunks::of(samples.samples.n_samples());
    ordered_sum(chunks.count(), execution, total, [&](Index chunk) {
      MomentSums sums = MomentSums::about(table.means, table.covariance_type);
      DensityWorkspace workspace(table);
      for_each_block(samples, chunks.begin(chunk), chunks.end(chunk),
                     [&](const SampleBlock& block) {
                       log_joint_densities(block, table, workspace);
                       normalize_responsibilities(workspace);
                       accumulate_moments(block, workspace.joint, workspace.log_density,
                                          workspace.differences, sums);
                     });
      return sums;
    });
    return total;
  }

  void log_densities(SampleView samples, const DensityTable& table, const Execution& execution,
                     Vector& out) const override {
    out.resize(samples.n_samples());
    for_each_point(samples, table, execution,
                   [&](Index sample, std::size_t point, const DensityWorkspace& workspace) {
                     out[sample] = workspace.log_density[point];
                   });
  }

  void responsibilities(SampleView samples, const DensityTable& table, const Execution& execution,
                        RowMatrix& out) const override {
    out.resize(samples.n_samples(), table.n_components());
    for_each_point(samples, table, execution,
                   [&](Index sample, std::size_t point, const DensityWorkspace& workspace) {
                     for (Index k = 0; k < table.n_components(); ++k) {
                       out(sample, k) = workspace.joint[static_cast<std::size_t>(k)][point];
                     }
                   });
  }

  void labels(SampleView samples, const DensityTable& table, const Execution& execution,
              Labels& out) const override {
    out.resize(samples.n_samples());
    for_each_labelled_block(samples, table, execution,
                            [&](const SampleBlock& block, std::size_t point, int label) {
                              out[block.first + static_cast<Index>(point)] = label;
                            });
  }

  void apply_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                  const BatchCheck& /*check*/, const Execution& execution,
                  Eigen::Ref<RowMatrix> out) const override {
    for_each_labelled_block(samples, table, execution,
                            [&](const SampleBlock& block, std::size_t point, int label) {
                              out.row(block.first + static_cast<Index>(point)) =
                                  mapped_point(block, point, maps, label).transpose();
                            });
  }

  void blend_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                  const BatchCheck& /*check*/, const Execution& execution,
                  Eigen::Ref<RowMatrix> out) const override {
    RowMatrix shares;
    responsibilities(samples, table, execution, shares);
    for (Index i = 0; i < samples.n_samples(); ++i) {
      if (shares.row(i).sum() == 0.0) shares(i, 0) = 1.0;
      Vector sum = Vector::Zero(samples.n_features());
      for (Index k = 0; k < table.n_components(); ++k) {
        sum += shares(i, k) * mapped(samples.row(i), maps, k);
      }
      out.row(i) = sum.transpose();
    }
  }

  void draw_maps(SampleView samples, const DensityTable& table, const MapTable& maps,
                 const PieceTable& pieces, std::span<const std::uint64_t> keys,
                 const BatchCheck& /*check*/, const Execution& execution,
                 Eigen::Ref<RowMatrix> out) const override {
    RowMatrix shares;
    responsibilities(samples, table, execution, shares);
    const PointDraws draws(pieces.seed, samples.n_features());
    for (Index i = 0; i < samples.n_samples(); ++i) {
      const Vector point = samples.row(i);
      const PointDraw draw =
          draws.of(point.data(), keys.empty() ? 0 : keys[static_cast<std::size_t>(i)]);
      int component = 0;
      double cumulative = shares(i, 0);
      while (component + 1 < table.n_components() && cumulative <= draw.first) {
        cumulative += shares(i, ++component);
      }
      if (shares.row(i).sum() == 0.0) component = 0;
      out.row(i) = mapped(point, maps, pieces.piece(component, draw.second)).transpose();
    }
  }

  MomentSums nearest_sums(const WeightedSamples& samples, const RowMatrix& centers,
                          CovarianceType covariance_type,
                          const Execution& execution) const override {
    MomentSums total = MomentSums::about(centers, covariance_type);
    const Chunks chunks = Chunks::of(samples.samples.n_samples());
    ordered_sum(chunks.count(), execution, total, [&](Index chunk) {
      MomentSums sums = MomentSums::about(centers, covariance_type);
      NearestWorkspace workspace(centers.rows(), centers.cols());
      for_each_block(samples, chunks.begin(chunk), chunks.end(chunk),
                     [&](const SampleBlock& block) {
                       workspace.assign(block, centers);
                       accumulate_moments(block, workspace.assignment, workspace.negative_distance,
                                          workspace.differences, sums);
                     });
      return sums;
    });
    return total;
  }

  std::vector<Index> draws_by_distance(const WeightedSamples& samples, const Vector& distances,
                                       std::span<const double> fractions) const override {
    return lbw::draws_by_distance(samples, distances, fractions);
  }

  MomentSums random_sums(const WeightedSamples& samples, const Vector& center, Index n_components,
                         CovarianceType type, Random& random) const override {
    return lbw::random_sums(samples, center, n_components, type, random);
  }

  Vector potentials(const WeightedSamples& samples, const RowMatrix& candidates,
                    const Vector& distances, const Execution& execution) const override {
    Vector total = Vector::Zero(candidates.rows());
    const Chunks chunks = Chunks::of(samples.samples.n_samples());
    ordered_sum(chunks.count(), execution, total, [&](Index chunk) {
      Vector sums = Vector::Zero(candidates.rows());
      Lane distance{};
      for_each_block(samples, chunks.begin(chunk), chunks.end(chunk),
                     [&](const SampleBlock& block) {
                       for (Index candidate = 0; candidate < candidates.rows(); ++candidate) {
                         block.squared_distances(candidates.row(candidate).transpose(), distance);
                         for (Index i = 0; i < block.count; ++i) {
                           const auto at = static_cast<std::size_t>(i);
                           distance[at] = std::min(distance[at], distances[block.first + i]);
                         }
                         sums[candidate] += lane_dot(distance, block.weights);
                       }
                     });
      return sums;
    });
    return total;
  }

  void lower_distances(const WeightedSamples& samples, const Vector& center,
                       const Execution& execution, Vector& distances) const override {
    for_all_blocks(
        samples.samples, execution, [] { return Lane{}; },
        [&](const SampleBlock& block, Lane& distance) {
          block.squared_distances(center, distance);
          for (Index i = 0; i < block.count; ++i) {
            distances[block.first + i] =
                std::min(distances[block.first + i], distance[static_cast<std::size_t>(i)]);
          }
        });
  }

  std::unique_ptr<ResidentSamples> keep(const WeightedSamples& /*samples*/,
                                        const Execution& /*execution*/) const override {
    return nullptr;
  }

  void project(SampleView samples, const Matrix& axes, const Execution& /*execution*/,
               Matrix& out) const override {
    out.resize(samples.n_samples(), axes.rows());
    for (Index i = 0; i < samples.n_samples(); ++i) {
      out.row(i) = (axes * samples.row(i)).transpose();
    }
  }

  void rotate(const Matrix& matrix, const RowMatrix& points, const Execution& /*execution*/,
              RowMatrix& out) const override {
    out = matrix * points;
  }

  void apply_steps(std::span<const StepTable> steps, const Execution& /*execution*/,
                   Eigen::Ref<RowMatrix> points) const override {
    for (Index i = 0; i < points.rows(); ++i) {
      Vector point = points.row(i).transpose();
      for (const StepTable& step : steps) {
        Vector along = step.rotation * point;
        for (Index a = 0; a < along.size(); ++a) {
          along[a] = step.axes[static_cast<std::size_t>(a)](along[a]);
        }
        point = step.inverse * along;
      }
      points.row(i) = point.transpose();
    }
  }

  void apply_knots(const MonotoneKnots& knots, std::span<const double> values,
                   const Execution& /*execution*/, std::span<double> out) const override {
    for (std::size_t i = 0; i < values.size(); ++i) out[i] = knots(values[i]);
  }

  void add_noise(SampleView samples, const NoiseTable& noise, std::span<const std::uint64_t> keys,
                 const Execution& /*execution*/, Eigen::Ref<RowMatrix> out) const override {
    const PointDraws draws(noise.seed, samples.n_features(), 0x646974686572);
    for (Index i = 0; i < samples.n_samples(); ++i) {
      const Vector point = samples.row(i);
      const std::uint64_t bits = draws.bits(point.data(), keys[static_cast<std::size_t>(i)]);
      for (Index f = 0; f < point.size(); ++f) {
        out(i, f) =
            noisy(point[f], noise, static_cast<std::size_t>(f), PointDraws::number(bits, f));
      }
    }
  }

  std::vector<std::vector<int>> nearest_across(const RowMatrix& points,
                                               const std::vector<bool>& halves, int n_neighbors,
                                               const Execution& /*execution*/) const override {
    std::vector<std::vector<int>> all;
    for (Index i = 0; i < points.cols(); ++i) {
      std::vector<std::pair<double, int>> others;
      for (Index j = 0; j < points.cols(); ++j) {
        if (halves[static_cast<std::size_t>(i)] == halves[static_cast<std::size_t>(j)]) continue;
        others.emplace_back((points.col(i) - points.col(j)).squaredNorm(), static_cast<int>(j));
      }
      std::sort(others.begin(), others.end());
      const double last = others[static_cast<std::size_t>(n_neighbors - 1)].first;
      std::vector<int>& own = all.emplace_back();
      for (const auto& [distance, j] : others) {
        if (distance <= last * (1.0 + 1e-10)) own.push_back(j);
      }
      std::sort(own.begin(), own.end());
    }
    return all;
  }

 private:
  static double noisy(double value, const NoiseTable& noise, std::size_t feature, double number) {
    if (!noise.widths.empty()) return value + noise.widths[feature] * (number - 0.5);
    const CellTable& cells = noise.cells[feature];
    for (std::size_t c = 0; c < cells.lower.size(); ++c) {
      if (value < cells.lower[c] || value >= cells.upper[c]) continue;
      return cells.lower[c] + number * (cells.upper[c] - cells.lower[c]);
    }
    return value;
  }

  /// Calls body(sample, point, workspace) for every sample, with the responsibilities and
  /// log-densities of its block.
  template <typename Body>
  static void for_each_point(SampleView samples, const DensityTable& table,
                             const Execution& execution, const Body& body) {
    for_all_blocks(
        samples, execution, [&] { return DensityWorkspace(table); },
        [&](const SampleBlock& block, DensityWorkspace& workspace) {
          log_joint_densities(block, table, workspace);
          normalize_responsibilities(workspace);
          for (Index i = 0; i < block.count; ++i) {
            body(block.first + i, static_cast<std::size_t>(i), workspace);
          }
        });
  }

  /// Calls body(block, point, label) for every sample.
  template <typename Body>
  static void for_each_labelled_block(SampleView samples, const DensityTable& table,
                                      const Execution& execution, const Body& body) {
    for_all_blocks(
        samples, execution, [&] { return DensityWorkspace(table); },
        [&](const SampleBlock& block, DensityWorkspace& workspace) {
          std::array<int, block_size> labels{};
          log_joint_densities(block, table, workspace);
          largest_component(workspace.joint, labels);
          for (std::size_t i = 0; i < static_cast<std::size_t>(block.count); ++i) {
            body(block, i, labels[i]);
          }
        });
  }
};

}  // namespace

const Device& plain_device() {
  static const PlainDevice device;
  return device;
}

}  // namespace lbw
