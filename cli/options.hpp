// SPDX-License-Identifier: MIT
// Options shared by several commands. Library options come from its lists (lbw/options.hpp).
#pragma once

#include <lbw/fit_transport.hpp>
#include <lbw/io.hpp>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/group_numbers.hpp"

namespace lbw {

namespace cli {

/// What becomes of columns that are neither features nor the group.
enum class OtherColumns { all, none };

}  // namespace cli

template <>
struct EnumNames<cli::OtherColumns> {
  static constexpr std::string_view option = "keep";
  static constexpr NamedValue<cli::OtherColumns> values[] = {{cli::OtherColumns::all, "all"},
                                                             {cli::OtherColumns::none, "none"}};
};

}  // namespace lbw

namespace lbw::cli {

struct CommonOptions {
  bool quiet = false;
  bool json = false;
  Execution execution;
};

/// Adds --quiet, --json and --threads; `json_text` is the help of --json.
void add_common_options(Command& command, CommonOptions& options, const std::string& json_text);

/// Adds --delimiter and --decimal with these help texts.
void add_notation_options(Command& command, CsvOptions& options, const std::string& delimiter_text,
                          const std::string& decimal_text);
/// Adds an option with a list of columns, separated by commas.
void add_columns_option(Command& command, const HelpEntry& entry,
                        std::vector<std::string>& columns);

/// Adds --delimiter, --decimal, --missing, --header and --no-header.
void add_table_options(Command& command, CsvOptions& options);
/// Adds the same, --columns and --group-column, with `group_text` as help of the last.
void add_csv_options(Command& command, CsvOptions& options, const std::string& group_text);

/// A name such as in name=path would be ignored if a column contains the groups.
/// @throws UsageError
void check_names_of_files(const std::vector<std::string>& files, const CsvOptions& options);

/// Adds --key, for commands with random draws.
void add_key_option(Command& command, CsvOptions& options);

/// Adds --weight-column, for commands that fit or evaluate.
void add_weight_option(Command& command, CsvOptions& options);

/// Adds all mixture options except --components, which differs between commands.
void add_mixture_options(Command& command, MixtureOptions& options);
/// Adds all options of a transport model except those of its mixtures.
void add_transport_options(Command& command, TransportOptions& options);
/// Adds the options of the coupling: --coupling, --cost, --map and --scale-features.
void add_coupling_options(Command& command, TransportOptions& options);

/// Adds --refine-weights .5,.5 or a=.5,b=.5; empty by default.
void add_refine_weights_option(Command& command, GroupNumbers<double>& weights);
/// Adds --weights, in the same format.
void add_weights_option(Command& command, GroupNumbers<double>& weights);

/// The given weights, or those of the model's refinement or repair, or equal weights.
[[nodiscard]] std::vector<double> weights_or_default(const GroupNumbers<double>& weights,
                                                     const TransportModel& model);

}  // namespace lbw::cli
