// SPDX-License-Identifier: MIT
#include "cli/describe.hpp"

#include <algorithm>
#include <lbw/transport.hpp>

#include "cli/text.hpp"

namespace lbw::cli {

namespace {

std::size_t group_count(const TransportModel& model) { return model.group_names.size(); }

double tuple_weight(const TransportModel& model, Index tuple, std::size_t group) {
  const int component = model.coupling.tuples(tuple, static_cast<Index>(group));
  return model.mixtures[group].weights[component];
}

std::string describe_groups(const TransportModel& model) {
  std::size_t width = 5;
  for (const std::string& name : model.group_names) width = std::max(width, name.size());
  std::string text = left("group", width) +
                     "  n_samples  n_components  mean_log_likelihood  iterations  converged  "
                     "replaced_components\n";
  for (std::size_t g = 0; g < group_count(model); ++g) {
    const GroupReport& report = model.reports[g];
    text += left(model.group_names[g], width) + right(to_text(report.n_samples), 11) +
            right(to_text(model.mixtures[g].n_components()), 14) +
            right(fixed(report.mean_log_likelihood, 6), 21) +
            right(to_text(report.iterations), 12) + right(report.converged ? "yes" : "no", 11) +
            right(to_text(report.replaced_components), 21) + "\n";
  }
  return text;
}

/// Empty if the options are at their defaults.
std::string describe_regularization(const MixtureOptions& options) {
  std::string text;
  if (options.relative_covariance_floor > 0.0) {
    text += ", relative floor " + to_text(options.relative_covariance_floor);
  }
  if (!options.shrinkage.is_none()) {
    text += ", shrinkage " + find_option(options_of(options), "shrinkage").text();
  }
  return text;
}

std::string describe_options(const MixtureOptions& options) {
  return "options     covariance " + std::string(to_string(options.covariance_type)) + ", floor " +
         to_text(options.covariance_floor) + describe_regularization(options) + ", tolerance " +
         to_text(options.tolerance) + ", at most " + counted(options.max_iterations, "iteration") +
         ", n_init " + to_text(options.n_init) + ", start " +
         std::string(to_string(options.start)) + ", precision " +
         std::string(to_string(options.precision)) + ", seed " + to_text(options.seed) + "\n";
}

std::string describe_coupling(const TransportModel& model) {
  return "coupling    " + std::string(to_string(model.coupling.method)) + ", cost " +
         std::string(to_string(model.coupling.cost)) + ", map " +
         std::string(to_string(model.map)) + "\n";
}

/// Empty if there is no dither.
std::string describe_dither(const TransportModel& model) {
  const std::string features = dithered_features(model);
  return features.empty() ? "" : "dither      " + features + "\n";
}

/// Empty if there is no refinement.
std::string describe_refinement(const Refinement& refinement) {
  if (refinement.empty()) return "";
  std::string weights;
  for (const double weight : refinement.barycentric_weights) {
    weights += (weights.empty() ? "" : ", ") + to_text(weight);
  }
  return "refinement  " + counted(static_cast<Index>(refinement.steps.size()), "step") +
         " to the barycenter with weights " + weights + "\n";
}

/// Empty if all groups were fitted.
std::string describe_kept(const TransportModel& model) {
  std::string names;
  for (const std::string& name : model.kept_groups)
    names += (names.empty() ? "'" : ", '") + name + "'";
  return names.empty()
             ? ""
             : "kept        " + names + ", too small to fit (1 sample each), not transported\n";
}

bool is_matching(const TransportModel& model) {
  return model.coupling.method == CouplingMethod::matching;
}

std::string describe_tuples(const TransportModel& model) {
  std::string text = is_matching(model) ? "matched" : "coupled";
  text += " components (component: weight)\n  tuple";
  constexpr std::size_t width = 18;
  for (const std::string& name : model.group_names) text += right(name, width);
  text += is_matching(model) ? "\n" : "        mass\n";
  for (Index tuple = 0; tuple < model.coupling.tuples.rows(); ++tuple) {
    text += right(to_text(tuple), 7);
    for (std::size_t g = 0; g < group_count(model); ++g) {
      const int component = model.coupling.tuples(tuple, static_cast<Index>(g));
      text += right(to_text(component) + ": " + fixed(tuple_weight(model, tuple, g), 6), width);
    }
    text += is_matching(model) ? "\n" : right(fixed(model.coupling.masses[tuple], 6), 12) + "\n";
  }
  return text;
}

Json groups_to_json(const TransportModel& model) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < group_count(model); ++g) {
    const GroupReport& report = model.reports[g];
    groups.push_back({{"name", model.group_names[g]},
                      {"n_samples", report.n_samples},
                      {"n_components", model.mixtures[g].n_components()},
                      {"mean_log_likelihood", report.mean_log_likelihood},
                      {"iterations", report.iterations},
                      {"converged", report.converged},
                      {"replaced_components", report.replaced_components}});
  }
  return groups;
}

Json options_to_json(const MixtureOptions& options) {
  Json json;
  for (const Option& option : options_of(options)) {
    const std::string text = option.text();
    const bool is_word = std::ranges::find(option.words, text) != option.words.end();
    json[std::string(option.name)] = is_word ? Json(text) : Json::parse(text);
  }
  return json;
}

