// SPDX-License-Identifier: MIT
#include <functional>
#include <lbw/report.hpp>
#include <optional>

namespace lbw {

namespace {

constexpr bool not_printed = false;

ReportCell cell_of(bool value) { return value; }
ReportCell cell_of(int value) { return Index{value}; }
ReportCell cell_of(Index value) { return value; }
ReportCell cell_of(double value) { return value; }
ReportCell cell_of(const std::string& value) { return value; }
ReportCell cell_of(const Labels& values) { return std::vector<int>(values.begin(), values.end()); }
ReportCell cell_of(const std::optional<double>& value) {
  return value ? ReportCell(*value) : ReportCell();
}

template <typename T>
const T* present(const T& value) {
  return &value;
}
template <typename T>
const T* present(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}
/// A null distribution without permutations tells nothing.
const PermutationNull* present(const PermutationNull& null) {
  return null.n_permutations > 0 ? &null : nullptr;
}

/// Follows members of members. The cell is empty if one of them is not there.
template <auto member, auto... rest>
ReportCell follow(const auto& holder) {
  const auto* found = present(holder);
  if (found == nullptr) return {};
  if constexpr (sizeof...(rest) == 0) {
    return cell_of(std::invoke(member, *found));
  } else {
    return follow<rest...>(std::invoke(member, *found));
  }
}

template <typename Member>
struct HolderOf;
template <typename Value, typename Holder>
struct HolderOf<Value Holder::*> {
  using Type = Holder;
};

/// The cell of the member of a row that this chain of members leads to.
template <auto member, auto... rest>
ReportCell cell(const typename HolderOf<decltype(member)>::Type& row) {
  return follow<member, rest...>(row);
}

using Component = ComponentReport;
constexpr ReportColumn<Component> component_columns[] = {
    {"group", ColumnType::group, cell<&Component::group>},
    {"component", ColumnType::integer, cell<&Component::component>},
    {"mass", ColumnType::number, cell<&Component::mass>},
    {"n_samples", ColumnType::number, cell<&Component::n_samples>},
    {"condition", ColumnType::number, cell<&Component::condition>},
};

template <auto member>
constexpr auto of_matching = cell<&PairReport::matching, member>;

constexpr ReportColumn<PairReport> pair_columns[] = {
    {"first", ColumnType::group, cell<&PairReport::first>},
    {"second", ColumnType::group, cell<&PairReport::second>},
    {"mixture_distance", ColumnType::number, cell<&PairReport::mixture_distance>},
    {"coupling_cost", ColumnType::number, cell<&PairReport::coupling_cost>},
    {"plan_cost", ColumnType::number, cell<&PairReport::plan_cost>},
    {"matching_cost", ColumnType::number, of_matching<&MatchingReport::cost>},
    {"misplaced_mass", ColumnType::number, of_matching<&MatchingReport::misplaced_mass>},
    {"remaining_distance", ColumnType::number, of_matching<&MatchingReport::remaining_distance>},
    {"matching_total", ColumnType::number, of_matching<&MatchingReport::total>, not_printed},
    {"runner_up_gap", ColumnType::number, of_matching<&MatchingReport::gap>},
    {"is_coupling", ColumnType::boolean, of_matching<&MatchingReport::is_coupling>, not_printed},
    {"matching", ColumnType::integers, of_matching<&MatchingReport::matching>, not_printed},
};

template <auto member>
constexpr auto of_displacement = cell<&CarryReport::displacement, member>;
template <auto member>
constexpr auto of_carried_null = cell<&CarryReport::after, &SlicedDistance::null, member>;

ReportCell target_of(const CarryReport& row) {
  return row.to.empty() ? ReportCell() : ReportCell(row.to);
}

constexpr ReportColumn<CarryReport> carry_columns[] = {
    {"from", ColumnType::group, cell<&CarryReport::from>},
    {"to", ColumnType::group, target_of},
    {"n_samples", ColumnType::integer, of_displacement<&Displacement::n_samples>, not_printed},
    {"mixture_distance", ColumnType::number, cell<&CarryReport::mixture_distance>},
    {"rms_displacement", ColumnType::number, of_displacement<&Displacement::rms>},
    {"largest_displacement", ColumnType::number, of_displacement<&Displacement::largest>},
    {"reach", ColumnType::number, of_displacement<&Displacement::reach>, not_printed},
    {"farthest_reach", ColumnType::number, of_displacement<&Displacement::farthest_reach>,
     not_printed},
    {"out_of_proportion", ColumnType::boolean, of_displacement<&Displacement::out_of_proportion>,
     not_printed},
    {"log_likelihood", ColumnType::number, cell<&CarryReport::log_likelihood>},
    {"target_log_likelihood", ColumnType::number, cell<&CarryReport::target_log_likelihood>},
    {"target_log_likelihood_deviation", ColumnType::number,
     cell<&CarryReport::target_log_likelihood_deviation>, not_printed},
    {"n_target_samples", ColumnType::integer, cell<&CarryReport::n_target_samples>, not_printed},
    {"sliced_before", ColumnType::number, cell<&CarryReport::before, &SlicedDistance::distance>},
    {"sliced_after", ColumnType::number, cell<&CarryReport::after, &SlicedDistance::distance>},
    {"sliced_after_null_mean", ColumnType::number, of_carried_null<&PermutationNull::mean>,
     not_printed},
    {"sliced_after_null_quantile", ColumnType::number, of_carried_null<&PermutationNull::quantile>,
     not_printed},
    {"sliced_after_null_deviation", ColumnType::number,
     of_carried_null<&PermutationNull::deviation>, not_printed},
    {"sliced_after_p_value", ColumnType::number, of_carried_null<&PermutationNull::p_value>,
     not_printed},
    {"sliced_after_limit", ColumnType::number, cell<&CarryReport::after_limit>},
};

template <auto member>
constexpr auto of_auc_null = cell<&SeparationReport::after, &Separation::null, member>;
template <auto member>
constexpr auto of_sliced_null =
    cell<&SeparationReport::distance_after, &SlicedDistance::null, member>;

constexpr ReportColumn<SeparationReport> separation_columns[] = {
    {"first", ColumnType::group, cell<&SeparationReport::first>},
    {"second", ColumnType::group, cell<&SeparationReport::second>},
    {"n_neighbors", ColumnType::integer, cell<&SeparationReport::after, &Separation::n_neighbors>,
     not_printed},
    {"auc_before", ColumnType::number, cell<&SeparationReport::before, &Separation::auc>},
    {"auc_after", ColumnType::number, cell<&SeparationReport::after, &Separation::auc>},
    {"auc_after_null_mean", ColumnType::number, of_auc_null<&PermutationNull::mean>, not_printed},
    {"auc_after_null_quantile", ColumnType::number, of_auc_null<&PermutationNull::quantile>,
     not_printed},
    {"auc_after_null_deviation", ColumnType::number, of_auc_null<&PermutationNull::deviation>,
     not_printed},
    {"auc_after_p_value", ColumnType::number, of_auc_null<&PermutationNull::p_value>, not_printed},
    {"auc_after_limit", ColumnType::number, cell<&SeparationReport::auc_limit>},
    {"sliced_before", ColumnType::number,
     cell<&SeparationReport::distance_before, &SlicedDistance::distance>},
    {"sliced_after", ColumnType::number,
     cell<&SeparationReport::distance_after, &SlicedDistance::distance>},
    {"sliced_after_null_mean", ColumnType::number, of_sliced_null<&PermutationNull::mean>,
     not_printed},
    {"sliced_after_null_quantile", ColumnType::number, of_sliced_null<&PermutationNull::quantile>,
     not_printed},
    {"sliced_after_null_deviation", ColumnType::number, of_sliced_null<&PermutationNull::deviation>,
     not_printed},
    {"sliced_after_p_value", ColumnType::number, of_sliced_null<&PermutationNull::p_value>,
     not_printed},
    {"sliced_after_limit", ColumnType::number, cell<&SeparationReport::distance_limit>},
};

constexpr ReportColumn<Finding> finding_columns[] = {
    {"warning", ColumnType::boolean, cell<&Finding::warning>},
    {"text", ColumnType::text, cell<&Finding::text>},
};

}  // namespace

template <>
std::span<const ReportColumn<ComponentReport>> report_columns() {
  return component_columns;
}

template <>
std::span<const ReportColumn<PairReport>> report_columns() {
  return pair_columns;
}

template <>
std::span<const ReportColumn<CarryReport>> report_columns() {
  return carry_columns;
}

template <>
std::span<const ReportColumn<SeparationReport>> report_columns() {
  return separation_columns;
}

template <>
std::span<const ReportColumn<Finding>> report_columns() {
  return finding_columns;
}

}  // namespace lbw
