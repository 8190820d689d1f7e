// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <lbw/transport.hpp>
#include <optional>
#include <tuple>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/weights.hpp"
#include "gaussian/unchecked.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"
#include "transport/check_model.hpp"
#include "transport/couple.hpp"
#include "transport/feature_scales.hpp"
#include "transport/kept_groups.hpp"
#include "transport/refinement.hpp"
#include "transport/transporter.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

void check_amount(double amount, const char* function) {
  require(amount >= 0.0 && amount <= 1.0, function, ": amount is ", amount,
          ", expected a number from 0 to 1");
}

/// A source component, its target and the transported mass.
struct Route {
  int component = 0;
  int target = 0;
  double mass = 0.0;
};

/// The routes of group `from`, which map its member of tuple t to target_of(t), ordered by
/// component and target. Tuples of the same route are merged, so the order of the tuples does not
/// matter.
template <typename TargetOf>
std::vector<Route> routes_along_tuples(const TransportModel& model, Index from,
                                       const TargetOf& target_of) {
  const RowMatrix masses = tuple_masses(model);
  std::vector<Route> routes;
  for (Index t = 0; t < masses.rows(); ++t) {
    const int component = model.coupling.tuples(t, from);
    const int target = target_of(t);
    const auto same = std::find_if(routes.begin(), routes.end(), [&](const Route& route) {
      return route.component == component && route.target == target;
    });
    if (same == routes.end()) {
      routes.push_back({component, target, masses(t, from)});
    } else {
      same->mass += masses(t, from);
    }
  }
  std::sort(routes.begin(), routes.end(), [](const Route& left, const Route& right) {
    return std::tie(left.component, left.target) < std::tie(right.component, right.target);
  });
  return routes;
}

/// The fraction of a component's mass on each route; equal fractions if it has no mass.
std::vector<double> shares_of(const std::vector<Route>& routes, Index n_components) {
  Vector masses = Vector::Zero(n_components);
  Vector counts = Vector::Zero(n_components);
  for (const Route& route : routes) {
    masses[route.component] += route.mass;
    counts[route.component] += 1.0;
  }
  std::vector<double> shares;
  for (const Route& route : routes) {
    const double whole = masses[route.component];
    shares.push_back(whole > 0.0 ? route.mass / whole : 1.0 / counts[route.component]);
  }
  return shares;
}

// Diagonal covariances commute: Eq. 3 scales every feature by the ratio of standard deviations.
AffineMap map_of_variances(const Mixture& source, const Mixture& target, const Route& route) {
  const Index d = source.n_features();
  const Matrix& from = compact_covariance(source, route.component);
  const Matrix& to = compact_covariance(target, route.target);
  // a quotient of variances may overflow
  const Vector ratios = to.col(0).cwiseSqrt().cwiseQuotient(from.col(0).cwiseSqrt());
  const bool spherical = ratios.size() < d;
  const AffineMap map{source.means.row(route.component).transpose(),
                      spherical ? Vector(Vector::Constant(d, ratios[0])) : ratios,
                      target.means.row(route.target).transpose()};
  const bool equal = from == to && map.source_mean == map.target_mean;
  return equal ? partial_map(map, 0.0) : map;  // exactly the identity
}

/// Makes a map exactly diagonal if it is diagonal up to rounding, for instance between covariances
/// of equal correlation. Samples that share a value of a feature then have exactly the same image.
/// An entry is small if it is so in the units of the map and of the deviations of the features,
/// which may differ by many orders of magnitude.
void drop_dust(const Matrix& source, const Matrix& target, Matrix& matrix) {
  constexpr double dust = 1e-12;
  const Vector roots = matrix.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Vector from = source.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Vector to = target.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Matrix diagonal = matrix.diagonal().asDiagonal();
  const Matrix others = (matrix - diagonal).cwiseAbs();
  const auto is_small = [&](Index row, Index column) {
    return others(row, column) <= dust * roots[row] * roots[column] &&
           others(row, column) * from[column] <= dust * to[row];
  };
  for (Index row = 0; row < others.rows(); ++row) {
    for (Index column = 0; column < others.cols(); ++column) {
      if (!is_small(row, column)) return;
    }
  }
  matrix = diagonal;
}

