// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/mixture.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "device/polar_normals.hpp"
#include "device/rotate_points.hpp"
#include "linalg/cholesky.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

/// Whether normal draws are multiplied by roots in blocks. The roots of few features fit into the
/// first-level cache, so blocks are not needed for them.
bool multiplies_blocks(const Mixture& mixture) {
  constexpr Index least_features = 24;
  return layout_of(mixture.covariance_type).has_matrices() &&
         mixture.n_features() >= least_features;
}

/// The number of samples that are drawn together.
Index rows_a_block(const Mixture& mixture) {
  constexpr Index rows_a_product = 240;
  constexpr Index draws_in_cache = 4096;
  return multiplies_blocks(mixture) ? rows_a_product
                                    : std::max<Index>(1, draws_in_cache / mixture.n_features());
}

Index draw_component(const Vector& weights, Random& random) {
  const double draw = random.uniform();
  double cumulative = 0.0;
  for (Index component = 0; component < weights.size(); ++component) {
    cumulative += weights[component];
    if (draw < cumulative) return component;
  }
  // rounding may leave the sum slightly below 1
  Index last = weights.size() - 1;
  while (weights[last] == 0.0) --last;
  return last;
}

/// Normal draws by Marsaglia's polar method. Points in the unit disc are drawn one by one and
/// converted together.
class NormalBlock {
 public:
  explicit NormalBlock(Index most)
      : coordinates_(Vector::Zero(filled_up(most))),
        radii_(Vector::Constant(filled_up(most), 0.5)) {}

  void clear() { size_ = 0; }

  void draw(Random& random) {
    if (!has_spare_) next_point(random);
    coordinates_[size_] = has_spare_ ? y_ : x_;
    radii_[size_++] = squared_radius_;
    has_spare_ = !has_spare_;
  }

  /// The draws since the last `clear`.
  [[nodiscard]] const double* finish() {
    finish_polar_normals(filled_up(size_), radii_.data(), coordinates_.data());
    return coordinates_.data();
  }

 private:
  static Index filled_up(Index n) {
    return (n + normals_at_once - 1) / normals_at_once * normals_at_once;
  }

  void next_point(Random& random) {
    do {
      x_ = 2.0 * random.uniform() - 1.0;
      y_ = 2.0 * random.uniform() - 1.0;
      squared_radius_ = x_ * x_ + y_ * y_;
    } while (squared_radius_ >= 1.0 || squared_radius_ == 0.0);
  }

  Vector coordinates_;
  Vector radii_;
  Index size_ = 0;
  double x_ = 0.0;
  double y_ = 0.0;
  double squared_radius_ = 0.5;
  bool has_spare_ = false;
};

/// Roots of the compact covariances of a mixture, which is checked: lower triangles, or standard
/// deviations.
std::vector<Matrix> checked_roots(const Mixture& mixture) {
  std::vector<Matrix> roots;
  const auto factor = [&](const Matrix& compact) {
    if (!layout_of(mixture.covariance_type).has_matrices()) {
      roots.emplace_back(compact.cwiseSqrt());
      return is_positive_definite(compact, mixture.covariance_type);
    }
    std::optional<Matrix> lower = cholesky_factor(compact);
    if (lower) roots.push_back(std::move(*lower));
    return lower.has_value();
  };
  check_mixture_by(factor, mixture, "sample", "mixture");
  return roots;
}

/// row += root * normals, every sum in the order of the features.
void add_spread(const Matrix& root, CovarianceType type, const double* normals, Index n_features,
                double* row) {
  const CovarianceLayout& layout = layout_of(type);
  if (layout.is_spherical()) {
    for (Index f = 0; f < n_features; ++f) row[f] += root(0, 0) * normals[f];
    return;
  }
  if (!layout.has_matrices()) {
    for (Index f = 0; f < n_features; ++f) row[f] += root(f, 0) * normals[f];
    return;
  }
  for (Index column = 0; column < n_features; ++column) {
    const double normal = normals[column];
    for (Index f = column; f < n_features; ++f) row[f] += root(f, column) * normal;
  }
}

/// Products of normal draws with the roots of covariances, grouped by component. The sums of the
/// product do not depend on the group size.
class RootProducts {
 public:
  RootProducts(const Mixture& mixture, const std::vector<Matrix>& roots)
      : mixture_(mixture), roots_(roots) {}

  /// rows.row(i) = mean + root * normals of the component labels[i].
  void write(const Eigen::Ref<const Labels>& labels, const double* normals,
             Eigen::Ref<RowMatrix> rows) {
    for (Index component = 0; component < mixture_.n_components(); ++component) {
      own_.clear();
      for (Index i = 0; i < labels.size(); ++i) {
        if (labels[i] == component) own_.push_back(i);
      }
      if (!own_.empty()) write_own(component, normals, rows);
    }
  }

 private:
  void write_own(Index component, const double* normals, Eigen::Ref<RowMatrix>& rows) {
    const Index d = mixture_.n_features();
    points_.setZero(d, padded_points(std::ssize(own_)));
    turned_.resize(d, points_.cols());
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const double* from = normals + own_[i] * d;
      for (Index f = 0; f < d; ++f) points_(f, static_cast<Index>(i)) = from[f];
    }
    const Index position = layout_of(mixture_.covariance_type).position(component);
    multiply_by_lower(at(roots_, position), points_, turned_);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      rows.row(own_[i]) =
          mixture_.means.row(component) + turned_.col(static_cast<Index>(i)).transpose();
    }
  }

  const Mixture& mixture_;
  const std::vector<Matrix>& roots_;
  std::vector<Index> own_;
  RowMatrix points_;
  RowMatrix turned_;
};

}  // namespace

MixtureSample sample(const Mixture& mixture, Index n_samples, std::uint64_t seed) {
  const std::vector<Matrix> roots = checked_roots(mixture);
  require(n_samples >= 1, "sample: n_samples is ", n_samples, ", expected 1 or more");
  const Index d = mixture.n_features();
  const Index block_rows = std::min(n_samples, rows_a_block(mixture));
  Random random(seed);
  NormalBlock normals(block_rows * d);
  RootProducts products(mixture, roots);
  MixtureSample drawn{RowMatrix(n_samples, d), Labels(n_samples)};
  for (Index begin = 0; begin < n_samples; begin += block_rows) {
    const Index count = std::min(block_rows, n_samples - begin);
    normals.clear();
    for (Index i = begin; i < begin + count; ++i) {
      drawn.labels[i] = static_cast<int>(draw_component(mixture.weights, random));
      for (Index f = 0; f < d; ++f) normals.draw(random);
    }
    const double* next = normals.finish();
    if (multiplies_blocks(mixture)) {
      products.write(drawn.labels.segment(begin, count), next,
                     drawn.samples.middleRows(begin, count));
      continue;
    }
    for (Index i = begin; i < begin + count; ++i, next += d) {
      const Index component = drawn.labels[i];
      const Index position = layout_of(mixture.covariance_type).position(component);
      drawn.samples.row(i) = mixture.means.row(component);
      add_spread(at(roots, position), mixture.covariance_type, next, d,
                 drawn.samples.row(i).data());
    }
  }
  return drawn;
}

}  // namespace lbw
