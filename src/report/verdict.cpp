// SPDX-License-Identifier: MIT
#include "report/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/moment_sums.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "report/held_out.hpp"
#include "report/model_report.hpp"
#include "report/noise.hpp"
#include "report/transported_samples.hpp"
#include "report/words.hpp"

namespace lbw {

namespace {

// Thresholds of the findings.
constexpr double much_misplaced = 0.05;   // of the mass
constexpr double toss_up = 0.01;          // of the average cost of a matched pair
constexpr double near_singular = 1e5;     // condition number of a covariance
constexpr double much_less_likely = 0.5;  // of mean log-likelihood, in nats
constexpr double least_samples_a_component = 10.0;
constexpr double samples_a_feature = 2.0;

class Verdict {
 public:
  Verdict(const TransportModel& model, const Report& report) : model_(model), report_(report) {}

  std::vector<Finding> findings() {
    if (!report_.carries.empty()) say_displacement();
    say_convergence();
    for (const std::string& text : warnings_of_fit(model_)) warn(text);
    say_small_components();
    say_conditions();
    say_matching();
    say_toss_up();
    if (!report_.carries.empty()) {
      say_overfit();
      say_transported();
      say_likelihood();
    }
    if (!report_.separations.empty()) {
      say_separation();
    } else if (!report_.carries.empty()) {
      note(
          "The samples belong to a single group, so transported samples were not compared with "
          "those of another group.");
    }
    const auto is_warning = [](const Finding& finding) { return finding.warning; };
    if (std::none_of(findings_.begin(), findings_.end(), is_warning)) note("No problems found.");
    std::stable_partition(findings_.begin(), findings_.end(), is_warning);
    return findings_;
  }

 private:
  template <typename... Parts>
  void warn(const Parts&... parts) {
    findings_.push_back({true, message(parts...)});
  }

  template <typename... Parts>
  void note(const Parts&... parts) {
    findings_.push_back({false, message(parts...)});
  }

  void say_convergence() {
    for (std::size_t g = 0; g < model_.reports.size(); ++g) {
      if (model_.reports[g].converged) continue;
      warn("The fit of '", model_.group_names[g], "' did not converge in ",
           counted(model_.reports[g].iterations, "iteration"), ": increase max_iterations (",
           model_.mixture_options.max_iterations, ") or tolerance (",
           model_.mixture_options.tolerance, ").");
    }
  }

  void say_small_components() {
    const CovarianceLayout& layout = layout_of(model_.mixture_options.covariance_type);
    const bool is_full = layout.has_matrices() && !layout.is_shared;
    const double d = is_full ? static_cast<double>(model_.n_features()) : 1.0;
    const double enough = std::max(least_samples_a_component, samples_a_feature * d);
    const ComponentReport* least = nullptr;
    Index n_small = 0;
    for (const ComponentReport& component : report_.components) {
      if (component.n_samples >= enough || n_fitted(component.group) == 0) continue;
      ++n_small;
      if (least == nullptr || component.n_samples < least->n_samples) least = &component;
    }
    if (least == nullptr) return;
    too_many_components_ = true;
    warn(n_small, " of ", counted(report_.components.size(), "component"),
         n_small == 1 ? " has" : " have", " fewer than ", rounded(enough), " samples; component ",
         least->component, " of '", least->group, "' has ", rounded(least->n_samples), ". ",
         has_several_components() ? "Use fewer components" : "Provide more samples",
         is_full ? ", or set shrinkage to auto" : "", ".");
  }

  void say_conditions() {
    const auto worst = std::max_element(report_.components.begin(), report_.components.end(),
                                        [](const ComponentReport& a, const ComponentReport& b) {
                                          return a.condition < b.condition;
                                        });
    if (worst->condition < near_singular) return;
    warn("The covariance of component ", worst->component, " of '", worst->group,
         "' has condition number ", rounded(worst->condition),
         ": it has a direction of almost no variance, or features of very different units. "
         "Standardize the features, or increase relative_covariance_floor (",
         model_.mixture_options.relative_covariance_floor, ").");
  }

  /// More than 5 % of the mass in addition to the difference that sampling noise explains.
  [[nodiscard]] bool misplaces_much(const PairReport& pair) const {
    if (!pair.matching || !pair.matching->is_coupling) return false;
    const std::size_t a = index_of(pair.first);
    const std::size_t b = index_of(pair.second);
    const Vector there = model_.mixtures[b].weights(pair.matching->matching);
    const double limit =
        misplaced_mass_limit(model_.mixtures[a].weights, there, n_fitted(pair.first),
                             n_fitted(pair.second), deviations_);
    return pair.matching->misplaced_mass >= std::hypot(much_misplaced, limit);
  }

