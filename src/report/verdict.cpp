// SPDX-License-Identifier: MIT
#include "report/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "report/carried_samples.hpp"
#include "report/words.hpp"

namespace lbw {

namespace {

// What is worth a sentence.
constexpr double much_misplaced = 0.05;   // of the mass
constexpr double toss_up = 0.01;          // of what a pair of the matching costs
constexpr double near_singular = 1e5;     // condition of a covariance
constexpr double much_less_likely = 0.5;  // of mean log-likelihood, in nats
constexpr double least_samples_a_component = 10.0;
constexpr double samples_a_feature = 2.0;

class Verdict {
 public:
  Verdict(const TransportModel& model, const Report& report) : model_(model), report_(report) {}

  std::vector<Finding> findings() {
    if (!report_.carries.empty()) say_displacement();
    say_convergence();
    say_small_components();
    say_conditions();
    say_matching();
    say_toss_up();
    if (!report_.carries.empty()) {
      say_overfit();
      say_carried();
      say_likelihood();
    }
    if (!report_.separations.empty()) say_separation();
    const auto is_warning = [](const Finding& finding) { return finding.warning; };
    if (std::none_of(findings_.begin(), findings_.end(), is_warning)) say_praise();
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

  void say_praise() {
    note("Nothing to object to in ", report_.carries.empty() ? "the model" : "the model and ",
         report_.carries.empty() ? "" : "in what it does to the held-out samples", ".");
  }

  void say_convergence() {
    for (std::size_t g = 0; g < model_.reports.size(); ++g) {
      if (model_.reports[g].converged) continue;
      warn("The fit of '", model_.group_names[g], "' has not converged after ",
           model_.reports[g].iterations, " iterations: raise max_iterations (",
           model_.mixture_options.max_iterations, ") or tolerance (",
           model_.mixture_options.tolerance, ").");
    }
  }

  void say_small_components() {
    const bool is_full = model_.mixture_options.covariance_type == CovarianceType::full;
    const double d = is_full ? static_cast<double>(model_.n_features()) : 1.0;
    const double enough = std::max(least_samples_a_component, samples_a_feature * d);
    const ComponentReport* least = nullptr;
    Index n_small = 0;
    for (const ComponentReport& component : report_.components) {
      if (component.n_samples >= enough) continue;
      ++n_small;
      if (least == nullptr || component.n_samples < least->n_samples) least = &component;
    }
    if (least == nullptr) return;
    too_many_components_ = true;
    warn(n_small, " of ", report_.components.size(), " components rest on fewer than ",
         rounded(enough), " samples, component ", least->component, " of '", least->group, "' on ",
         rounded(least->n_samples), ": use fewer components", is_full ? ", or shrinkage" : "", ".");
  }

  void say_conditions() {
    const auto worst = std::max_element(report_.components.begin(), report_.components.end(),
                                        [](const ComponentReport& a, const ComponentReport& b) {
                                          return a.condition < b.condition;
                                        });
    if (worst->condition < near_singular) return;
    warn("Component ", worst->component, " of '", worst->group, "' has a covariance of condition ",
         rounded(worst->condition),
         ": a direction of next to no variance, or features of very different units. Standardize "
         "the features, or raise relative_covariance_floor (",
         model_.mixture_options.relative_covariance_floor, ").");
  }

  void say_matching() {
    const PairReport* worst = nullptr;
    for (const PairReport& pair : report_.pairs) {
      if (!pair.matching || !pair.matching->is_coupling) continue;
      if (worst == nullptr || pair.matching->misplaced_mass > worst->matching->misplaced_mass) {
        worst = &pair;
      }
    }
    if (worst == nullptr || worst->matching->misplaced_mass < much_misplaced) return;
    warn(
        "The matching takes ", percent(worst->matching->misplaced_mass), " of the mass of '",
        worst->first, "' elsewhere than '", worst->second,
        "' has it, which leaves a distance of up to ", rounded(worst->matching->remaining_distance),
        " of ", rounded(worst->mixture_distance),
        " even between mixtures that fit perfectly; a plan leaves none: use coupling plan, and map "
        "random.");
  }

  /// What the runner-up of a matching costs more, beside what a pair of it costs on average.
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
      note("Matched by way of '", reference(), "', the components of '", nearest->first, "' and '",
           nearest->second, "' are not matched best: another matching costs ",
           rounded(-nearest->matching->gap), " less of ", rounded(nearest->matching->total),
           ". Coupling multimarginal looks at all groups at once.");
    } else {
      note("Which components of '", nearest->first, "' and '", nearest->second,
           "' belong together is all but a toss-up: another matching costs ",
           rounded(nearest->matching->gap), " more, ", percent(relative_gap(*nearest)),
           " of what a pair costs. Coupling plan, cost bures or fewer components decide more "
           "clearly.");
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
         " The mixtures are ", rounded(worst->mixture_distance), " apart.");
  }

