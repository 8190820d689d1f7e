// SPDX-License-Identifier: MIT
#include "cli/fit_quality.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "cli/describe.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr double few_samples = 10.0;      // behind a component, as in the report
constexpr double much_mass = 0.1;         // of a group, in components with few samples
constexpr double much_floor = 0.01;       // of a feature's variance, which limits displacements
constexpr double much_stretched = 100.0;  // ratio of the deviations of a feature in two groups
constexpr double many_copies = 0.1;       // of the samples
constexpr double few_values = 0.03;       // of the samples: such columns have equal rows by nature
constexpr Index most_examined = 1 << 16;  // samples of a group
constexpr const char* floor_advice = "set --relative-covariance-floor to a number such as 0.1";

std::optional<std::string> small_components_warning(const TransportModel& model) {
  const CovarianceType type = model.mixture_options.covariance_type;
  // a variance that many values or components share is estimated well
  if (type == CovarianceType::tied || type == CovarianceType::spherical) return std::nullopt;
  const bool is_full = type == CovarianceType::full;
  const double enough =
      is_full ? std::max(few_samples, static_cast<double>(model.n_features()) + 1.0) : few_samples;
  Index n_small = 0;
  Index n_all = 0;
  bool is_poor = false;
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    const auto n_samples = static_cast<double>(model.reports[g].n_samples);
    double small_mass = 0.0;
    n_all += model.mixtures[g].n_components();
    if (n_samples <= 1.0) continue;
    for (const double weight : model.mixtures[g].weights) {
      if (weight * n_samples >= enough) continue;
      ++n_small;
      small_mass += weight;
    }
    is_poor = is_poor || small_mass > much_mass;
  }
  if (!is_poor) return std::nullopt;
  const bool several = n_all > std::ssize(model.mixtures);
  std::string remedy = several ? "reduce --components, or " : "";
  if (is_full) remedy += "set --shrinkage to auto, or ";
  return to_text(n_small) + " of " + to_text(n_all) + " components have fewer than " +
         fixed(enough, 0) +
         " samples, so their covariances are mostly noise, and new samples may be sent far away; " +
         remedy + floor_advice;
}

/// Range and variance of every feature of a group.
struct FeatureRange {
  Vector least;
  Vector most;
  Vector variance;
};

FeatureRange range_of(SampleView samples) {
  FeatureRange range{samples.row(0), samples.row(0), Vector::Zero(samples.n_features())};
  Vector mean = Vector::Zero(samples.n_features());
  for (Index i = 0; i < samples.n_samples(); ++i) {
    const Vector row = samples.row(i);
    range.least = range.least.cwiseMin(row);
    range.most = range.most.cwiseMax(row);
    const Vector offset = row - mean;  // Welford's algorithm
    mean += offset / static_cast<double>(i + 1);
    range.variance += offset.cwiseProduct(row - mean);
    samples.release(i, 1);
  }
  range.variance /= static_cast<double>(samples.n_samples());
  return range;
}

/// The variance of the noise of a feature, the largest where it differs by value.
double noise_variance(const TransportModel& model, Index feature) {
  double width = model.dither.size() > 0 ? model.dither[feature] : 0.0;
  if (!model.dither_cells.empty()) {
    const DitherCells& cells = model.dither_cells[static_cast<std::size_t>(feature)];
    for (std::size_t i = 0; i < cells.lower.size(); ++i) {
      width = std::max(width, cells.upper[i] - cells.lower[i]);
    }
  }
  return width * width / 12.0;
}

/// How far a new value of a feature is sent that is constant in some group: the largest deviation
/// of a group over that of the floor.
double stretch_of(const TransportModel& model, const std::vector<FeatureRange>& ranges,
                  Index feature) {
  double most = 0.0;
  double mean = 0.0;
  for (const FeatureRange& range : ranges) {
    most = std::max(most, range.variance[feature]);
    mean += range.variance[feature] / static_cast<double>(ranges.size());
  }
  const MixtureOptions& options = model.mixture_options;
  const double floor = options.covariance_floor + options.relative_covariance_floor * mean +
                       noise_variance(model, feature);
  return std::sqrt(most / std::max(floor, 1e-300));
}

std::optional<std::string> constant_features_warning(const TransportModel& model,
                                                     std::span<const Group> groups) {
  std::vector<FeatureRange> ranges;
  std::vector<std::string> names;
  for (const Group& group : groups) {
    if (std::ranges::count(model.kept_groups, group.name) > 0) continue;
    ranges.push_back(range_of(group.samples));
    names.push_back(group.name);
  }
  std::string first;
  int n_found = 0;
  for (std::size_t g = 0; g < ranges.size(); ++g) {
    for (Index f = 0; f < model.n_features(); ++f) {
      if (ranges[g].least[f] != ranges[g].most[f]) continue;
      const double stretch = stretch_of(model, ranges, f);
      if (stretch <= much_stretched || n_found++ > 0) continue;
      const std::string feature = feature_names_of(model)[static_cast<std::size_t>(f)];
      first = "feature '" + feature + "' is constant in group '" + names[g] +
              "' and varies in another|. A new sample of '" + names[g] +
              "' with another value is sent about " + fixed(stretch, 0) +
              " times as far; exclude the feature, or " + floor_advice;
    }
  }
  if (n_found == 0) return std::nullopt;
  const std::string others =
      n_found == 1 ? "" : " (" + to_text(n_found - 1) + " more such features of groups)";
  return first.replace(first.find('|'), 1, others);
}

/// The number of rows that are copies of others; 0 if all columns take few values.
Index copies_in(SampleView samples) {
  std::unordered_set<std::string> rows;
  std::vector<std::unordered_set<double>> values(static_cast<std::size_t>(samples.n_features()));
  for (Index i = 0; i < samples.n_samples(); ++i) {
    const Vector row = samples.row(i).array() + 0.0;  // one zero, not two
    rows.emplace(reinterpret_cast<const char*>(row.data()),
                 sizeof(double) * static_cast<std::size_t>(row.size()));
    for (std::size_t f = 0; f < values.size(); ++f) values[f].insert(row[static_cast<Index>(f)]);
  }
  std::size_t n_values = 0;
  for (const auto& own : values) n_values = std::max(n_values, own.size());
  const auto n_samples = static_cast<double>(samples.n_samples());
  if (static_cast<double>(n_values) <= few_values * n_samples) return 0;
  return samples.n_samples() - std::ssize(rows);
}

}  // namespace

std::vector<std::string> quality_warnings(const TransportModel& model,
                                          std::span<const Group> groups) {
  const MixtureOptions& options = model.mixture_options;
  if (!options.shrinkage.is_none() || options.relative_covariance_floor >= much_floor) return {};
  std::vector<std::string> warnings;
  if (const auto text = small_components_warning(model)) warnings.push_back(*text);
  if (const auto text = constant_features_warning(model, groups)) warnings.push_back(*text);
  return warnings;
}

std::optional<std::string> copies_warning(std::span<const SampleView> samples) {
  Index n_samples = 0;
  Index n_copies = 0;
  for (const SampleView own : samples) {
    if (own.n_samples() > most_examined) continue;
    n_samples += own.n_samples();
    n_copies += copies_in(own);
  }
  if (static_cast<double>(n_copies) <= many_copies * static_cast<double>(n_samples)) {
    return std::nullopt;
  }
  return to_text(n_copies) + " of " + to_text(n_samples) +
         " samples are copies of others, so held-out samples are among those of the fit, and "
         "--criterion heldout selects too many components; remove the copies and use --criterion "
         "bic, or give a number of components";
}

}  // namespace lbw::cli
