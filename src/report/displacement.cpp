// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>

#include "core/copy_samples.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "linalg/multiply.hpp"
#include "mixture/covariances.hpp"
#include "report/representatives.hpp"
#include "report/transported_samples.hpp"
#include "report/words.hpp"
#include "transport/kept_groups.hpp"
#include "transport/unchecked.hpp"
#include "transport/weighing_groups.hpp"

namespace lbw {

namespace {

constexpr Index most_warned_of = 4096;
constexpr Index least_warned_of = 10;

/// The mean of a distribution and its spread: the root mean square distance from the mean.
struct Extent {
  Vector mean;
  double spread = 0.0;
};

Extent extent_of(const Mixture& mixture) {
  const Index d = mixture.n_features();
  Extent extent{mixture.means.transpose() * mixture.weights, 0.0};
  double square = 0.0;
  for (Index i = 0; i < mixture.n_components(); ++i) {
    const Vector variances = variances_of(compact_covariance(mixture, i), mixture.covariance_type);
    const double copies = variances.size() < d ? static_cast<double>(d) : 1.0;  // spherical
    square += mixture.weights[i] * (copies * variances.sum() +
                                    (mixture.means.row(i).transpose() - extent.mean).squaredNorm());
  }
  extent.spread = std::sqrt(square);
  return extent;
}

/// Finds the largest excess displacement of samples under the maps of a model.
class Watch {
 public:
  Watch(const TransportModel& model, std::span<const Group> groups, const Execution& execution)
      : model_(model), execution_(execution) {
    for (const Group& group : groups) {
      samples_.push_back(
          representatives_of(group, most_warned_of, model.mixture_options.seed).samples);
    }
    const Vector deviations = deviations_of(samples_);
    Random random(model.mixture_options.seed, nudge_stream);
    for (const RowMatrix& own : samples_) {
      RowMatrix nudges(own.rows(), own.cols());
      for (double& nudge : nudges.reshaped<Eigen::RowMajor>()) nudge = random.normal();
      nudged_.push_back(own + nudge_share * nudges * deviations.asDiagonal());
    }
  }

  void look_at(std::size_t place, const std::string& from, const std::string& to,
               const LocalMap& map, const Mixture& target) {
    for (const bool nudged : {false, true}) {
      const RowMatrix& samples = nudged ? nudged_[place] : samples_[place];
      const Displacement moved =
          displacement_of(samples, transport_unchecked(map, samples, execution_), target);
      if (!moved.out_of_proportion() || excess_of(moved) <= worst_) continue;
      worst_ = excess_of(moved);
      text_ = displacement_text(model_, {from, to, nudged}, moved);
      if (!nudged) return;  // displacements of unchanged samples are reported first
    }
  }

  [[nodiscard]] std::optional<std::string> warning() const {
    return text_.empty() ? std::nullopt : std::optional(text_);
  }

 private:
  static constexpr double nudge_share = 0.1;
  static constexpr std::uint64_t nudge_stream = 0x6e75646765;  // distinct from those of restarts

  /// The standard deviation of every feature over all samples.
  static Vector deviations_of(const std::vector<RowMatrix>& samples) {
    Index n = 0;
    for (const RowMatrix& own : samples) n += own.rows();
    RowMatrix all(n, samples.front().cols());
    Index first = 0;
    for (const RowMatrix& own : samples) {
      all.middleRows(first, own.rows()) = own;
      first += own.rows();
    }
    const Vector mean = all.colwise().mean().transpose();
    return (all.rowwise() - mean.transpose()).colwise().norm().transpose() /
           std::sqrt(static_cast<double>(n));
  }

