// SPDX-License-Identifier: MIT
#include <lbw/transport.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "linalg/inverse.hpp"
#include "transport/transporter.hpp"

namespace lbw {

namespace {

constexpr const char* invert = "inverse_transport";

/// @return  the densities of the map's source
DensityTable check_arguments(const LocalMap& map, SampleView points, const Execution& execution) {
  require(map.refinement.empty(), invert, ": the map has ", map.refinement.size(),
          " refinement steps, which have no inverse; fit without refine, or map between groups");
  require(!map.dithers(), invert,
          ": the map adds random noise, which has no inverse; fit without dither");
  DensityTable densities = check_map(map, invert);
  require(map.kind == MapKind::hard || are_alike(map.pieces), invert, ": map is ",
          to_string(map.kind), ", which has no inverse; expected hard. Set map to hard in the fit");
  check_samples(points, invert, "points", execution);
  check_execution(execution, invert);
  require(points.n_features() == map.source.n_features(), invert, ": points have ",
          counted(points.n_features(), "feature"), ", the map has ", map.source.n_features());
  return densities;
}

/// The inverse of a matrix in the form of AffineMap; empty if it is singular. `scales` are the
/// standard deviations of the features, so that units do not matter.
std::optional<Matrix> inverse_of(const Matrix& matrix, const Vector& scales) {
  if (matrix.cols() > 1) {
    const Vector inverse_scales = scales.cwiseInverse();
    const auto inverted = inverse(inverse_scales.asDiagonal() * matrix * scales.asDiagonal());
    if (!inverted) return std::nullopt;
    return Matrix(scales.asDiagonal() * *inverted * inverse_scales.asDiagonal());
  }
  const Matrix inverted = matrix.cwiseInverse();
  return inverted.allFinite() ? std::optional(inverted) : std::nullopt;
}

/// log |det| of a matrix in the form of AffineMap.
double log_determinant(const Matrix& matrix) {
  if (matrix.cols() == 1) return matrix.cwiseAbs().array().log().sum();
  return log_abs_determinant(matrix);
}

/// The inverse of the map of one component.
MapTable inverse_piece(const MapTable& forth, const Mixture& source, Index component) {
  const Vector variances = source.component(component).covariance.diagonal();
  const Vector scales = (variances.array() > 0.0).select(variances.cwiseSqrt(), 1.0);
  const std::optional<Matrix> inverted = inverse_of(at(forth.matrices, component), scales);
  require(inverted.has_value(), invert, ": the piece of component ", component,
          " has a singular matrix, which has no inverse");
  return {forth.target_means.row(component), {*inverted}, forth.source_means.row(component)};
}

/// The candidates of one component for points, and their scores.
struct Candidates {
  RowMatrix images;
  std::vector<bool> inside;  ///< whether the candidate lies in the component
  Vector merit;              ///< joint log-density of the point and the component
};

/// Finds the inverse images of points, from the inverse maps and the densities of the candidates.
class Origins {
 public:
  Origins(const LocalMap& map, DensityTable densities) : densities_(std::move(densities)) {
    const MapTable forth = heaviest_pieces(map);
    for (Index i = 0; i < densities_.n_components(); ++i) {
      back_.push_back(inverse_piece(forth, map.source, i));
      pushed_.push_back(pushed_forward(i, at(forth.matrices, i)));
    }
  }

  [[nodiscard]] Index n_components() const { return densities_.n_components(); }

  [[nodiscard]] Candidates of(SampleView points, Index component,
                              const Execution& execution) const {
    const Device& device = device_of(execution);
    const DensityTable& pushed = at(pushed_, component);
    Candidates found{RowMatrix(points.n_samples(), points.n_features()), {}, {}};
    device.apply_maps(points, pushed, at(back_, component), {}, execution, found.images);
    Labels labels;
    device.labels(found.images, densities_, execution, labels);
    device.log_densities(found.images, pushed, execution, found.merit);
    for (Index i = 0; i < labels.size(); ++i) found.inside.push_back(labels[i] == component);
    return found;
  }

 private:
  // log pi_i N(x; m_i, S_i) - log |det T_i|: the density of component i at y = T_i(x) under the
  // map.
  // Responsibilities would not work, because away from boundaries they are 1 for all candidates.
  [[nodiscard]] DensityTable pushed_forward(Index component, const Matrix& matrix) const {
    return {densities_.covariance_type,
            densities_.means.row(component),
            Vector::Constant(1, densities_.log_scale[component] - log_determinant(matrix)),
            {densities_.whitening_of(component)}};
  }

  DensityTable densities_;
  std::vector<MapTable> back_;        ///< one per component
  std::vector<DensityTable> pushed_;  ///< likewise
};

/// Replaces images by those of `other` that are better.
void keep_better(const Candidates& other, Candidates& best) {
  for (Index i = 0; i < other.merit.size(); ++i) {
    const auto at = to_size(i);
    const bool better =
        other.inside[at] == best.inside[at] ? other.merit[i] > best.merit[i] : other.inside[at];
    if (!better) continue;
    best.images.row(i) = other.images.row(i);
    best.inside[at] = other.inside[at];
    best.merit[i] = other.merit[i];
  }
}

}  // namespace

RowMatrix inverse_transport(const LocalMap& map, SampleView points, const Execution& execution) {
  const Origins origins(map, check_arguments(map, points, execution));
  const Execution one = on_one_thread(execution);
  const Chunks chunks = Chunks::of(points.n_samples());
  RowMatrix out(points.n_samples(), points.n_features());
  for_each_chunk(chunks.count(), execution, [&](Index chunk) {
    const SampleView rows = points.rows(chunks.begin(chunk), chunks.size_of(chunk));
    Candidates best = origins.of(rows, 0, one);
    for (Index component = 1; component < origins.n_components(); ++component) {
      keep_better(origins.of(rows, component, one), best);
    }
    out.middleRows(chunks.begin(chunk), best.images.rows()) = best.images;
  });
  return out;
}

}  // namespace lbw
