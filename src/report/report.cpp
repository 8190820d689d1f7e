// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include "core/message.hpp"
#include "core/row_keys.hpp"
#include "core/weights.hpp"
#include "report/held_out.hpp"
#include "report/model_report.hpp"
#include "report/permutations.hpp"
#include "report/transported_samples.hpp"
#include "report/verdict.hpp"

namespace lbw {

namespace {

constexpr Index least_held_out = 10;

ReportOptions checked(ReportOptions options, Index n_groups) {
  check_execution(options.execution, "report");
  check_permutations(options.n_permutations, "report");
  require(options.most_samples >= least_held_out, "report: most_samples is ", options.most_samples,
          ", expected ", least_held_out, " or more");
  require(options.n_directions >= 1, "report: n_directions is ", options.n_directions,
          ", expected 1 or more");
  if (options.barycentric_weights.empty()) return options;
  options.barycentric_weights =
      normalized_weights(options.barycentric_weights, n_groups, "report", "barycentric_weights");
  return options;
}

}  // namespace

Report report(const TransportModel& model, std::span<const Group> held_out,
              const ReportOptions& options) {
  check_model(model, "report");
  const ReportOptions used = checked(options, model.n_groups());
  check_groups_of(model, held_out, least_held_out, "report");
  for (const Group& group : held_out) {
    check_samples(group.samples, "report", group.name.c_str(), options.execution);
    check_keys(group.keys, group.samples.n_samples(), "report", "keys of '" + group.name + "'");
  }
  Report result;
  result.components = component_reports(model);
  result.pairs = pair_reports(model, options.execution);
  if (!held_out.empty()) report_held_out(model, held_out, used, result);
  result.verdict = verdict_of(model, result);
  return result;
}

}  // namespace lbw