  const TransportModel& model_;
  Execution execution_;
  std::vector<RowMatrix> samples_;
  std::vector<RowMatrix> nudged_;
  double worst_ = 0.0;
  std::string text_;
};

/// The reference or, for the reference itself, all other groups.
std::vector<std::size_t> targets_of(const TransportModel& model, const std::string& from) {
  const auto reference = to_size(model.coupling.reference);
  if (from != model.group_names[reference]) return {reference};
  std::vector<std::size_t> others;
  for (std::size_t g = 0; g < model.group_names.size(); ++g) {
    if (g != reference) others.push_back(g);
  }
  return others;
}

}  // namespace

void check_groups_of(const TransportModel& model, std::span<const Group> groups, Index least,
                     const char* function) {
  std::vector<bool> seen(model.group_names.size(), false);
  for (const Group& group : groups) {
    const auto place = to_size(model.group_index(group.name));
    require(!seen[place], function, ": group '", group.name, "' is given twice");
    seen[place] = true;
    const Index n_samples = group.samples.n_samples();
    require(n_samples >= least, function, ": group '", group.name, "' has ",
            counted(n_samples, "sample"), ", expected ", least,
            " or more; provide more held-out samples of this group");
    require(group.samples.n_features() == model.n_features(), function, ": group '", group.name,
            "' has ", counted(group.samples.n_features(), "feature"), ", the model has ",
            model.n_features());
    check_positive_weights_of(group, function);
    const Index n_effective = n_representatives(group);
    require(n_effective >= least, function, ": the sample_weights of group '", group.name,
            "' have an effective sample size of ", n_effective, ", expected ", least,
            " or more; provide more held-out samples of this group");
  }
}

Displacement displacement_of(const RowMatrix& samples, const RowMatrix& transported,
                             const Mixture& target) {
  Displacement moved;
  moved.n_samples = samples.rows();
  const auto n = static_cast<double>(samples.rows());
  const Vector displacements = (transported - samples).rowwise().norm();
  moved.rms = displacements.norm() / std::sqrt(n);
  moved.largest = displacements.maxCoeff();
  const Vector mean = samples.colwise().mean().transpose();
  const Vector radii = (samples.rowwise() - mean.transpose()).rowwise().norm();
  const double spread = radii.norm() / std::sqrt(n);
  const Extent there = extent_of(target);
  const double shift = (there.mean - mean).norm();
  moved.reach = shift + spread + there.spread;
  // if all samples are equal there is no ratio, and they may fill the target
  const double outermost = radii.maxCoeff();
  moved.farthest_reach =
      shift + outermost + there.spread * (spread > 0.0 ? outermost / spread : 1.0);
  return moved;
}

double excess_of(const Displacement& moved) {
  return std::max(moved.rms / moved.reach, moved.largest / (3.0 * moved.farthest_reach));
}

std::string displacement_text(const TransportModel& model, const MovedSamples& samples,
                              const Displacement& moved) {
  const MixtureOptions& options = model.mixture_options;
  const auto group = to_size(model.group_index(samples.from));
  const Index k = model.mixtures[group].n_components();
  const std::string target =
      samples.to.empty() ? std::string("the barycenter") : "'" + samples.to + "'";
  const std::string who = message(
      samples.nudged ? "New samples of '" : "Samples of '", samples.from,
      "' are moved too far in the transport to ", target, ": ",
      samples.nudged ? "a tenth of a standard deviation away from the training samples, " : "");
  return message(
      who, "the root mean square displacement is ", rounded(moved.rms), " and the largest ",
      rounded(moved.largest), ", where ", rounded(moved.reach), " and ",
      rounded(moved.farthest_reach),
      " would be in proportion to the distance and spread of the groups. The cause is components "
      "with almost no variance in some "
      "direction: increase relative_covariance_floor (",
      options.relative_covariance_floor, ") or covariance_floor (", options.covariance_floor, "), ",
      k > 1 ? message("set shrinkage to auto, or use fewer than ", counted(k, "component"))
            : std::string("or set shrinkage to auto"),
      ".");
}

Displacement displacement(const LocalMap& map, const Mixture& target, SampleView samples,
                          const Execution& execution) {
  check_mixture(target, "displacement", "target");
  const RowMatrix transported = transport(map, samples, execution);
  require(target.n_features() == samples.n_features(), "displacement: target has ",
          counted(target.n_features(), "feature"), ", the samples have ", samples.n_features());
  return displacement_of(copy_of(samples), transported, target);
}

std::optional<std::string> displacement_warning(const TransportModel& model,
                                                std::span<const Group> groups,
                                                std::span<const double> barycentric_weights,
                                                const Execution& execution) {
  check_model(model, "displacement_warning");
  if (groups.empty()) return std::nullopt;
  for (const Group& group : groups) {
    (void)model.group_index(group.name);
    check_shape(group.samples, "displacement_warning", "samples");
    require(group.samples.n_features() == model.n_features(), "displacement_warning: group '",
            group.name, "' has ", counted(group.samples.n_features(), "feature"),
            ", the model has ", model.n_features());
    check_positive_weights_of(group, "displacement_warning");
  }
  Watch watch(model, groups, execution);
  const bool to_barycenter = !barycentric_weights.empty();
  const Mixture target =
      to_barycenter ? barycenter_unchecked(model, barycentric_weights) : Mixture();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string& from = groups[i].name;
    if (n_representatives(groups[i]) < least_warned_of) continue;
    if (to_barycenter) {
      watch.look_at(i, from, "", map_to_barycenter_unchecked(model, from, barycentric_weights),
                    target);
      continue;
    }
    for (const std::size_t g : targets_of(model, from)) {
      const std::string& to = model.group_names[g];
      if (is_kept(model, from) || is_kept(model, to)) continue;
      watch.look_at(i, from, to, map_between_unchecked(model, from, to), model.mixtures[g]);
    }
  }
  return watch.warning();
}

}  // namespace lbw