/// Images of samples, which are up to 1e100, must not overflow.
void check_stretch(const AffineMap& map, int component) {
  constexpr double most = 1e200;
  if (map.matrix.cwiseAbs().maxCoeff() <= most) return;  // false for NaN
  throw NumericalError(message("the map of component ", component,
                               " stretches a feature by a factor of more than 1e200; rescale the "
                               "features, or increase relative_covariance_floor"));
}

/// Called for the component of a route unless its map proves that its covariance is positive
/// definite.
using OnIrregular = std::function<void(int component)>;

/// The map of every route, for an amount of 1.
std::vector<AffineMap> whole_maps(const Mixture& source, const Mixture& target,
                                  const std::vector<Route>& routes, const Vector& scales,
                                  const OnIrregular& on_irregular, const Execution& execution) {
  std::vector<AffineMap> maps;
  std::vector<Gaussian> sources;
  std::vector<Gaussian> targets;
  for (const Route& route : routes) {
    if (!layout_of(source.covariance_type).has_matrices()) {
      maps.push_back(map_of_variances(source, target, route));
      continue;
    }
    sources.push_back(scaled(source.component(route.component), scales));
    targets.push_back(scaled(target.component(route.target), scales));
  }
  if (!sources.empty()) {
    maps = gaussian_maps_unchecked(sources, targets, execution, [&](std::size_t i) {
      if (on_irregular) on_irregular(routes[i].component);
    });
    for (std::size_t i = 0; i < maps.size(); ++i) {
      drop_dust(sources[i].covariance, targets[i].covariance, maps[i].matrix);
      maps[i] = unscaled(maps[i], scales);
    }
  }
  for (std::size_t i = 0; i < maps.size(); ++i) check_stretch(maps[i], routes[i].component);
  return maps;
}

template <typename TargetOf>
LocalMap map_along_tuples(const TransportModel& model, Index from, const Mixture& target,
                          const TargetOf& target_of, double amount, const Execution& execution,
                          const OnIrregular& on_irregular = {}) {
  LocalMap map{at(model.mixtures, from),   {},           model.map,
               model.mixture_options.seed, model.dither, model.dither_cells};
  const std::vector<Route> routes = routes_along_tuples(model, from, target_of);
  const std::vector<double> shares = shares_of(routes, map.source.n_components());
  const std::vector<AffineMap> wholes =
      whole_maps(map.source, target, routes, model.scales, on_irregular, execution);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    map.pieces.push_back({routes[i].component, shares[i], partial_map(wholes[i], amount)});
  }
  return map;
}

/// The map to group `to`, or its partial transport.
LocalMap map_to_group(const TransportModel& model, Index from, Index to, double amount,
                      const Execution& execution, const OnIrregular& on_irregular = {}) {
  return map_along_tuples(
      model, from, at(model.mixtures, to), [&](Index t) { return model.coupling.tuples(t, to); },
      amount, execution, on_irregular);
}

/// The only group of positive weight; empty if there are several.
std::optional<Index> only_group_with_weight(const std::vector<double>& weights) {
  const auto found = std::find(weights.begin(), weights.end(), 1.0);
  if (found == weights.end()) return std::nullopt;
  return found - weights.begin();
}

/// The map to the barycenter. If one group has all the weight, it is the map to that group: routes
/// to the same component are merged, so the random kind draws the same images.
LocalMap map_by_weights(const TransportModel& model, Index from, const std::vector<double>& weights,
                        double amount, const Execution& execution) {
  if (const auto group = only_group_with_weight(weights)) {
    return map_to_group(model, from, *group, amount, execution);
  }
  return map_along_tuples(
      model, from, barycenter_unchecked(model, weights, execution),
      [](Index t) { return static_cast<int>(t); }, amount, execution);
}

/// The map of a kept group, which is the identity.
LocalMap identity_of(const TransportModel& model, Index group) {
  LocalMap map = map_to_group(model, group, group, 0.0, {});
  map.dither = {};
  map.dither_cells = {};
  return map;
}

