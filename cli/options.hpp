// SPDX-License-Identifier: MIT
// Options that commands share. Those of the library come from its own lists (lbw/options.hpp).
#pragma once

#include <lbw/fit_transport.hpp>
#include <lbw/table_io.hpp>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/group_numbers.hpp"

namespace lbw::cli {

struct CommonOptions {
  bool quiet = false;
  bool json = false;
  Execution execution;
};

/// --quiet, --json, --threads; `json_text` says what --json prints.
void add_common_options(Command& command, CommonOptions& options, const std::string& json_text);

/// --delimiter, --header, --no-header, --columns, --group-column; `group_text` explains the last.
void add_csv_options(Command& command, CsvOptions& options, const std::string& group_text);

/// --key, for commands whose draws depend on it.
void add_key_option(Command& command, CsvOptions& options);

/// All but --components, which commands have in forms of their own.
void add_mixture_options(Command& command, MixtureOptions& options);
/// All options of a transport model but those of its mixtures.
void add_transport_options(Command& command, TransportOptions& options);
/// Those of them that decide how components are coupled: --coupling, --cost, --map and
/// --scale-features.
void add_coupling_options(Command& command, TransportOptions& options);

/// --refine-weights .5,.5 or a=.5,b=.5; empty until given.
void add_refine_weights_option(Command& command, GroupNumbers<double>& weights);
/// --weights, likewise.
void add_weights_option(Command& command, GroupNumbers<double>& weights);

/// The weights themselves where they are given, else those that the model was refined for, else one
/// share for each group.
[[nodiscard]] std::vector<double> weights_or_default(const GroupNumbers<double>& weights,
                                                     const TransportModel& model);

}  // namespace lbw::cli
