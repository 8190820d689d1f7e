// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/moment_sums.hpp>
#include <lbw/suggestion.hpp>
#include <lbw/transport.hpp>
#include <set>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/checks.hpp"
#include "transport/check_model.hpp"
#include "transport/couple.hpp"
#include "transport/dither.hpp"
#include "transport/feature_scales.hpp"
#include "transport/kept_groups.hpp"
#include "transport/refinement.hpp"

namespace lbw {

namespace {

void check_group_names(const TransportModel& model, const char* function) {
  const std::size_t n = model.group_names.size();
  require(n >= 2, function, ": the model has ", counted(n, "group"), ", expected 2 or more");
  require(model.mixtures.size() == n && model.reports.size() == n, function, ": the model has ", n,
          " group names, ", model.mixtures.size(), " mixtures and ", model.reports.size(),
          " reports, expected equal numbers");
  std::set<std::string> seen;
  for (const std::string& name : model.group_names) {
    require(!name.empty(), function, ": a group name is empty, expected a non-empty name");
    require(seen.insert(name).second, function, ": two groups are named '", shortened(name), "'");
  }
}

/// @param unfactored  the group whose covariances are not checked to be positive definite, or none
void check_mixtures(const TransportModel& model, const char* function,
                    std::optional<Index> unfactored = std::nullopt) {
  const Mixture& first = model.mixtures.front();
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    const std::string argument = mixture_name(model, static_cast<Index>(g));
    const Mixture& mixture = model.mixtures[g];
    const bool factors = layout_of(mixture.covariance_type).has_matrices();
    if (factors && unfactored && to_size(*unfactored) == g) {
      check_mixture_by([](const Matrix&) { return true; }, mixture, function, argument.c_str());
    } else {
      check_mixture(mixture, function, argument.c_str());
    }
    require(mixture.n_features() == first.n_features(), function, ": ", argument, " has ",
            counted(mixture.n_features(), "feature"), ", that of '", model.group_names.front(),
            "' has ", first.n_features());
    require(mixture.covariance_type == first.covariance_type, function, ": ", argument, " is ",
            to_string(mixture.covariance_type), ", that of '", model.group_names.front(), "' is ",
            to_string(first.covariance_type));
  }
  require(model.feature_names.empty() || std::ssize(model.feature_names) == first.n_features(),
          function, ": the model has ", model.feature_names.size(), " feature names for ",
          counted(first.n_features(), "feature"));
}

void check_shape_of_coupling(const TransportModel& model, const char* function) {
  const Coupling& coupling = model.coupling;
  require(coupling.reference >= 0 && coupling.reference < model.n_groups(), function,
          ": coupling.reference is ", coupling.reference, ", expected 0 to ", model.n_groups() - 1);
  require(coupling.tuples.cols() == model.n_groups(), function, ": the coupling joins ",
          counted(coupling.tuples.cols(), "group"), ", the model has ", model.n_groups());
  require(coupling.masses.size() == coupling.tuples.rows(), function, ": the coupling has ",
          coupling.masses.size(), " masses for ", coupling.tuples.rows(), " tuples");
}

/// The number of occurrences of each component of a group; empty if a component is out of range.
std::vector<int> occurrences(const TransportModel& model, Index group) {
  const Index k = at(model.mixtures, group).n_components();
  std::vector<int> counts(to_size(k), 0);
  for (const int component : model.coupling.tuples.col(group)) {
    if (component < 0 || component >= k) return {};
    ++at(counts, component);
  }
  return counts;
}

/// A matching contains each component once, a plan at least once.
void check_members(const TransportModel& model, const char* function) {
  const bool once = model.coupling.method == CouplingMethod::matching;
  for (Index g = 0; g < model.n_groups(); ++g) {
    const std::vector<int> counts = occurrences(model, g);
    const bool covered = !counts.empty() && std::all_of(counts.begin(), counts.end(), [&](int n) {
      return once ? n == 1 : n >= 1;
    });
    require(covered, function, ": the coupling does not contain each of the ",
            counted(at(model.mixtures, g).n_components(), "component"), " of group '",
            at(model.group_names, g), once ? "' exactly once" : "' at least once");
  }
}

void check_plan_masses(const TransportModel& model, const char* function) {
  for (Index g = 0; g < model.n_groups(); ++g) {
    const Vector& weights = at(model.mixtures, g).weights;
    Vector sums = Vector::Zero(weights.size());
    for (Index t = 0; t < model.coupling.masses.size(); ++t) {
      sums[model.coupling.tuples(t, g)] += model.coupling.masses[t];
    }
    for (Index i = 0; i < sums.size(); ++i) {
      require(std::abs(sums[i] - weights[i]) <= 1e-9, function, ": the tuples of component ", i,
              " of group '", at(model.group_names, g), "' have mass ", sums[i],
              ", expected its weight ", weights[i], " within 1e-9");
    }
  }
}

void check_masses(const TransportModel& model, const char* function) {
  const Coupling& coupling = model.coupling;
  for (Index t = 0; t < coupling.masses.size(); ++t) {
    require(coupling.masses[t] >= 0.0, function, ": the coupling's mass of tuple ", t, " is ",
            coupling.masses[t], ", expected a number >= 0");
  }
  if (coupling.method != CouplingMethod::matching) return check_plan_masses(model, function);
  const Vector expected = matching_masses(model.mixtures, coupling);
  for (Index t = 0; t < expected.size(); ++t) {
    require(std::abs(coupling.masses[t] - expected[t]) <= 1e-9, function,
            ": the coupling's mass of tuple ", t, " is ", coupling.masses[t], ", expected ",
            expected[t], " (the mean weight of its members) within 1e-9");
  }
}

}  // namespace