  /// Held-out samples are far less likely than those of the fit.
  void say_overfit() {
    for (std::size_t g = 0; g < model_.group_names.size(); ++g) {
      const auto found =
          std::find_if(report_.carries.begin(), report_.carries.end(),
                       [&](const CarryReport& carry) { return carry.to == model_.group_names[g]; });
      if (found == report_.carries.end()) continue;
      const double fitted = model_.reports[g].mean_log_likelihood;
      if (fitted - found->target_log_likelihood < much_less_likely) continue;
      too_many_components_ = true;
      warn("The mixture of '", model_.group_names[g],
           "' knows its own samples better than new ones: mean log-likelihood ", rounded(fitted),
           " in the fit, ", rounded(found->target_log_likelihood),
           " of held-out samples. Use fewer components, or shrinkage.");
    }
  }

  /// Of samples carried from group to group: the one that lies farthest from its target, in terms
  /// of what chance allows.
  void say_carried() {
    const CarryReport* worst = nullptr;
    const auto excess = [](const CarryReport& carry) {
      return carry.after->distance / carry.after->null.quantile;
    };
    for (const CarryReport& carry : report_.carries) {
      if (!carry.after || carry.after->null.n_permutations == 0) continue;
      if (worst == nullptr || excess(carry) > excess(*worst)) worst = &carry;
    }
    if (worst == nullptr) return;
    const SlicedDistance& after = *worst->after;
    const std::string figures =
        message(rounded(after.distance), " from those of '", worst->to, "' (sliced distance; ",
                rounded(worst->before->distance), " before), where chance gives up to ",
                rounded(after.null.quantile));
    if (after.distance <= after.null.quantile) {
      note("Carried samples lie on their targets, as far as can be told: those of '", worst->from,
           "' are ", figures, ".");
      return;
    }
    const double left = after.distance / worst->before->distance;
    const std::string way_out = " Try " + ways_closer() + ".";
    findings_.push_back({left > 0.25, message("Carried samples of '", worst->from, "' are ",
                                              figures, ".", left > 0.25 ? way_out : "")});
  }

  void say_likelihood() {
    const CarryReport* worst = nullptr;
    const auto loss = [](const CarryReport& carry) {
      return carry.target_log_likelihood - carry.log_likelihood;
    };
    for (const CarryReport& carry : report_.carries) {
      if (worst == nullptr || !(loss(carry) <= loss(*worst))) worst = &carry;
    }
    if (loss(*worst) < much_less_likely) return;
    const std::string target = worst->to.empty() ? "the barycenter" : "'" + worst->to + "'";
    warn("Carried samples of '", worst->from, "' are not what ", target,
         " is made of: mean log-likelihood ", rounded(worst->log_likelihood),
         " under its mixture, where its own have ", rounded(worst->target_log_likelihood),
         ". Some land where it has nothing: try ", ways_closer(), ".");
  }

  void say_separation() {
    const SeparationReport* worst = nullptr;
    for (const SeparationReport& pair : report_.separations) {
      if (worst == nullptr || pair.after.auc > worst->after.auc) worst = &pair;
    }
    const Separation& after = worst->after;
    const std::string figures = message(
        "At the barycenter a classifier tells '", worst->first, "' from '", worst->second,
        "' with an AUC of ", rounded(after.auc), " (", rounded(worst->before.auc), " before",
        after.null.n_permutations > 0
            ? message("; chance gives up to ", rounded(after.null.quantile))
            : std::string(),
        ")");
    const double chance = after.null.n_permutations > 0 ? after.null.quantile : 0.5;
    if (after.auc <= chance) {
      note(figures, ": no better than chance.");
    } else if (after.auc - 0.5 > 0.25 * (worst->before.auc - 0.5)) {
      const bool refined = !model_.refinement.empty();
      warn(figures, ". To bring groups closer, try ", refined ? "more steps of " : "",
           "refine, or ", ways_closer(), ".");
    } else {
      note(figures, ".");
    }
  }

  /// What may take carried samples closer to their target.
  [[nodiscard]] std::string ways_closer() const {
    std::vector<std::string> ways;
    if (model_.coupling.method == CouplingMethod::matching) ways.emplace_back("coupling plan");
    if (model_.map != MapKind::random) ways.emplace_back("map random");
    ways.emplace_back(too_many_components_ ? "fewer components" : "more components");
    std::string text = ways.front();
    for (std::size_t i = 1; i < ways.size(); ++i) {
      text += (i + 1 == ways.size() ? " or " : ", ") + ways[i];
    }
    return text;
  }

  [[nodiscard]] const std::string& reference() const {
    return model_.group_names[static_cast<std::size_t>(model_.coupling.reference)];
  }

  const TransportModel& model_;
  const Report& report_;
  std::vector<Finding> findings_;
  bool too_many_components_ = false;  // for their samples: no more of them are advised then
};

}  // namespace

std::vector<Finding> verdict_of(const TransportModel& model, const Report& report) {
  return Verdict(model, report).findings();
}

}  // namespace lbw
