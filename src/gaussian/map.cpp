// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "gaussian/check.hpp"
#include "gaussian/map_chunks.hpp"
#include "gaussian/unchecked.hpp"
#include "linalg/lane_maps.hpp"
#include "linalg/multiply.hpp"
#include "linalg/psd.hpp"
#include "linalg/regular_map.hpp"

namespace lbw {

namespace {

void check_affine_map(const AffineMap& map, const char* function) {
  const Index n_features = map.source_mean.size();
  require(n_features > 0 && map.matrix.rows() == n_features &&
              (map.matrix.cols() == n_features || map.is_diagonal()) &&
              map.target_mean.size() == n_features,
          function, ": map has a source_mean of ", n_features, ", a matrix of ", map.matrix.rows(),
          " x ", map.matrix.cols(), " and a target_mean of ", map.target_mean.size(),
          ", expected the same number of features in all");
  require(map.source_mean.allFinite() && map.matrix.allFinite() && map.target_mean.allFinite(),
          function, ": map contains values that are not finite, expected finite values");
}

bool is_sound(const Vector& mean, Index n_features) {
  return mean.size() == n_features && mean.allFinite();
}

// False as well for covariances whose shape must be checked.
bool may_be_regular(const Matrix& source, const Matrix& target) {
  return source.size() > 0 && source.rows() == source.cols() && target.rows() == source.rows() &&
         target.cols() == source.cols() && !is_special(source, target);
}

// Returns false as well for covariances that may be singular or invalid.
bool compute_regular(RegularMap& map, const Matrix& source, const Matrix& target) {
  return may_be_regular(source, target) && map.compute(source, target);
}

// Centred at the origin, because m + (x - m) is not exactly x.
AffineMap identity_map(Matrix matrix) {
  const Index n_features = matrix.rows();
  return {Vector::Zero(n_features), std::move(matrix), Vector::Zero(n_features)};
}

// T = A^-T U Sigma U^T A^-1 = H^T H,  H = Sigma^1/2 U^T A^-1.
Matrix map_by_halves(const PsdFactor& source, const Svd& svd) {
  const Matrix half =
      svd.singular_values.cwiseSqrt().asDiagonal() * (svd.left.transpose() * source.pseudo_inverse);
  return symmetrized(half.transpose() * half);
}

// T = B V U^T A^-1, because A^-T U Sigma = B V. The error of row f is a few roundings of the
// target's standard deviation of feature f, independent of the units of other features. Of the
// entries (f, g) and (g, f), the one in the row of the smaller unit is therefore the accurate one.
// If A is singular, A^-T U Sigma is the projection of B V onto the range of A.
Matrix map_by_rows(const PsdFactor& source, const PsdFactor& target, const Svd& svd,
                   const Vector& grades) {
  Matrix map = target.factor * (svd.right * svd.left.transpose()) * source.pseudo_inverse;
  if (!source.regular) map = source.factor * (source.pseudo_inverse * map);
  for (Index column = 0; column < map.cols(); ++column) {
    for (Index row = 0; row < column; ++row) {
      const double entry = grades[row] <= grades[column] ? map(row, column) : map(column, row);
      map(row, column) = entry;
      map(column, row) = entry;
    }
  }
  return map;
}

// Feature by feature: a variance of 0 has no map.
Matrix diagonal_map(const Matrix& source_covariance, const Matrix& target_covariance) {
  Vector map = Vector::Zero(source_covariance.rows());
  for (Index f = 0; f < map.size(); ++f) {
    const double variance = source_covariance(f, f);
    const double wanted = std::max(0.0, target_covariance(f, f));
    if (variance > 0.0) map[f] = std::sqrt(wanted) / std::sqrt(variance);
  }
  return map.asDiagonal();
}

// Eq. 3, T = S^-1/2 (S^1/2 R S^1/2)^1/2 S^-1/2 = A^-T (A^T R A)^1/2 A^-1 with factors S = A A^T, R
// = B B^T. It is computed by the singular value decomposition A^T B = U Sigma V^T instead of the
// eigenvalues of A^T R A, whose condition number is squared.
Matrix dense_map(const Matrix& source_covariance, const Matrix& target_covariance) {
  PsdFactor source = psd_factor(source_covariance);
  PsdFactor target = psd_factor(target_covariance);
  // exact, so that products of factors neither overflow nor underflow
  const double source_scale = binary_scale(source.factor);
  const double target_scale = binary_scale(target.factor);
  source.factor /= source_scale;
  source.pseudo_inverse *= source_scale;
  target.factor /= target_scale;
  const Svd svd = svd_of_product(source.factor, target.factor);
  const Vector grades = row_scales(source.factor).cwiseProduct(row_scales(target.factor));
  return (target_scale / source_scale) * (are_graded(grades)
                                              ? map_by_rows(source, target, svd, grades)
                                              : map_by_halves(source, svd));
}

Matrix general_map_matrix(const Matrix& source_covariance, const Matrix& target_covariance) {
  const Index n_features = source_covariance.rows();
  if (source_covariance == target_covariance) return Matrix::Identity(n_features, n_features);
  const bool diagonal = is_diagonal(source_covariance) && is_diagonal(target_covariance);
  Matrix map = diagonal ? diagonal_map(source_covariance, target_covariance)
                        : dense_map(source_covariance, target_covariance);
  if (!map.allFinite()) {
    throw NumericalError(
        "gaussian_map: the ratio of the standard deviations of target and source exceeds the range "
        "of double precision; rescale the features");
  }
  return map;
}

// A successful regular map implies that the arguments are valid, so `check` is called only
// otherwise.
template <typename Check>
AffineMap map_of(const Gaussian& source, const Gaussian& target, RegularMap& workspace,
                 const Check& check) {
  const Index n_features = source.covariance.rows();
  if (is_sound(source.mean, n_features) && is_sound(target.mean, n_features) &&
      compute_regular(workspace, source.covariance, target.covariance)) {
    return {source.mean, workspace.matrix(), target.mean};
  }
  check();
  if (source.mean == target.mean && source.covariance == target.covariance) {
    return identity_map(Matrix::Identity(n_features, n_features));
  }
  return {source.mean, general_map_matrix(source.covariance, target.covariance), target.mean};
}

// Computes the maps of a chunk in the lanes of vectors. Returns the pairs for which it succeeded.
std::vector<LanePair> regular_maps(std::span<const Gaussian> sources,
                                   std::span<const Gaussian> targets, std::span<AffineMap> maps) {
  std::vector<LanePair> pairs;
  const Index d = sources.front().mean.size();
  if (d < fewest_lane_features || d > most_lane_features) return pairs;
  pairs.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Matrix& source = sources[i].covariance;
    const Matrix& target = targets[i].covariance;
    if (source.rows() == d && is_sound(sources[i].mean, d) && is_sound(targets[i].mean, d) &&
        may_be_regular(source, target)) {
      maps[i].matrix.resize(d, d);
      pairs.push_back({source.data(), target.data(), maps[i].matrix.data()});
    }
  }
  lane_maps(pairs, d);
  std::erase_if(pairs, [](const LanePair& pair) { return !pair.is_computed; });
  return pairs;
}

template <typename Check>
void compute_chunk(std::span<const Gaussian> sources, std::span<const Gaussian> targets,
                   std::span<AffineMap> maps, const Check& check) {
  const std::vector<LanePair> done = regular_maps(sources, targets, maps);
  auto next = done.begin();
  RegularMap workspace;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (next != done.end() && next->map == maps[i].matrix.data()) {
      maps[i].source_mean = sources[i].mean;
      maps[i].target_mean = targets[i].mean;
      ++next;
    } else {
      maps[i] = map_of(sources[i], targets[i], workspace, [&] { check(i); });
    }
  }
}

