// SPDX-License-Identifier: MIT
#include "cli/fit_progress.hpp"

#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

/// The state of the line between two steps.
class FitLine {
 public:
  FitLine(std::span<const Group> groups, const TransportOptions& options, bool quiet)
      : progress_(quiet),
        groups_(groups),
        n_init_(options.mixture.n_init),
        refine_(options.refine) {}

  void show(std::string_view group, const FitProgress& step) {
    const std::string count = to_text(step.iteration);
    const std::string work = step.starting ? ", k-means step " + count
                                           : ", step " + count + ", log-likelihood " +
                                                 fixed(step.mean_log_likelihood, 6) +
                                                 change_text(group, step);
    const std::string start =
        to_text(step.restart + 1) + (n_init_ > 1 ? " of " + to_text(n_init_) : "");
    progress_.show("fitting '" + std::string(group) + "': start " + start +
                       (step.subsample ? " on a subsample" : "") + work,
                   fraction_of(group, step));
  }

  void show_refinement(int n_done) {
    if (n_done == 1) progress_.restart();
    progress_.show("refining: step " + to_text(n_done) + " of " + to_text(refine_),
                   static_cast<double>(n_done) / refine_);
  }

 private:
  /// The number of iterations is unknown, so only finished starts count.
  [[nodiscard]] std::optional<double> fraction_of(std::string_view group,
                                                  const FitProgress& step) const {
    if (n_init_ == 1) return std::nullopt;
    std::size_t place = 0;
    while (place < groups_.size() && groups_[place].name != group) ++place;
    const double n_done = static_cast<double>(place) * n_init_ + step.restart;
    return n_done / (static_cast<double>(groups_.size()) * n_init_);
  }

  /// ", change 1.2e-04" since the last step of the same start.
  std::string change_text(std::string_view group, const FitProgress& step) {
    FitProgress& last = last_[std::string(group)];  // groups may be fitted in parallel
    const bool follows = step.restart == last.restart && step.subsample == last.subsample &&
                         last.iteration > 0 && step.iteration == last.iteration + 1;
    const double change = step.mean_log_likelihood - last.mean_log_likelihood;
    last = step;
    if (!follows) return "";
    char text[32];
    std::snprintf(text, sizeof(text), ", change %.1e", change);
    return text;
  }

  Progress progress_;
  std::span<const Group> groups_;
  int n_init_;
  int refine_;
  std::map<std::string, FitProgress> last_;  // EM step of each group
};

}  // namespace

TransportModel fit_with_progress(std::span<const Group> groups, TransportOptions options,
                                 bool quiet) {
  FitLine line(groups, options, quiet);
  options.on_iteration = [&line](std::string_view group, const FitProgress& step) {
    line.show(group, step);
  };
  options.on_refinement = [&line](int n_done) { line.show_refinement(n_done); };
  const EndAtOnce computing("nothing was written", !quiet);
  return fit_transport(groups, options);
}

}  // namespace lbw::cli
