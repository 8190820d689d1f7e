// SPDX-License-Identifier: MIT
// Options that verbs share. Defaults come from the structs of the library and are shown in --help.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <lbw/csv.hpp>
#include <lbw/transport.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/group_numbers.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

/// A command line that cannot be meant: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a number must fulfil; shown in messages.
template <typename Number>
struct Bounds {
  Number least = std::numeric_limits<Number>::lowest();
  Number most = std::numeric_limits<Number>::max();

  [[nodiscard]] bool hold(Number value) const { return value >= least && value <= most; }

  [[nodiscard]] std::string text() const {
    const std::string kind = std::is_integral_v<Number> ? "a whole number" : "a number";
    const bool is_open = most == std::numeric_limits<Number>::max();
    return is_open ? kind + " >= " + to_text(least)
                   : kind + " from " + to_text(least) + " to " + to_text(most);
  }
};

/// The long name of an option as it is typed: "--components" of "-k,--components".
[[nodiscard]] std::string long_name(const std::string& names);

/// A number option; what is wrong with its value is said in our words, with the bounds.
template <typename Number>
CLI::Option* add_number(CLI::App& verb, const std::string& names, Number& target,
                        const std::string& description, const Bounds<Number>& bounds) {
  const auto set = [&target, bounds, name = long_name(names)](const std::string& text) {
    const std::optional<Number> value = number_from<Number>(text);
    if (!value || !bounds.hold(*value)) {
      throw UsageError(name + " is '" + text + "', expected " + bounds.text());
    }
    target = *value;
  };
  return verb.add_option_function<std::string>(names, set, description)
      ->type_name("N")
      ->default_str(to_text(target));
}

/// An option that takes one of the names that to_string gives to `values`.
template <typename Choice>
CLI::Option* add_choice(CLI::App& verb, const std::string& name, Choice& target,
                        const std::string& description, std::initializer_list<Choice> values) {
  std::vector<std::string> names;
  for (const Choice value : values) names.emplace_back(to_string(value));
  const std::vector<Choice> choices(values);
  const auto set = [&target, name, names, choices](const std::string& text) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != text) continue;
      target = choices[i];
      return;
    }
    throw UsageError(name + " is '" + text + "', expected " + choice_list(names));
  };
  return verb.add_option_function<std::string>(name, set, description + ": " + choice_list(names))
      ->type_name("NAME")
      ->default_str(std::string(to_string(target)));
}

struct CommonOptions {
  bool quiet = false;
  bool json = false;
  Execution execution;
};

/// --quiet, --json, --threads; `json_text` says what --json prints.
void add_common_options(CLI::App& verb, CommonOptions& options, const std::string& json_text);

/// --delimiter, --header, --no-header, --columns, --group-column; `group_text` explains the last.
void add_csv_options(CLI::App& verb, CsvOptions& options, const std::string& group_text);

/// --key, for commands whose draws depend on it.
void add_key_option(CLI::App& verb, CsvOptions& options);

/// All but --components: select has its own.
void add_mixture_options(CLI::App& verb, MixtureOptions& options);
void add_components_option(CLI::App& verb, MixtureOptions& options);
/// --coupling, --cost, --map.
void add_coupling_options(CLI::App& verb, TransportOptions& options);
/// --dither, --refine, --refine-weights.
void add_refine_options(CLI::App& verb, TransportOptions& options,
                        GroupNumbers<double>& refine_weights);
/// --group-shrinkage, --small-groups.
void add_small_group_options(CLI::App& verb, TransportOptions& options);
void add_seed_option(CLI::App& verb, std::uint64_t& seed, const std::string& description);

/// --weights .5,.5 or a=.5,b=.5; empty until given.
void add_weights_option(CLI::App& verb, GroupNumbers<double>& weights);

/// The weights themselves where they are given, else those that the model was refined for, else one
/// share for each group.
[[nodiscard]] std::vector<double> weights_or_default(const GroupNumbers<double>& weights,
                                                     const TransportModel& model);

}  // namespace lbw::cli
