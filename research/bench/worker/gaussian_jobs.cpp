// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/lbw.hpp>

#include "worker/inputs.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

/// The largest relative error ||T S T - R|| / ||R|| of the maps.
double worst_residual(const RowMatrix& sources, const RowMatrix& targets, const RowMatrix& maps) {
  const Index d = maps.cols();
  double worst = 0.0;
  for (Index row = 0; row < maps.rows(); row += d) {
    const Matrix map = maps.middleRows(row, d);
    const Matrix target = targets.middleRows(row, d);
    const Matrix reached = map * sources.middleRows(row, d) * map;
    worst = std::max(worst, (reached - target).norm() / target.norm());
  }
  return worst;
}

}  // namespace

Json maps_job(const Json& request) {
  const RowMatrix& sources = array(request.at("sources"));
  const RowMatrix& targets = array(request.at("targets"));
  const Execution execution = {.n_threads = request.at("threads")};
  RowMatrix maps;
  const double seconds = seconds_of([&] { maps = map_matrices(sources, targets, execution); });
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