Json tuples_to_json(const TransportModel& model) {
  Json tuples = Json::array();
  for (Index tuple = 0; tuple < model.coupling.tuples.rows(); ++tuple) {
    std::vector<int> components;
    std::vector<double> weights;
    for (std::size_t g = 0; g < group_count(model); ++g) {
      components.push_back(model.coupling.tuples(tuple, static_cast<Index>(g)));
      weights.push_back(tuple_weight(model, tuple, g));
    }
    tuples.push_back(
        {{"components", components}, {"weights", weights}, {"mass", model.coupling.masses[tuple]}});
  }
  return tuples;
}

const std::string& reference_name(const TransportModel& model) {
  return model.group_names[static_cast<std::size_t>(model.coupling.reference)];
}

std::string describe_reference(const TransportModel& model) {
  if (model.coupling.method == CouplingMethod::multimarginal) return "coupled jointly";
  return (is_matching(model) ? "matched to '" : "coupled to '") + reference_name(model) + "'";
}

/// The cells of every feature; empty if no feature has any.
Json cells_to_json(const TransportModel& model) {
  Json features = Json::array();
  for (const auto& [lower, upper] : model.dither_cells) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < lower.size(); ++i) cells.push_back({lower[i], upper[i]});
    features.push_back(cells);
  }
  return features;
}

}  // namespace

/// The scales of distances, if the model has any.
std::string describe_scales(const TransportModel& model) {
  std::string scales;
  for (const double scale : model.scales) scales += (scales.empty() ? "" : ", ") + to_text(scale);
  return scales.empty() ? "" : "scales      distances divide features by " + scales + "\n";
}

std::string describe(const TransportModel& model) {
  std::string features;
  for (const std::string& name : model.feature_names)
    features += (features.empty() ? ": " : ", ") + name;
  return "groups      " + to_text(group_count(model)) + ", " + describe_reference(model) +
         "\nfeatures    " + to_text(model.n_features()) + features + "\n" +
         describe_coupling(model) + describe_scales(model) + describe_dither(model) +
         describe_refinement(model.refinement) + describe_kept(model) +
         describe_options(model.mixture_options) + "\n" + describe_groups(model) + "\n" +
         describe_tuples(model);
}

Json to_json(const TransportModel& model) {
  return {{"groups", groups_to_json(model)},
          {"reference", reference_name(model)},
          {"n_features", model.n_features()},
          {"feature_names", model.feature_names},
          {"converged", model.converged()},
          {"options", options_to_json(model.mixture_options)},
          {"coupling", to_string(model.coupling.method)},
          {"cost", to_string(model.coupling.cost)},
          {"map", to_string(model.map)},
          {"scales", std::vector<double>(model.scales.begin(), model.scales.end())},
          {"dither", std::vector<double>(model.dither.begin(), model.dither.end())},
          {"dither_cells", cells_to_json(model)},
          {"refine", model.refinement.steps.size()},
          {"refine_weights", model.refinement.barycentric_weights},
          {"kept_groups", model.kept_groups},
          {"tuples", tuples_to_json(model)}};
}

std::string describe_coupling_cost(const TransportModel& model, const Execution& execution) {
  if (is_matching(model) || model.n_groups() == 2) return "";
  const auto [cost, at_least] = coupling_cost(model, execution);
  const double above = at_least > 0.0 ? 100.0 * (cost - at_least) / at_least : 0.0;
  return "the coupling cost is " + fixed(cost, 6) + ", the lower bound is " + fixed(at_least, 6) +
         " (" + fixed(above, 2) + " % above the bound)\n";
}

std::vector<std::string> feature_names_of(const TransportModel& model) {
  if (!model.feature_names.empty()) return model.feature_names;
  std::vector<std::string> numbers;
  for (Index feature = 1; feature <= model.n_features(); ++feature) {
    numbers.push_back(to_text(feature));
  }
  return numbers;
}

std::string dithered_features(const TransportModel& model) {
  const std::vector<std::string> names = feature_names_of(model);
  std::string list;
  Index count = 0;
  for (std::size_t f = 0; f < names.size(); ++f) {
    const Index n_cells = model.dither_cells.empty() ? 0 : std::ssize(model.dither_cells[f].lower);
    const double width = model.dither.size() == 0 ? 0.0 : model.dither[static_cast<Index>(f)];
    if (n_cells == 0 && width == 0.0) continue;
    ++count;
    list += (list.empty() ? "" : ", ") + names[f] +
            (n_cells > 0 ? " (" + counted(n_cells, "value") + ")" : " by " + to_text(width));
  }
  return count == 0
             ? ""
             : to_text(count) + " of " + counted(model.n_features(), "feature") + ": " + list;
}

bool report_convergence(bool quiet, const std::string& subcommand, const TransportModel& model) {
  for (std::size_t g = 0; g < group_count(model); ++g) {
    if (model.reports[g].converged) continue;
    tell(quiet, subcommand,
         "warning: group '" + model.group_names[g] + "' did not converge in " +
             counted(model.reports[g].iterations, "iteration") + "; " +
             convergence_advice(model.mixture_options));
  }
  return model.converged();
}

std::string convergence_advice(const MixtureOptions& options) {
  return "increase --max-iterations (" + to_text(options.max_iterations) + ") or --tolerance (" +
         to_text(options.tolerance) + ")";
}

}  // namespace lbw::cli
