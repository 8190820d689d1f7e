// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/lbw.hpp>
#include <vector>

#include "worker/inputs.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

using Gaussians = std::vector<Gaussian>;

Gaussians gaussians_of(const std::string& path) {
  Gaussians gaussians;
  for (Matrix& covariance : read_matrices(path)) {
    gaussians.push_back({Vector::Zero(covariance.rows()), std::move(covariance)});
  }
  return gaussians;
}

/// The largest relative error ||T S T - R|| / ||R|| of the maps.
double worst_residual(const Gaussians& sources, const Gaussians& targets,
                      const std::vector<AffineMap>& maps) {
  double worst = 0.0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Matrix& map = maps[i].matrix;
    const Matrix& target = targets[i].covariance;
    const Matrix reached = map * sources[i].covariance * map;
    worst = std::max(worst, (reached - target).norm() / target.norm());
  }
  return worst;
}

}  // namespace

Json maps_job(const Json& request) {
  const Gaussians sources = gaussians_of(request.at("sources"));
  const Gaussians targets = gaussians_of(request.at("targets"));
  const Execution execution = {.n_threads = request.at("threads")};
  std::vector<AffineMap> maps;
  const double seconds = seconds_of([&] { maps = gaussian_maps(sources, targets, execution); });
  return {{"seconds", seconds}, {"checks", {{"residual", worst_residual(sources, targets, maps)}}}};
}

Json assignment_job(const Json& request) {
  const RowMatrix& cost = array(request.at("cost"));
  Matching matching;
  const double seconds = seconds_of([&] { matching = match(cost); });
  return {{"seconds", seconds}, {"checks", {{"cost", matching.cost}}}};
}

/// An optimal plan between the weights of two mixtures.
Json plan_job(const Json& request) {
  const RowMatrix& cost = array(request.at("cost"));
  const Vector rows = array(request.at("rows")).reshaped();
  const Vector columns = array(request.at("columns")).reshaped();
  Plan plan;
  const double seconds = seconds_of([&] { plan = transport_plan(cost, rows, columns); });
  return {{"seconds", seconds}, {"checks", {{"cost", plan.cost}}}};
}

}  // namespace lbw::bench
