// SPDX-License-Identifier: MIT
#include "cli/terms.hpp"

#include <algorithm>
#include <array>
#include <lbw/fit_transport.hpp>
#include <set>

namespace lbw::cli {

namespace {

/// Functions of the library whose names precede their messages.
constexpr std::array<std::string_view, 11> functions = {"fit_transport",
                                                        "fit_mixture",
                                                        "barycenter",
                                                        "map_between",
                                                        "map_to_barycenter",
                                                        "inverse_transport",
                                                        "silhouette_points",
                                                        "transport",
                                                        "report",
                                                        "mean_difference",
                                                        "demographic_parity_gamma"};

/// Options of the library that differ from those of the program.
constexpr std::array<std::string_view, 11> option_names = {
    "n_components",   "n_components_per_group", "covariance_floor",   "relative_covariance_floor",
    "max_iterations", "start_samples",          "scale_features",     "group_shrinkage",
    "small_groups",   "refine_weights",         "barycentric_weights"};

/// "--small-groups" for "small_groups"
std::string typed_name(std::string_view option) {
  if (option.starts_with("n_components")) return "--components";
  if (option == "barycentric_weights") return "--weights";
  std::string text = "--" + std::string(option);
  std::ranges::replace(text, '_', '-');
  return text;
}

/// The options of a fit whose names are also words, such as map. They are options only where the
/// text says so: "set map to random", "map=random" or "(refine)".
bool is_option(std::string_view word) {
  static const std::set<std::string, std::less<>> names = [] {
    TransportOptions options;
    std::set<std::string, std::less<>> all;
    for (const Option& option : options_of(options)) all.emplace(option.name);
    for (const Option& option : options_of(options.mixture)) all.emplace(option.name);
    return all;
  }();
  return names.contains(word);
}

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z'); }

/// Whether an apostrophe belongs to a word, as in "feature's".
bool is_within_word(std::string_view before, std::string_view text) {
  return !before.empty() && is_letter(before.back()) && text.size() > 1 && is_letter(text[1]);
}

/// Whether a word stands where only an option can stand.
bool is_named_as_option(std::string_view before, std::string_view word, std::string_view rest) {
  const bool is_set = before.ends_with("set ") && rest.starts_with(" to ");
  const bool is_assigned = rest.starts_with("=") && rest.size() > 1 && is_letter(rest[1]);
  const bool is_alone = before.ends_with("(") && rest.starts_with(")");
  return (is_set || is_assigned || is_alone) && is_option(word);
}

}  // namespace

std::string in_terms_of_the_program(std::string_view text) {
  std::string result;
  bool is_quoted = false;
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_letter);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const std::string_view rest = text.substr(word.size());
    const bool at_start = result.empty() || result.ends_with("': ");
    const bool after_letter = !result.empty() && is_letter(result.back());
    if (at_start && rest.starts_with(": ") &&
        std::ranges::find(functions, word) != functions.end()) {
      text = rest.substr(2);
    } else if (!is_quoted && std::ranges::find(option_names, word) != option_names.end()) {
      result += typed_name(word);
      text = rest;
    } else if (!is_quoted && !after_letter && is_named_as_option(result, word, rest)) {
      result += typed_name(word) + (rest.starts_with("=") ? " " : "");
      text = rest.starts_with("=") ? rest.substr(1) : rest;
    } else {
      const std::size_t n_taken = std::max<std::size_t>(word.size(), 1);
      is_quoted = is_quoted != (text.starts_with('\'') && !is_within_word(result, text));
      result += text.substr(0, n_taken);
      text.remove_prefix(n_taken);
    }
  }
  return result;
}

}  // namespace lbw::cli