  void say_matching() {
    const PairReport* worst = nullptr;
    for (const PairReport& pair : report_.pairs) {
      if (!misplaces_much(pair)) continue;
      if (worst == nullptr || pair.matching->misplaced_mass > worst->matching->misplaced_mass) {
        worst = &pair;
      }
    }
    if (worst == nullptr) return;
    warn("The matching moves ", percent(worst->matching->misplaced_mass), " of the mass of '",
         worst->first, "' to where '", worst->second,
         "' has none, which leaves a distance of up to ",
         rounded(worst->matching->remaining_distance), " of ", rounded(worst->mixture_distance),
         ", even if the mixtures fit perfectly. A plan has no such error: set coupling to plan and "
         "map to random.");
  }

  /// The additional cost of the runner-up, relative to the average cost of a pair.
  static double relative_gap(const PairReport& pair) {
    const auto k = static_cast<double>(pair.matching->matching.size());
    return pair.matching->gap * k / pair.matching->total;
  }

  void say_toss_up() {
    const PairReport* nearest = nullptr;
    for (const PairReport& pair : report_.pairs) {
      if (!pair.matching || !pair.matching->is_coupling || !(pair.matching->total > 0.0)) continue;
      if (nearest == nullptr || relative_gap(pair) < relative_gap(*nearest)) nearest = &pair;
    }
    if (nearest == nullptr || relative_gap(*nearest) >= toss_up) return;
    if (nearest->matching->gap < 0.0) {
      note("Matched through the reference '", reference(), "', the components of '", nearest->first,
           "' and '", nearest->second, "' are not matched optimally: another matching costs ",
           rounded(-nearest->matching->gap), " less than the current cost of ",
           rounded(nearest->matching->total),
           ". To couple all groups at once, set coupling to multimarginal.");
    } else {
      note(
          "Two matchings of the components of '", nearest->first, "' and '", nearest->second,
          "' cost nearly the same: the second best costs ", rounded(nearest->matching->gap),
          " more, ", percent(relative_gap(*nearest)),
          " of the average cost of a pair. The choice is clearer with coupling=plan, cost=bures or "
          "fewer components.");
    }
  }

  void say_displacement() {
    const CarryReport* worst = nullptr;
    for (const CarryReport& carry : report_.carries) {
      if (!carry.displacement.out_of_proportion()) continue;
      if (worst == nullptr || excess_of(carry.displacement) > excess_of(worst->displacement))
        worst = &carry;
    }
    if (worst == nullptr) return;
    too_many_components_ = true;
    warn(displacement_text(model_, {worst->from, worst->to}, worst->displacement),
         " The distance of the mixtures is ", rounded(worst->mixture_distance), ".");
  }

  /// Reports a mixture under which held-out samples are much less likely than training samples.
  void say_overfit() {
    for (std::size_t g = 0; g < model_.group_names.size(); ++g) {
      const std::string& name = model_.group_names[g];
      const auto found = std::find_if(report_.carries.begin(), report_.carries.end(),
                                      [&](const CarryReport& carry) { return carry.to == name; });
      if (found == report_.carries.end() || n_fitted(name) == 0) continue;
      const double fitted = model_.reports[g].mean_log_likelihood;
      const double noise = likelihood_noise(*found, n_fitted(name));
      if (fitted - found->target_log_likelihood < much_less_likely + noise) continue;
      too_many_components_ = true;
      warn("The mixture of '", name,
           "' fits its own samples better than new ones: the mean log-likelihood is ",
           rounded(fitted), " in the fit and ", rounded(found->target_log_likelihood),
           " on held-out samples. ",
           has_several_components() ? "Use fewer components" : "Provide more samples",
           ", or set shrinkage to auto.");
    }
  }

  /// How far noise may lower the mean log-likelihood of n_samples samples of a target below that of
  /// its held-out samples.
  [[nodiscard]] double likelihood_noise(const CarryReport& carry, double n_samples) const {
    return deviations_ * carry.target_log_likelihood_deviation *
           std::sqrt(1.0 / n_samples + 1.0 / static_cast<double>(carry.n_target_samples));
  }