/// The weights of fitted groups, for the map of a group to their barycenter. All arguments of
/// map_to_barycenter but the model are checked.
std::vector<double> weights_of_map(const TransportModel& model, std::string_view from,
                                   std::span<const double> barycentric_weights, double amount,
                                   const Execution& execution) {
  constexpr const char* function = "map_to_barycenter";
  check_execution(execution, function);
  std::vector<double> weights = normalized_weights(barycentric_weights, model.n_groups(),
                                                   "barycenter", "barycentric_weights");
  check_amount(amount, function);
  check_refined_for(model, weights, function);
  (void)model.group_index(from);
  return is_kept(model, from) ? weights : weights_of_fitted(model, weights, function);
}

/// The group of a name, if there is one.
std::optional<Index> find_group(const TransportModel& model, std::string_view name) {
  const auto found = std::ranges::find(model.group_names, name);
  if (found == model.group_names.end()) return std::nullopt;
  return found - model.group_names.begin();
}

/// The map of map_between. The model was checked, but for what on_irregular checks.
LocalMap map_onto(const TransportModel& model, std::string_view from, std::string_view to,
                  double amount, const Execution& execution, const OnIrregular& on_irregular) {
  check_execution(execution, "map_between");
  check_amount(amount, "map_between");
  const Index target = model.group_index(to);
  for (const std::string_view name : {from, to}) {
    require(!is_kept(model, name), "map_between: group '", name,
            "' was too small to fit, so it has no maps to other groups");
  }
  const bool by_pieces = !model.dithers();
  LocalMap map = map_to_group(model, model.group_index(from), target, by_pieces ? amount : 1.0,
                              execution, on_irregular);
  map.amount = by_pieces ? 1.0 : amount;
  return map;
}

/// Checks the samples and keys of a transport, except the values of the samples.
void check_points(const LocalMap& map, SampleView samples, const Execution& execution,
                  std::span<const std::uint64_t> keys, const char* function) {
  check_shape(samples, function, "samples");
  check_execution(execution, function);
  require(samples.n_features() == map.source.n_features(), function, ": samples have ",
          counted(samples.n_features(), "feature"), ", the map has ", map.source.n_features());
  check_keys(keys, samples.n_samples(), function, "keys");
}

/// Checks the map, samples and keys, and returns the densities of the source.
DensityTable check_transport(const LocalMap& map, SampleView samples, const Execution& execution,
                             std::span<const std::uint64_t> keys, const char* function) {
  DensityTable densities = check_map(map, function);
  check_points(map, samples, execution, keys, function);
  return densities;
}

RowKeys keys_of(const LocalMap& map, SampleView samples, std::span<const std::uint64_t> keys,
                const Execution& execution) {
  return map.dithers() ? keys_for_dither(keys, samples, execution)
                       : RowKeys(keys, samples.n_features());
}

/// Checks values batch by batch, while they are in the cache.
void run_transport(const LocalMap& map, DensityTable densities, SampleView samples,
                   Eigen::Ref<RowMatrix> out,  // NOLINT: written through
                   const Execution& execution, std::span<const std::uint64_t> keys,
                   const char* function) {
  const auto check = [&](Index begin, Index end) {
    check_rows(samples, begin, end, function, "samples");
  };
  RowKeys all = keys_of(map, samples, keys, execution);
  Transporter(map, std::move(densities), execution).transport(samples, all, check, execution, out);
}

/// Whether the samples are the memory of `out`.
bool is_in_place(SampleView samples, const Eigen::Ref<RowMatrix>& out) {
  const auto* first = static_cast<const void*>(out.data());
  const auto* last = static_cast<const void*>(out.data() + out.outerStride() * out.rows());
  const std::less<> before;
  return before(samples.row_data(0), last) && before(first, samples.row_data(samples.n_samples()));
}

}  // namespace

LocalMap map_between(const TransportModel& model, std::string_view from, std::string_view to,
                     double amount, const Execution& execution) {
  // a map factors the covariances of its source anyway
  check_model_but(find_group(model, from), model, "map_between");
  return map_onto(model, from, to, amount, execution, [&](int component) {
    const Index group = model.group_index(from);
    const Mixture& source = at(model.mixtures, group);
    check_positive_definite(source, layout_of(source.covariance_type).position(component),
                            "map_between", mixture_name(model, group));
  });
}

