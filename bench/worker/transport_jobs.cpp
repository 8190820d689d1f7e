// SPDX-License-Identifier: MIT
#include <array>
#include <lbw/lbw.hpp>

#include "worker/inputs.hpp"
#include "worker/jobs.hpp"

namespace lbw::bench {
namespace {

TransportOptions options_of(const Json& request) {
  TransportOptions options;
  options.mixture.n_components = request.at("k");
  options.mixture.seed = request.value("seed", 0);
  options.mixture.execution.n_threads = request.at("threads");
  return options;
}

std::array<Group, 2> groups_of(const Json& request) {
  const Json& groups = request.at("groups");
  return {Group{"first", array(groups.at(0))}, Group{"second", array(groups.at(1))}};
}

double mean_log_likelihood_of(const TransportModel& model) {
  return 0.5 * (model.reports[0].mean_log_likelihood + model.reports[1].mean_log_likelihood);
}

}  // namespace

/// The paper's job: fit both groups, match, average, carry both onto the average.
Json whole_job(const Json& request) {
  const std::array<Group, 2> groups = groups_of(request);
  const TransportOptions options = options_of(request);
  const std::array<double, 2> weights = {0.5, 0.5};
  TransportModel model;
  Mixture average;
  std::array<RowMatrix, 2> carried;
  const double seconds = seconds_of([&] {
    model = fit_transport(groups, options);
    average = barycenter(model, weights);
    for (std::size_t i = 0; i < 2; ++i) {
      const LocalMap map = map_to_barycenter(model, groups[i].name, weights);
      carried[i] = transport(map, groups[i].samples, options.mixture.execution);
    }
  });
  return {{"seconds", seconds},
          {"checks",
           {{"log_likelihood", mean_log_likelihood_of(model)},
            {"iterations", model.reports[0].iterations + model.reports[1].iterations},
            {"mean_carried", 0.5 * (carried[0].mean() + carried[1].mean())}}}};
}

/// Finds the component of every point and applies its map; the maps are made before.
Json carry_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const Execution execution = {.n_threads = request.at("threads")};
  LocalMap map;
  map.source = read_mixture(request.at("mixture"));
  const Mixture target = read_mixture(request.at("target"));
  for (Index i = 0; i < map.source.n_components(); ++i) {
    map.pieces.push_back(
        {static_cast<int>(i), 1.0, gaussian_map(map.source.component(i), target.component(i))});
  }
  // pages that have been written to before, as those of the copy that it is held against
  static RowMatrix carried;
  carried.resize(samples.rows(), samples.cols());
  carried.setOnes();
  const double seconds = seconds_of([&] { transport_into(map, samples, carried, execution); });
  return {{"seconds", seconds},
          {"checks",
           {{"mean_carried", carried.mean()}, {"mean_square", carried.array().square().mean()}}}};
}

/// Carries samples by a model in a file, into memory of their own.
Json carry_model_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const TransportModel model = load_model(request.at("model").get<std::string>());
  RowMatrix carried;
  const double seconds = seconds_of([&] {
    carried = transport(map_between(model, "source", "target"), samples,
                        {.n_threads = request.at("threads")});
  });
  return {{"seconds", seconds},
          {"checks",
           {{"mean_carried", carried.mean()}, {"mean_square", carried.array().square().mean()}}}};
}

/// The paper's comparison: learn a map from one group onto the other and carry the first.
Json paper_map_job(const Json& request) {
  const std::array<Group, 2> groups = groups_of(request);
  const TransportOptions options = options_of(request);
  RowMatrix carried;
  const double seconds = seconds_of([&] {
    const TransportModel model = fit_transport(groups, options);
    carried = transport(map_between(model, "first", "second"), groups[0].samples,
                        options.mixture.execution);
  });
  const RowMatrix& second = array(request.at("groups").at(1));
  const double missed = (carried.colwise().mean() - second.colwise().mean()).norm();
  return {{"seconds", seconds}, {"checks", {{"mean_missed", missed}}}};
}

}  // namespace lbw::bench
