// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/quantile.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/weights.hpp"
#include "device/device.hpp"
#include "quantile/check_tables.hpp"

namespace lbw {

namespace {

constexpr const char* fit = "fit_quantile_maps";

std::vector<QuantileTable> tables_of(std::span<const QuantileGroup> groups,
                                     const QuantileMapOptions& options) {
  std::vector<QuantileTable> tables(groups.size());
  for_each_chunk(std::ssize(groups), options.execution, [&](Index i) {
    const auto g = to_size(i);
    try {
      tables[g] = quantile_table(groups[g].values, groups[g].sample_weights, options.n_levels);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(message("group ", g, ": ", error.what()));
    }
  });
  return tables;
}

void apply(const QuantileMap& map, std::span<const double> values, std::span<double> out,
           const Execution& execution, const char* function) {
  check_quantile_map(map, function, "map");
  check_execution(execution, function);
  const auto size = std::ssize(values);
  check_samples(SampleView(values.data(), size, 1, 1), function, "values", execution);
  const MonotoneKnots knots(map.source.values, map.target.values, map.amount);
  device_of(execution).apply_knots(knots, values, execution, out);
}

}  // namespace

std::vector<QuantileMap> fit_quantile_maps(std::span<const QuantileGroup> groups,
                                           const QuantileMapOptions& options) {
  require(!groups.empty(), fit, ": groups is empty, expected one or more");
  check_execution(options.execution, fit);
  check_quantile_amount(options.amount, fit, "amount");
  std::vector<double> weights = options.barycentric_weights;
  if (weights.empty()) weights.assign(groups.size(), 1.0 / static_cast<double>(groups.size()));
  weights = normalized_weights(weights, std::ssize(groups), fit, "barycentric_weights");
  const std::vector<QuantileTable> tables = tables_of(groups, options);
  const QuantileTable middle = mid_quantile(tables, weights);
  std::vector<QuantileMap> maps;
  for (const QuantileTable& table : tables) maps.push_back({table, middle, options.amount});
  return maps;
}

Vector apply_quantile_map(const QuantileMap& map, std::span<const double> values,
                          const Execution& execution) {
  Vector out(std::ssize(values));
  apply(map, values, {out.data(), values.size()}, execution, "apply_quantile_map");
  return out;
}

void apply_quantile_map_into(const QuantileMap& map, std::span<const double> values,
                             std::span<double> out, const Execution& execution) {
  require(out.size() == values.size(), "apply_quantile_map_into: out has ",
          counted(out.size(), "entry"), " for ", counted(values.size(), "value"),
          ", expected one per value");
  apply(map, values, out, execution, "apply_quantile_map_into");
}

}  // namespace lbw