LocalMap map_between_unchecked(const TransportModel& model, std::string_view from,
                               std::string_view to, double amount, const Execution& execution) {
  return map_onto(model, from, to, amount, execution, {});
}

LocalMap map_to_barycenter(const TransportModel& model, std::string_view from,
                           std::span<const double> barycentric_weights, double amount,
                           const Execution& execution) {
  const std::vector<double> weights =
      weights_of_map(model, from, barycentric_weights, amount, execution);
  const bool to_barycenter = !is_kept(model, from) && !only_group_with_weight(weights);
  check_model(model, to_barycenter ? "barycenter" : "map_to_barycenter");
  return map_to_barycenter_unchecked(model, from, barycentric_weights, amount, execution);
}

LocalMap map_to_barycenter_unchecked(const TransportModel& model, std::string_view from,
                                     std::span<const double> barycentric_weights, double amount,
                                     const Execution& execution) {
  const std::vector<double> weights =
      weights_of_map(model, from, barycentric_weights, amount, execution);
  const Index group = model.group_index(from);
  if (is_kept(model, from)) return identity_of(model, group);
  const bool by_pieces = !model.dithers() && model.refinement.empty();
  LocalMap map = map_by_weights(model, group, weights, by_pieces ? amount : 1.0, execution);
  map.refinement = steps_of_group(model.refinement, group, execution);
  map.amount = by_pieces ? 1.0 : amount;
  return map;
}

RowMatrix transport(const LocalMap& map, SampleView samples, const Execution& execution,
                    std::span<const std::uint64_t> keys) {
  RowMatrix out(samples.n_samples(), samples.n_features());
  run_transport(map, check_transport(map, samples, execution, keys, "transport"), samples, out,
                execution, keys, "transport");
  return out;
}

RowMatrix transport_unchecked(const LocalMap& map, SampleView samples, const Execution& execution,
                              std::span<const std::uint64_t> keys) {
  check_points(map, samples, execution, keys, "transport");
  RowMatrix out(samples.n_samples(), samples.n_features());
  run_transport(map, density_table(map.source), samples, out, execution, keys, "transport");
  return out;
}

void transport_into(const LocalMap& map, SampleView samples, MatrixSpan span,
                    const Execution& execution, std::span<const std::uint64_t> keys) {
  Eigen::Ref<RowMatrix> out = span.values();
  require(out.rows() == samples.n_samples() && out.cols() == samples.n_features(),
          "transport_into: out is ", out.rows(), " x ", out.cols(), ", expected ",
          samples.n_samples(), " x ", samples.n_features(), ", the shape of the samples");
  if (is_in_place(samples, out)) {  // check everything before anything is overwritten
    check_samples(samples, "transport_into", "samples", execution);
  }
  run_transport(map, check_transport(map, samples, execution, keys, "transport_into"), samples, out,
                execution, keys, "transport_into");
}

void transport_in_batches(const LocalMap& map, SampleView samples,
                          const std::function<void(const RowMatrix& transported)>& take,
                          const Execution& execution, std::span<const std::uint64_t> keys) {
  DensityTable densities = check_transport(map, samples, execution, keys, "transport_in_batches");
  check_samples(samples, "transport_in_batches", "samples", execution);
  require(static_cast<bool>(take), "transport_in_batches: take is empty, expected a function");
  const Transporter transporter(map, std::move(densities), execution);
  RowKeys all = keys_of(map, samples, keys, execution);
  const Chunks batches = Chunks::batches(samples.n_samples(), samples.n_features());
  RowMatrix transported;
  for (Index batch = 0; batch < batches.count(); ++batch) {
    const SampleView rows = samples.rows(batches.begin(batch), batches.size_of(batch));
    transported.resize(rows.n_samples(), rows.n_features());
    transporter.transport(rows, all, {}, execution, transported);
    take(transported);
  }
}

}  // namespace lbw
