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

/// The paper's job: fit both groups, match them and transport both to their barycenter.
Json whole_job(const Json& request) {
  const std::array<Group, 2> groups = groups_of(request);
  const TransportOptions options = options_of(request);
  const std::array<double, 2> weights = {0.5, 0.5};
  TransportModel model;
  Mixture average;
  std::array<RowMatrix, 2> moved;
  const double seconds = seconds_of([&] {
    model = fit_transport(groups, options);
    average = barycenter(model, weights);
    for (std::size_t i = 0; i < 2; ++i) {
      const LocalMap map = map_to_barycenter(model, groups[i].name, weights);
      moved[i] = transport(map, groups[i].samples, options.mixture.execution);
    }
  });
  return {{"seconds", seconds},
          {"checks",
           {{"log_likelihood", mean_log_likelihood_of(model)},
            {"iterations", model.reports[0].iterations + model.reports[1].iterations},
            {"mean_transported", 0.5 * (moved[0].mean() + moved[1].mean())}}}};
}

namespace {

/// Maps component i of one mixture to component i of another.
LocalMap map_by_number(const Mixture& source, const Mixture& target) {
  LocalMap map;
  map.source = source;
  for (Index i = 0; i < source.n_components(); ++i) {
    map.pieces.push_back(
        {static_cast<int>(i), 1.0, gaussian_map(source.component(i), target.component(i))});
  }
  return map;
}

/// A map of the requested kind along an optimal plan.
LocalMap map_by_plan(const Mixture& source, const Mixture& target, const std::string& kind) {
  const std::array<std::string, 2> names = {"source", "target"};
  const std::array<Mixture, 2> mixtures = {source, target};
  TransportOptions options;
  options.coupling = CouplingMethod::plan;
  options.map = enum_from<MapKind>(kind);
  return map_between(couple_mixtures(names, mixtures, options), "source", "target");
}

}  // namespace

/// Finds the component of every point and applies its map. Computing the maps is not timed.
Json transport_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const Execution execution = {.n_threads = request.at("threads")};
  const Mixture source = read_mixture(request.at("mixture"));
  const Mixture target = read_mixture(request.at("target"));
  const LocalMap map = request.contains("kind") ? map_by_plan(source, target, request.at("kind"))
                                                : map_by_number(source, target);
  // memory that has been written before, like that of the copy that it is compared with
  static RowMatrix moved;
  moved.resize(samples.rows(), samples.cols());
  moved.setOnes();
  const double seconds = seconds_of([&] { transport_into(map, samples, moved, execution); });
  return {{"seconds", seconds},
          {"checks",
           {{"mean_transported", moved.mean()}, {"mean_square", moved.array().square().mean()}}}};
}

/// The barycenter of mixtures by a multimarginal coupling. It minimizes the cost, the mean squared
/// mixture-Wasserstein distance to the mixtures.
Json barycenter_job(const Json& request) {
  std::vector<Mixture> mixtures;
  std::vector<std::string> names;
  for (const Json& prefix : request.at("mixtures")) {
    mixtures.push_back(read_mixture(prefix));
    names.push_back(std::to_string(names.size()));
  }
  const std::vector<double> weights(mixtures.size(), 1.0 / static_cast<double>(mixtures.size()));
  TransportOptions options;
  options.coupling = CouplingMethod::multimarginal;
  options.cost = ComponentCost::bures;
  options.mixture.execution.n_threads = request.at("threads");
  Mixture average;
  const double seconds =
      seconds_of([&] { average = barycenter(couple_mixtures(names, mixtures, options), weights); });
  double cost = 0.0;
  for (const Mixture& mixture : mixtures) {
    const double distance = mixture_distance(average, mixture);
    cost += weights[0] * distance * distance;
  }
  return {{"seconds", seconds},
          {"checks", {{"cost", cost}, {"components", average.n_components()}}}};
}

/// Transports samples by a model in a file, into new memory.
Json transport_model_job(const Json& request) {
  const RowMatrix& samples = array(request.at("samples"));
  const TransportModel model = load_model(request.at("model").get<std::string>());
  RowMatrix moved;
  const double seconds = seconds_of([&] {
    moved = transport(map_between(model, "source", "target"), samples,
                      {.n_threads = request.at("threads")});
  });
  return {{"seconds", seconds},
          {"checks",
           {{"mean_transported", moved.mean()}, {"mean_square", moved.array().square().mean()}}}};
}

/// The paper's comparison: learn a map between two groups and transport the first.
Json paper_map_job(const Json& request) {
  const std::array<Group, 2> groups = groups_of(request);
  const TransportOptions options = options_of(request);
  RowMatrix moved;
  const double seconds = seconds_of([&] {
    const TransportModel model = fit_transport(groups, options);
    moved = transport(map_between(model, "first", "second"), groups[0].samples,
                      options.mixture.execution);
  });
  const RowMatrix& second = array(request.at("groups").at(1));
  const double missed = (moved.colwise().mean() - second.colwise().mean()).norm();
  return {{"seconds", seconds}, {"checks", {{"mean_missed", missed}}}};
}

}  // namespace lbw::bench
