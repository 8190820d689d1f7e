// SPDX-License-Identifier: MIT
#include "transport/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "linalg/rotation.hpp"
#include "quantile/check_tables.hpp"

namespace lbw {

namespace {

void check_rotation(const Matrix& rotation, Index n_features, const char* function,
                    const std::string& argument) {
  require(rotation.rows() == n_features && rotation.cols() == n_features, function, ": ", argument,
          " is ", rotation.rows(), " x ", rotation.cols(), ", expected ", n_features, " x ",
          n_features);
  const double distance = distance_from_orthogonal(rotation);
  require(distance <= 1e-9, function, ": ", argument, " times its transpose is ", distance,
          " from the identity, expected at most 1e-9");
}

void check_tables(const TransportModel& model, std::size_t s, const char* function) {
  const auto& tables = model.refinement.steps[s].tables;
  const Index n_levels = model.refinement.steps.front().tables.front().front().n_levels();
  for (std::size_t g = 0; g < tables.size(); ++g) {
    for (std::size_t f = 0; f < tables[g].size(); ++f) {
      const std::string argument =
          message("the table of step ", s, ", group '", model.group_names[g], "', axis ", f);
      check_table(tables[g][f], function, argument);
      require(tables[g][f].n_levels() == n_levels, function, ": ", argument, " has ",
              tables[g][f].n_levels(), " levels, the first has ", n_levels);
    }
  }
}

/// As many tables as groups and features.
void check_shape_of_step(const TransportModel& model, std::size_t s, const char* function) {
  const auto& tables = model.refinement.steps[s].tables;
  require(std::ssize(tables) == model.n_groups(), function, ": step ", s,
          " of the refinement has tables of ", tables.size(), " groups, the model has ",
          model.n_groups());
  for (std::size_t g = 0; g < tables.size(); ++g) {
    require(std::ssize(tables[g]) == model.n_features(), function, ": step ", s,
            " of the refinement has ", tables[g].size(), " tables of group '", model.group_names[g],
            "', expected one for each of ", model.n_features(), " features");
  }
}

std::string list_of(std::span<const double> numbers) {
  std::string list;
  for (const double number : numbers) list += (list.empty() ? "" : ", ") + to_text(number);
  return list;
}

}  // namespace

void check_refinement(const TransportModel& model, const char* function) {
  const Refinement& refinement = model.refinement;
  if (refinement.empty()) return;
  check_simplex(refinement.barycentric_weights, model.n_groups(), function,
                "the refinement's barycentric_weights");
  for (std::size_t s = 0; s < refinement.steps.size(); ++s) {
    check_rotation(refinement.steps[s].rotation, model.n_features(), function,
                   message("the rotation of step ", s));
    check_shape_of_step(model, s, function);
    check_tables(model, s, function);
  }
}

void check_refined_for(const TransportModel& model, std::span<const double> barycentric_weights,
                       const char* function) {
  if (model.refinement.empty()) return;
  const std::vector<double>& refined = model.refinement.barycentric_weights;
  const bool same = std::equal(
      refined.begin(), refined.end(), barycentric_weights.begin(), barycentric_weights.end(),
      [](double left, double right) { return std::abs(left - right) <= 1e-9; });
  require(same, function, ": barycentric_weights are ", list_of(barycentric_weights),
          ", but the model was refined for ", list_of(refined),
          "; fit with these refine_weights, or with refine = 0");
}

SlicedStep step_of_group(const RefinementStep& step, std::span<const double> barycentric_weights,
                         Index group) {
  SlicedStep sliced{step.rotation, {}};
  const std::vector<QuantileTable>& sources = step.tables[static_cast<std::size_t>(group)];
  for (std::size_t f = 0; f < sources.size(); ++f) {
    std::vector<QuantileTable> tables;
    for (const auto& of_group : step.tables) tables.push_back(of_group[f]);
    sliced.axes.push_back({sources[f], mid_quantile(tables, barycentric_weights)});
  }
  return sliced;
}

std::vector<SlicedStep> steps_of_group(const Refinement& refinement, Index group) {
  std::vector<SlicedStep> steps;
  for (const RefinementStep& step : refinement.steps) {
    steps.push_back(step_of_group(step, refinement.barycentric_weights, group));
  }
  return steps;
}

void check_sliced_steps(std::span<const SlicedStep> steps, Index n_features, const char* function) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const std::string argument = message("map.refinement[", s, "]");
    check_rotation(steps[s].rotation, n_features, function, argument + ".rotation");
    require(std::ssize(steps[s].axes) == n_features, function, ": ", argument, ".axes has ",
            steps[s].axes.size(), " entries for ", n_features, " features");
    for (std::size_t f = 0; f < steps[s].axes.size(); ++f) {
      check_quantile_map(steps[s].axes[f], function, message(argument, ".axes[", f, "]"));
    }
  }
}

}  // namespace lbw
