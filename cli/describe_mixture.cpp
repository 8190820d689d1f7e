// SPDX-License-Identifier: MIT
#include "cli/describe_mixture.hpp"

#include <lbw/types.hpp>
#include <vector>

#include "cli/text.hpp"

namespace lbw::cli {

namespace {

std::string describe_statistics(const MixtureStatistics& statistics) {
  return "fit         mean log-likelihood " + fixed(statistics.mean_log_likelihood, 6) + ", " +
         counted(statistics.iterations, "iteration") +
         (statistics.converged ? ", converged\n" : ", not converged\n");
}

std::string describe_components(const MixtureModel& model) {
  std::string text = "component      weight  mean\n";
  for (Index k = 0; k < model.mixture.n_components(); ++k) {
    text += right(to_text(k), 9) + right(fixed(model.mixture.weights[k], 6), 12);
    text += " ";
    for (const double mean : model.mixture.means.row(k)) text.append(" ").append(to_text(mean));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string describe(const MixtureModel& model) {
  const Mixture& mixture = model.mixture;
  std::string features;
  for (const std::string& name : model.feature_names) {
    features += (features.empty() ? ": " : ", ") + name;
  }
  return "mixture     " + counted(mixture.n_components(), "component") + ", covariance " +
         std::string(to_string(mixture.covariance_type)) + "\nfeatures    " +
         to_text(mixture.n_features()) + features + "\n" +
         (model.statistics ? describe_statistics(*model.statistics) : "") + "\n" +
         describe_components(model);
}

Json to_json(const MixtureModel& model) {
  const Mixture& mixture = model.mixture;
  Json means = Json::array();
  for (Index k = 0; k < mixture.n_components(); ++k) {
    const auto row = mixture.means.row(k);
    means.push_back(std::vector<double>(row.begin(), row.end()));
  }
  Json json = {{"kind", "mixture"},
               {"n_components", mixture.n_components()},
               {"n_features", mixture.n_features()},
               {"feature_names", model.feature_names},
               {"covariance_type", to_string(mixture.covariance_type)},
               {"weights", std::vector<double>(mixture.weights.begin(), mixture.weights.end())},
               {"means", means}};
  if (model.statistics) {
    json["mean_log_likelihood"] = model.statistics->mean_log_likelihood;
    json["iterations"] = model.statistics->iterations;
    json["converged"] = model.statistics->converged;
  }
  return json;
}

}  // namespace lbw::cli
