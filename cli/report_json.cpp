// SPDX-License-Identifier: MIT
#include "cli/report_json.hpp"

namespace lbw::cli {

namespace {

Json to_json(const ComponentReport& component) {
  return {{"group", component.group},
          {"component", component.component},
          {"mass", component.mass},
          {"n_samples", component.n_samples},
          {"condition", component.condition}};
}

Json to_json(const std::optional<MatchingReport>& matching) {
  if (!matching) return nullptr;
  return {{"is_coupling", matching->is_coupling},
          {"matching", std::vector<int>(matching->matching.begin(), matching->matching.end())},
          {"misplaced_mass", matching->misplaced_mass},
          {"remaining_distance", matching->remaining_distance},
          {"cost", matching->cost},
          {"total", matching->total},
          {"gap", matching->gap}};
}

/// The mass that the model itself misplaces: 0 unless it uses a matching.
double misplaced_mass_of(const PairReport& pair) {
  return pair.matching && pair.matching->is_coupling ? pair.matching->misplaced_mass : 0.0;
}

Json to_json(const PairReport& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"mixture_distance", pair.mixture_distance},
          {"misplaced_mass", misplaced_mass_of(pair)},
          {"coupling_cost", pair.coupling_cost},
          {"plan_cost", pair.plan_cost},
          {"matching", to_json(pair.matching)}};
}

Json to_json(const PermutationNull& null) {
  if (null.n_permutations == 0) return nullptr;
  return {{"n_permutations", null.n_permutations},
          {"mean", null.mean},
          {"quantile", null.quantile},
          {"deviation", null.deviation},
          {"p_value", null.p_value}};
}

Json to_json(const SlicedDistance& sliced) {
  return {{"distance", sliced.distance}, {"null", to_json(sliced.null)}};
}

Json to_json(const std::optional<SlicedDistance>& sliced) {
  return sliced ? to_json(*sliced) : Json(nullptr);
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const Displacement& moved) {
  return {{"n_samples", moved.n_samples},
          {"rms", moved.rms},
          {"largest", moved.largest},
          {"reach", moved.reach},
          {"farthest_reach", moved.farthest_reach},
          {"out_of_proportion", moved.out_of_proportion()}};
}

Json to_json(const CarryReport& carry) {
  return {{"from", carry.from},
          {"to", carry.to.empty() ? Json(nullptr) : Json(carry.to)},
          {"mixture_distance", carry.mixture_distance},
          {"displacement", to_json(carry.displacement)},
          {"log_likelihood", carry.log_likelihood},
          {"target_log_likelihood", carry.target_log_likelihood},
          {"target_log_likelihood_deviation", carry.target_log_likelihood_deviation},
          {"n_target_samples", carry.n_target_samples},
          {"sliced_before", to_json(carry.before)},
          {"sliced_after", to_json(carry.after)},
          {"sliced_after_limit", or_null(carry.after_limit)}};
}

Json to_json(const Separation& separation) {
  return {{"auc", separation.auc},
          {"n_neighbors", separation.n_neighbors},
          {"null", to_json(separation.null)}};
}

Json to_json(const SeparationReport& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"sliced_before", to_json(pair.distance_before)},
          {"sliced_after", to_json(pair.distance_after)},
          {"sliced_after_limit", or_null(pair.distance_limit)},
          {"before", to_json(pair.before)},
          {"after", to_json(pair.after)},
          {"auc_after_limit", pair.auc_limit}};
}

Json to_json(const Finding& finding) {
  return {{"warning", finding.warning}, {"text", finding.text}};
}

template <typename Row>
Json list_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  return list;
}

}  // namespace

void add_report(const Report& report, Json& json) {
  json["components"] = list_of(report.components);
  json["pairs"] = list_of(report.pairs);
  if (!report.carries.empty()) {
    json["held_out"] = {{"barycentric_weights", report.barycentric_weights},
                        {"carries", list_of(report.carries)},
                        {"separations", list_of(report.separations)}};
  }
  json["verdict"] = list_of(report.verdict);
}

}  // namespace lbw::cli