Index TransportModel::group_index(std::string_view name) const {
  const auto found = std::find(group_names.begin(), group_names.end(), name);
  if (found == group_names.end()) {
    throw InvalidArgument(message("group '", shortened(name),
                                  "' is not in the model, expected one of ",
                                  quoted_list(group_names), suggestion(name, group_names)));
  }
  return found - group_names.begin();
}

bool TransportModel::converged() const {
  return std::all_of(reports.begin(), reports.end(),
                     [](const GroupReport& report) { return report.converged; });
}

std::string mixture_name(const TransportModel& model, Index group) {
  return message("mixture of '", at(model.group_names, group), "'");
}

void check_model(const TransportModel& model, const char* function) {
  check_model_but(std::nullopt, model, function);
}

void check_model_but(std::optional<Index> unfactored, const TransportModel& model,
                     const char* function) {
  check_group_names(model, function);
  check_kept_groups(model, function);
  check_mixtures(model, function, unfactored);
  check_shape_of_coupling(model, function);
  check_members(model, function);
  check_masses(model, function);
  check_noise(model.dither, model.dither_cells, model.n_features(), function, "the model's dither");
  check_scales(model.scales, model.mixtures, function, "the model's scales");
  check_refinement(model, function);
}

TransportModel couple_mixtures(std::span<const std::string> group_names,
                               std::span<const Mixture> mixtures, const TransportOptions& options) {
  constexpr const char* function = "couple_mixtures";
  require(options.dither.is_none() && options.refine == 0, function,
          ": dither and refine need samples; set both to 0, or use fit_transport");
  TransportModel model;
  model.group_names.assign(group_names.begin(), group_names.end());
  model.feature_names = options.feature_names;
  model.mixtures.assign(mixtures.begin(), mixtures.end());
  model.reports.assign(mixtures.size(), {.converged = true});
  model.map = options.map;
  check_group_names(model, function);
  check_mixtures(model, function);
  model.mixture_options.seed = options.mixture.seed;
  model.mixture_options.covariance_type = mixtures.front().covariance_type;
  model.mixture_options.n_components = static_cast<int>(mixtures.front().n_components());
  for (const Mixture& mixture : mixtures) {
    require(options.coupling != CouplingMethod::matching ||
                mixture.n_components() == mixtures.front().n_components(),
            function, ": mixtures have ", mixtures.front().n_components(), " and ",
            counted(mixture.n_components(), "component"),
            ", but a matching needs equal numbers; set coupling to plan");
  }
  model.coupling.reference = reference_index(model, options.reference);
  couple_components(options, model);
  return model;
}

double misplaced_mass(const TransportModel& model, std::string_view first,
                      std::string_view second) {
  check_model(model, "misplaced_mass");
  const RowMatrix masses = tuple_masses(model);
  return 0.5 * (masses.col(model.group_index(first)) - masses.col(model.group_index(second)))
                   .cwiseAbs()
                   .sum();
}

}  // namespace lbw
