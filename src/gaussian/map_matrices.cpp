// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/gaussian.hpp>
#include <vector>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "gaussian/check.hpp"
#include "gaussian/map_chunks.hpp"
#include "linalg/lane_maps.hpp"
#include "linalg/regular_map.hpp"

namespace lbw {

namespace {

constexpr const char* here = "map_matrices";

using Block = Eigen::Map<const Matrix>;  // a transposed covariance is equal

/// Covariances below one another, and their maps.
struct Stacks {
  const RowMatrix& sources;
  const RowMatrix& targets;
  RowMatrix& maps;

  [[nodiscard]] Index n_features() const { return sources.cols(); }
  [[nodiscard]] Index offset(Index i) const { return i * n_features() * n_features(); }
  [[nodiscard]] Block source(Index i) const { return block(sources, i); }
  [[nodiscard]] Block target(Index i) const { return block(targets, i); }

 private:
  [[nodiscard]] Block block(const RowMatrix& stack, Index i) const {
    return {stack.data() + offset(i), n_features(), n_features()};
  }
};

/// Computes the maps of a chunk in the lanes of vectors. Returns the positions of all others.
std::vector<Index> compute_in_lanes(const Stacks& stacks, Index begin, Index end) {
  const Index d = stacks.n_features();
  const bool has_lanes = d >= fewest_lane_features && d <= most_lane_features;
  std::vector<Index> others;
  std::vector<LanePair> pairs;
  pairs.reserve(static_cast<std::size_t>(end - begin));
  for (Index i = begin; i < end; ++i) {
    const Block source = stacks.source(i);
    const Block target = stacks.target(i);
    if (has_lanes && !is_special(source, target)) {
      pairs.push_back({source.data(), target.data(), stacks.maps.data() + stacks.offset(i)});
    } else {
      others.push_back(i);
    }
  }
  lane_maps(pairs, d);
  for (const LanePair& pair : pairs) {
    if (!pair.is_computed) others.push_back((pair.map - stacks.maps.data()) / (d * d));
  }
  std::sort(others.begin(), others.end());
  return others;
}

// A successful regular map implies that the covariances are valid.
void compute_alone(const Stacks& stacks, Index i) {
  const Index d = stacks.n_features();
  const Matrix source = stacks.source(i);
  const Matrix target = stacks.target(i);
  RegularMap regular;
  if (!is_special(source, target) && regular.compute(source, target)) {
    stacks.maps.middleRows(i * d, d) = regular.matrix();
    return;
  }
  check_covariance(source, here, message("sources[", i, "]"));
  check_covariance(target, here, message("targets[", i, "]"));
  stacks.maps.middleRows(i * d, d) = map_matrix(source, target);
}

}  // namespace

RowMatrix map_matrices(const RowMatrix& sources, const RowMatrix& targets,
                       const Execution& execution) {
  const Index d = sources.cols();
  require(d > 0 && sources.rows() % d == 0, here, ": sources has the shape ", sources.rows(), " x ",
          d, ", expected (n * n_features, n_features), one covariance below the other");
  require(targets.rows() == sources.rows() && targets.cols() == d, here, ": targets has the shape ",
          targets.rows(), " x ", targets.cols(), ", expected that of sources, ", sources.rows(),
          " x ", d);
  check_execution(execution, here);
  RowMatrix maps(sources.rows(), d);
  const Stacks stacks{sources, targets, maps};
  for_each_chunk_of_maps(sources.rows() / d, d, execution, [&](Index begin, Index end) {
    for (const Index i : compute_in_lanes(stacks, begin, end)) compute_alone(stacks, i);
  });
  return maps;
}

}  // namespace lbw
