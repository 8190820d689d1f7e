// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <string_view>

namespace lbw {

/// How a row is transported whose group was not in the fit.
enum class UnknownGroup {
  error,   ///< it is refused
  ignore,  ///< it stays where it is
  /// It goes to the mean of where the maps of all groups send it, weighted by group_probabilities.
  barycenter,
};

/// "error", "ignore" or "barycenter".
[[nodiscard]] std::string_view to_string(UnknownGroup choice);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] UnknownGroup unknown_group_from(std::string_view name);

/// (n_samples, n_groups): the probability that a sample came from a group if all groups are equally
/// likely beforehand, by the densities of their mixtures. Rows sum to 1. A sample so far out that
/// its density vanishes in every group has equal probabilities.
[[nodiscard]] RowMatrix group_probabilities(const TransportModel& model, SampleView samples,
                                            const Execution& execution = {});

/// What the labels of a column of groups look like.
enum class LabelKind { text, whole_numbers, fractions };

/// The largest number of distinct labels that n_rows rows may have. More are taken for a mistake,
/// such as a continuous column given for the groups, whose fit would take as many mixtures.
///
/// Up to 20 always pass. Text may have one label per 10 rows: with fewer rows each, groups cannot
/// be learned. Numbers are more often a measurement, so whole ones may have sqrt(n_rows) labels,
/// no more than an average group has rows, and numbers with fractions 20.
[[nodiscard]] Index max_groups(LabelKind kind, Index n_rows);

}  // namespace lbw