template <typename Check>
std::vector<AffineMap> maps_of(std::span<const Gaussian> sources, std::span<const Gaussian> targets,
                               const Execution& execution, const Check& check) {
  std::vector<AffineMap> maps(sources.size());
  const Index d = sources.empty() ? 1 : std::max<Index>(1, sources.front().mean.size());
  for_each_chunk_of_maps(std::ssize(sources), d, execution, [&](Index begin, Index end) {
    const std::size_t first = to_size(begin);
    const std::size_t count = to_size(end) - first;
    compute_chunk(sources.subspan(first, count), targets.subspan(first, count),
                  std::span(maps).subspan(first, count), [&](std::size_t i) { check(first + i); });
  });
  return maps;
}

void check_pair(const Gaussian& source, const Gaussian& target, const char* function,
                const std::string& source_name, const std::string& target_name) {
  check_gaussian(source, function, source_name);
  check_gaussian(target, function, target_name);
  require(source.mean.size() == target.mean.size(), function, ": ", source_name, " has ",
          counted(source.mean.size(), "feature"), " and ", target_name, " ", target.mean.size(),
          ", expected equal numbers");
}

}  // namespace

Matrix map_matrix(const Matrix& source_covariance, const Matrix& target_covariance) {
  RegularMap regular;
  if (compute_regular(regular, source_covariance, target_covariance)) return regular.matrix();
  check_covariance(source_covariance, "map_matrix", "source_covariance");
  check_covariance(target_covariance, "map_matrix", "target_covariance");
  require(source_covariance.rows() == target_covariance.rows(),
          "map_matrix: source_covariance has ", counted(source_covariance.rows(), "feature"),
          " and target_covariance ", target_covariance.rows(), ", expected equal numbers");
  return general_map_matrix(source_covariance, target_covariance);
}

