// SPDX-License-Identifier: MIT
#include "transport/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "linalg/rotation.hpp"
#include "quantile/check_tables.hpp"
#include "transport/feature_scales.hpp"
#include "transport/kept_groups.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

void check_rotation(const Matrix& rotation, Index n_features, const char* function,
                    const std::string& argument) {
  require(rotation.rows() == n_features && rotation.cols() == n_features, function, ": ", argument,
          " is ", rotation.rows(), " x ", rotation.cols(), ", expected ", n_features, " x ",
          n_features);
  const double distance = distance_from_orthogonal(rotation);
  require(distance <= 1e-9, function, ": ", argument,
          " is not orthogonal: its product with its transpose differs from the identity by ",
          distance, ", expected at most 1e-9");
}

void check_tables(const TransportModel& model, std::size_t s, const char* function) {
  const auto& tables = model.refinement.steps[s].tables;
  const Index n_levels = model.refinement.steps.front().tables.front().front().n_levels();
  for (std::size_t g = 0; g < tables.size(); ++g) {
    for (std::size_t f = 0; f < tables[g].size(); ++f) {
      if (is_valid(tables[g][f]) && tables[g][f].n_levels() == n_levels) continue;
      const std::string argument =
          message("the table of step ", s, ", group '", model.group_names[g], "', axis ", f);
      check_table(tables[g][f], function, argument);
      require(tables[g][f].n_levels() == n_levels, function, ": ", argument, " has ",
              tables[g][f].n_levels(), " levels, the first has ", n_levels);
    }
  }
}

/// Checks that there is a table for every group and feature.
void check_shape_of_step(const TransportModel& model, std::size_t s, const char* function) {
  const auto& tables = model.refinement.steps[s].tables;
  require(std::ssize(tables) == model.n_groups(), function, ": step ", s,
          " of the refinement has tables of ", counted(tables.size(), "group"), ", the model has ",
          model.n_groups());
  for (std::size_t g = 0; g < tables.size(); ++g) {
    require(std::ssize(tables[g]) == model.n_features(), function, ": step ", s,
            " of the refinement has ", counted(tables[g].size(), "table"), " of group '",
            model.group_names[g], "', expected one for each of ",
            counted(model.n_features(), "feature"));
  }
}

void check_numbers(std::span<const double> numbers, std::size_t expected, bool (*allowed)(double),
                   const char* function, const std::string& argument, const char* condition) {
  require(numbers.size() == expected, function, ": ", argument, " has ",
          counted(numbers.size(), "entry"), ", expected ", expected);
  for (const double number : numbers) {
    require(allowed(number), function, ": ", argument, " has the value ", number, ", expected ",
            condition);
  }
}

/// Checks that sample counts and shrinkage are both present or both absent.
void check_shrinkage_of_steps(const TransportModel& model, const char* function) {
  const Refinement& refinement = model.refinement;
  const bool shrunk = !refinement.sample_counts.empty();
  const std::size_t expected = shrunk ? model.group_names.size() : 0;
  check_numbers(
      refinement.sample_counts, expected,
      [](double count) { return count >= 0.0 && count <= 1e300; }, function,
      "the refinement's sample_counts", "numbers from 0 to 1e300");
  for (std::size_t g = 0; g < refinement.sample_counts.size(); ++g) {
    require(refinement.sample_counts[g] > 0.0 || is_kept(model, model.group_names[g]), function,
            ": the refinement's sample_counts is 0 for the group '", model.group_names[g],
            "', expected a positive number, as the group is not one of kept_groups");
  }
  for (std::size_t s = 0; s < refinement.steps.size(); ++s) {
    check_numbers(
        refinement.steps[s].shrinkage, expected,
        [](double amount) { return amount >= 0.0 && amount <= 1.0; }, function,
        message("the shrinkage of step ", s), "numbers from 0 to 1");
  }
}

/// The weights of the groups that have samples. Kept groups have none, and no weight.
std::vector<double> weights_of_seen(const Refinement& refinement) {
  std::vector<double> weights = refinement.barycentric_weights;
  double sum = 0.0;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    if (refinement.sample_counts[g] == 0.0) weights[g] = 0.0;
    sum += weights[g];
  }
  if (sum == 0.0) return refinement.barycentric_weights;
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The target of a group along axis f.
QuantileTable target_of(const Refinement& refinement, const RefinementStep& step, std::size_t group,
                        std::size_t f) {
  if (step.shrinkage.empty()) {  // a file of an earlier version
    std::vector<QuantileTable> tables;
    for (const auto& of_group : step.tables) tables.push_back(of_group[f]);
    return mid_quantile(tables, refinement.barycentric_weights);
  }
  const std::vector<double> weights = weights_of_seen(refinement);
  SlicedAxis axis{{}, weights, refinement.sample_counts, step.shrinkage};
  for (const auto& of_group : step.tables) axis.tables.push_back(&of_group[f]);
  return sliced_target(axis, group);
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
  check_scales(refinement.scales, model.mixtures, function, "the refinement's scales");
  check_shrinkage_of_steps(model, function);
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

SlicedStep step_of_group(const Refinement& refinement, std::size_t step, Index group) {
  const RefinementStep& whole = refinement.steps[step];
  SlicedStep sliced{whole.rotation, {}, refinement.scales};
  const auto g = to_size(group);
  for (std::size_t f = 0; f < whole.tables[g].size(); ++f) {
    sliced.axes.push_back({whole.tables[g][f], target_of(refinement, whole, g, f)});
  }
  return sliced;
}

std::vector<SlicedStep> steps_of_group(const Refinement& refinement, Index group,
                                       const Execution& execution) {
  std::vector<SlicedStep> steps(refinement.steps.size());
  if (steps.empty()) return steps;
  constexpr double work_of_a_level = 50.0;
  const auto& tables = refinement.steps.front().tables.front();
  const double n_levels = static_cast<double>(tables.size() * steps.size()) *
                          static_cast<double>(tables.front().n_levels());
  for_each_chunk(std::ssize(steps), threads_worth(work_of_a_level * n_levels, execution),
                 [&](Index s) { at(steps, s) = step_of_group(refinement, to_size(s), group); });
  return steps;
}

void check_sliced_steps(std::span<const SlicedStep> steps, Index n_features, const char* function) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const std::string argument = message("map.refinement[", s, "]");
    check_rotation(steps[s].rotation, n_features, function, argument + ".rotation");
    require(std::ssize(steps[s].axes) == n_features, function, ": ", argument, ".axes has ",
            counted(steps[s].axes.size(), "entry"), " for ", counted(n_features, "feature"),
            ", expected one per feature");
    check_scales(steps[s].scales, n_features, function, argument + ".scales");
    for (std::size_t f = 0; f < steps[s].axes.size(); ++f) {
      if (is_valid(steps[s].axes[f])) continue;
      check_quantile_map(steps[s].axes[f], function, message(argument, ".axes[", f, "]"));
    }
  }
}

}  // namespace lbw