  /// Reports the transported samples that are farthest from their target relative to noise, with
  /// preference for those that remain far from it.
  void say_transported() {
    const CarryReport* worst = nullptr;
    const auto excess = [](const CarryReport& carry) {
      return std::pair(left_over(carry), carry.after->distance / *carry.after_limit);
    };
    for (const CarryReport& carry : report_.carries) {
      if (!carry.after || !carry.after_limit) continue;
      if (worst == nullptr || excess(carry) > excess(*worst)) worst = &carry;
    }
    if (worst == nullptr) return;
    const std::string figures =
        message(rounded(worst->after->distance), " from those of '", worst->to,
                "' (sliced distance; ", rounded(worst->before->distance), " before)");
    const std::string limit = rounded(*worst->after_limit);
    if (worst->after->distance <= *worst->after_limit) {
      note("Transported samples agree with their targets: those of '", worst->from, "' are ",
           figures, ", and sampling noise explains up to ", limit, ".");
      return;
    }
    const std::string text = message("Transported samples of '", worst->from, "' are ", figures,
                                     ", where sampling noise explains up to ", limit, ".");
    if (left_over(*worst)) {
      warn(text, " Try ", advice(), ".");
    } else {
      note(text);
    }
  }

  /// More than noise explains, and more than a quarter of the distance before.
  static bool left_over(const CarryReport& carry) {
    return carry.after->distance > *carry.after_limit &&
           carry.after->distance > much_left * carry.before->distance;
  }

  void say_likelihood() {
    const CarryReport* worst = nullptr;
    const auto loss = [this](const CarryReport& carry) {
      return carry.target_log_likelihood - carry.log_likelihood -
             likelihood_noise(carry, static_cast<double>(carry.displacement.n_samples));
    };
    for (const CarryReport& carry : report_.carries) {
      if (worst == nullptr || !(loss(carry) <= loss(*worst))) worst = &carry;
    }
    if (loss(*worst) < much_less_likely) return;
    const std::string target = worst->to.empty() ? "the barycenter" : "'" + worst->to + "'";
    warn("Transported samples of '", worst->from, "' are unlikely under ", target,
         ": their mean log-likelihood is ", rounded(worst->log_likelihood),
         ", that of its own samples ", rounded(worst->target_log_likelihood),
         ". Some are moved to where it has no mass: try ", advice(), ".");
  }

  void say_separation() {
    const SeparationReport* worst = nullptr;
    const auto excess = [](const SeparationReport& pair) {
      return std::pair(still_separated(pair), pair.after.auc - pair.auc_limit);
    };
    for (const SeparationReport& pair : report_.separations) {
      if (worst == nullptr || excess(pair) > excess(*worst)) worst = &pair;
    }
    const std::string figures = message(
        "At the barycenter, a classifier separates '", worst->first, "' from '", worst->second,
        "' with an AUC of ", rounded(worst->after.auc), " (", rounded(worst->before.auc),
        " before), where sampling noise explains up to ", rounded(worst->auc_limit), ".");
    if (still_separated(*worst)) {
      if (worst->after.n_neighbors == few_neighbors && model_.dither.size() == 0) {
        warn(figures,
             " The groups differ on a fine scale, for example because discrete values are moved to "
             "different places in each group: set dither to auto.");
        return;
      }
      const bool refined = !model_.refinement.empty();
      warn(figures, " To reduce the difference, try ", refined ? "more" : "some",
           " refinement steps (refine), or ", advice(), ".");
    } else {
      note(figures);
    }
  }

  /// Advice to bring transported samples closer to their target.
  [[nodiscard]] std::string advice() const {
    std::vector<std::string> changes;
    if (model_.coupling.method == CouplingMethod::matching) changes.emplace_back("coupling=plan");
    if (model_.map != MapKind::random) changes.emplace_back("map=random");
    changes.emplace_back(!too_many_components_      ? "more components"
                         : has_several_components() ? "fewer components"
                                                    : "more samples");
    std::string text = changes.front();
    for (std::size_t i = 1; i < changes.size(); ++i) {
      text += (i + 1 == changes.size() ? " or " : ", ") + changes[i];
    }
    return text;
  }

  /// Whether a group has more than one component, so that fewer are possible.
  [[nodiscard]] bool has_several_components() const {
    return report_.components.size() > model_.group_names.size();
  }

  [[nodiscard]] std::size_t index_of(const std::string& group) const {
    return to_size(model_.group_index(group));
  }

  /// The number of training samples of a group; 0 if it was not fitted.
  [[nodiscard]] double n_fitted(const std::string& group) const {
    return model_.reports[index_of(group)].count();
  }

  [[nodiscard]] const std::string& reference() const {
    return at(model_.group_names, model_.coupling.reference);
  }

  const TransportModel& model_;
  const Report& report_;
  double deviations_ = critical_deviations(model_.n_groups()).other;  // that noise explains
  std::vector<Finding> findings_;
  bool too_many_components_ = false;  // if true, more components are not advised
};

}  // namespace

std::vector<Finding> verdict_of(const TransportModel& model, const Report& report) {
  return Verdict(model, report).findings();
}

}  // namespace lbw
