// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/sample_pass.hpp"
#include "report/feature_name.hpp"
#include "report/words.hpp"
#include "transport/kept_groups.hpp"

namespace lbw {

namespace {

constexpr std::size_t least_values = 20;
constexpr double most_far = 0.01;          // of all values
constexpr double farthest = 25.0;          // of the reach of the central 80 %
constexpr double share_of_squares = 0.75;  // the standard deviation is twice that of the others
constexpr double usual_deviations = 8.0;   // from the mean, for many samples
constexpr double usual_of_largest = 0.7;   // of the largest possible number, for few samples

/// A value that is far from the others of its group, and how much it and others like it matter.
struct FarValues {
  double share = 0.0;  ///< of the mean square about the median
  double count = 0.0;
  double farthest = 0.0;
  double low = 0.0;  ///< end of the central 80 %
  double high = 0.0;
};

/// The values of a feature with positive weight, and their weights.
struct Values {
  std::vector<double> values;
  std::vector<double> weights;
};

Values values_of(const Group& group, Index feature) {
  Values all;
  const SampleView samples = group.samples;
  const std::span<const double> weights = group.sample_weights;
  SamplePass pass(samples);
  for (Index i = 0; i < samples.n_samples(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[to_size(i)];
    if (weight > 0.0) {
      all.values.push_back(samples.row(i)[feature]);
      all.weights.push_back(weight);
    }
    pass.used_up_to(i + 1);
  }
  return all;
}

/// Whether no value is unusually far from the mean in standard deviations, which is found faster
/// than a median.
bool are_usual(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / n;
  double variance = 0.0;
  double largest = 0.0;
  for (const double value : values) {
    const double square = (value - mean) * (value - mean);
    variance += square / n;
    largest = std::max(largest, square);
  }
  const double most = std::min(usual_deviations, usual_of_largest * std::sqrt(n));
  return largest <= most * most * variance;
}

double quantile_of(std::vector<double>& values, double level) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(level * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

FarValues far_values_of(const Group& group, Index feature) {
  const Values all = values_of(group, feature);
  if (all.values.size() < least_values || are_usual(all.values)) return {};
  std::vector<double> reordered = all.values;
  FarValues found;
  found.low = quantile_of(reordered, 0.1);
  found.high = quantile_of(reordered, 0.9);
  const double median = quantile_of(reordered, 0.5);
  const double reach = 0.5 * farthest * (found.high - found.low);
  if (!(reach > 0.0)) return {};
  found.farthest = median;
  const double unit = std::ranges::max(all.weights);
  double total = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const double offset = all.values[i] - median;
    const double square = all.weights[i] / unit * (offset / reach) * (offset / reach);
    total += square;
    if (std::abs(offset) <= reach) continue;
    squares += square;
    found.count += 1.0;
    if (std::abs(offset) > std::abs(found.farthest - median)) found.farthest = all.values[i];
  }
  if (found.count > most_far * static_cast<double>(all.values.size()) + 1.0) return {};
  if (found.count > 0.0) found.share = squares / total;
  return found;
}

std::string text_of(const TransportModel& model, const Group& group, Index feature,
                    const FarValues& found) {
  return message(
      "Feature ", feature_name(model, feature), " has ",
      counted(static_cast<Index>(found.count), "value"), " in group '", group.name, "' that ",
      found.count > 1.0 ? "are" : "is", " very far from all others, such as ",
      rounded(found.farthest), ", where four in five lie between ", rounded(found.low), " and ",
      rounded(found.high), ". The Gaussian of the group describes ",
      found.count > 1.0 ? "these values" : "this value",
      " and not the others, so that the groups may still differ after a repair, above all in new "
      "samples. Correct such values, leave them out, or take logarithms.");
}

}  // namespace

std::optional<std::string> far_values_warning(const TransportModel& model,
                                              std::span<const Group> groups) {
  FarValues worst;
  std::string text;
  for (const Group& group : groups) {
    const auto place = to_size(model.group_index(group.name));
    require(group.samples.n_features() == model.n_features(), "far_values_warning: group '",
            group.name, "' has ", counted(group.samples.n_features(), "feature"),
            ", the model has ", model.n_features());
    if (model.mixtures[place].n_components() > 1 || is_kept(model, group.name)) continue;
    for (Index f = 0; f < model.n_features(); ++f) {
      const FarValues found = far_values_of(group, f);
      if (found.share < share_of_squares || found.share <= worst.share) continue;
      worst = found;
      text = text_of(model, group, f, found);
    }
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace lbw