AffineMap gaussian_map(const Gaussian& source, const Gaussian& target) {
  RegularMap workspace;
  return map_of(source, target, workspace,
                [&] { check_pair(source, target, "gaussian_map", "source", "target"); });
}

std::vector<AffineMap> gaussian_maps(std::span<const Gaussian> sources,
                                     std::span<const Gaussian> targets,
                                     const Execution& execution) {
  require(sources.size() == targets.size(), "gaussian_maps: sources has ", sources.size(),
          " Gaussians and targets ", targets.size(), ", expected equal numbers");
  check_execution(execution, "gaussian_maps");
  return maps_of(sources, targets, execution, [&](std::size_t i) {
    check_pair(sources[i], targets[i], "gaussian_maps", message("sources[", i, "]"),
               message("targets[", i, "]"));
  });
}

std::vector<AffineMap> gaussian_maps_unchecked(
    std::span<const Gaussian> sources, std::span<const Gaussian> targets,
    const Execution& execution, const std::function<void(std::size_t)>& on_irregular) {
  return maps_of(sources, targets, execution, on_irregular);
}

Matrix AffineMap::dense_matrix() const {
  return is_diagonal() ? Matrix(matrix.col(0).asDiagonal()) : matrix;
}

Vector AffineMap::operator()(const Vector& point) const {
  const Vector away = point - source_mean;
  if (is_diagonal()) return target_mean + matrix.col(0).cwiseProduct(away);
  return target_mean + matrix * away;
}

AffineMap partial_map(const AffineMap& map, double amount) {
  check_affine_map(map, "partial_map");
  require(amount >= 0.0 && amount <= 1.0, "partial_map: amount is ", amount,
          ", expected a number from 0 to 1");
  const Index n_features = map.source_mean.size();
  if (amount == 1.0) return map;
  const Matrix stay = map.is_diagonal() ? Matrix(Matrix::Ones(n_features, 1))
                                        : Matrix(Matrix::Identity(n_features, n_features));
  if (amount == 0.0) return identity_map(stay);
  const double rest = 1.0 - amount;
  return {map.source_mean, rest * stay + amount * map.matrix,
          rest * map.source_mean + amount * map.target_mean};
}

}  // namespace lbw
