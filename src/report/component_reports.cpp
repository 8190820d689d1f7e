// SPDX-License-Identifier: MIT
#include "linalg/psd.hpp"
#include "mixture/covariances.hpp"
#include "report/model_report.hpp"
#include "transport/feature_scales.hpp"

namespace lbw {

namespace {

double condition_of(const Mixture& mixture, Index component) {
  const Matrix& compact = compact_covariance(mixture, component);
  if (!layout_of(mixture.covariance_type).has_matrices())
    return compact.maxCoeff() / compact.minCoeff();
  const Vector eigenvalues = symmetric_eigenvalues(compact);
  return eigenvalues[eigenvalues.size() - 1] / eigenvalues[0];
}

}  // namespace

std::vector<ComponentReport> component_reports(const TransportModel& model) {
  std::vector<ComponentReport> reports;
  const std::vector<Mixture> mixtures = scaled(model.mixtures, model.scales);  // as in the maps
  for (std::size_t g = 0; g < mixtures.size(); ++g) {
    const Mixture& mixture = mixtures[g];
    const double n_samples = model.reports[g].count();
    for (Index i = 0; i < mixture.n_components(); ++i) {
      reports.push_back({model.group_names[g], static_cast<int>(i), mixture.weights[i],
                         mixture.weights[i] * n_samples, condition_of(mixture, i)});
    }
  }
  return reports;
}

}  // namespace lbw
