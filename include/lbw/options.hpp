// SPDX-License-Identifier: MIT
// Options as data. An options struct declares its members with types and defaults, and options_of
// lists them with names, bounds and help. The command line, the Python options, the model file and
// docs/options.md are generated from these lists.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace lbw {

/// The number that all of `text` spells. It is empty if the text spells none, or one that does not
/// fit the type.
template <typename Number>
[[nodiscard]] std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Alternatives: "a, b or c". Each is put between `quote`.
[[nodiscard]] std::string choice_list(std::span<const std::string_view> names,
                                      std::string_view quote = "");
[[nodiscard]] std::string choice_list(std::span<const std::string> names,
                                      std::string_view quote = "");

/// A list in a message has at most this many entries.
inline constexpr std::size_t most_listed = 30;

/// Entries in a list: "a, b, c". If there are more than `most_listed`, or others that are not
/// given: "a, b, c and 5 more".
[[nodiscard]] std::string short_list(std::span<const std::string> entries,
                                     std::size_t n_others = 0);

/// The same for quoted names: 'a', 'b', 'c'. Long ones are shortened.
[[nodiscard]] std::string quoted_list(std::span<const std::string> names, std::size_t n_others = 0);

/// A name in a message: if it has more than 100 bytes, its beginning and "...".
[[nodiscard]] std::string shortened(std::string_view name);

/// The type of an option's value.
enum class OptionType {
  boolean,  ///< true or false
  integer,  ///< a whole number, or one of the words
  number,   ///< a finite number, or one of the words
  choice,   ///< one of the words
};

/// One option of a struct: its name, bounds and help, and access to its value as text.
struct Option {
  std::string_view name;  ///< the name of the member, in snake_case
  OptionType type = OptionType::number;
  std::vector<std::string_view> words = {};  ///< the choices, or words allowed in place of a number
  double least = -std::numeric_limits<double>::infinity();  ///< lower bound, inclusive
  double most = std::numeric_limits<double>::infinity();
  std::string_view help = {};  ///< one sentence without a full stop
  /// The value as text. Numbers use the shortest text that reads back to the same value.
  std::function<std::string()> text = {};
  /// Sets the value from a text that `accepts` allows. Empty in a list of constant options.
  std::function<void(std::string_view text)> assign = {};

  /// Whether a text is a valid value of this option.
  [[nodiscard]] bool accepts(std::string_view text) const;
  /// Sets the value. @throws InvalidArgument naming the option and the expected values
  void set(std::string_view text) const;

  /// For example "a whole number >= 1" or "full, tied, diagonal or spherical".
  [[nodiscard]] std::string expected() const;
};

/// The options of a constant struct, read-only.
template <typename Options>
[[nodiscard]] std::vector<Option> options_of(const Options& options) {
  std::vector<Option> list = options_of(const_cast<Options&>(options));  // NOLINT: none is assigned
  for (Option& option : list) option.assign = {};
  return list;
}

/// The option with this name. @throws InvalidArgument listing the valid names
[[nodiscard]] const Option& find_option(std::span<const Option> options, std::string_view name);

/// @throws InvalidArgument  naming `function`, the first option whose value is out of bounds, its
///                          value and the expected values
void check_options(std::span<const Option> options, const char* function);

/// Options of each type. `member` must outlive the option.
struct OptionBounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
[[nodiscard]] Option boolean_option(std::string_view name, bool& member, std::string_view help);
[[nodiscard]] Option integer_option(std::string_view name, int& member, OptionBounds bounds,
                                    std::string_view help);
[[nodiscard]] Option integer_option(std::string_view name, Index& member, OptionBounds bounds,
                                    std::string_view help);
[[nodiscard]] Option integer_option(std::string_view name, std::uint64_t& member,
                                    std::string_view help);
/// `none` is the word for no value, "all" the word for the largest number.
[[nodiscard]] Option integer_option(std::string_view name, std::optional<Index>& member,
                                    OptionBounds bounds, std::string_view none,
                                    std::string_view help);
[[nodiscard]] Option number_option(std::string_view name, double& member, OptionBounds bounds,
                                   std::string_view help);
/// A struct with the members `automatic` and `amount`, from 0 to 1. The word "auto" is allowed.
template <typename Fraction>
[[nodiscard]] Option fraction_option(std::string_view name, Fraction& member,
                                     std::string_view help);
template <NamedEnum Enum>
[[nodiscard]] Option choice_option(std::string_view name, Enum& member, std::string_view help);

// Implementation.

[[nodiscard]] Option fraction_option(std::string_view name, bool& automatic, double& amount,
                                     std::string_view help);

template <typename Fraction>
Option fraction_option(std::string_view name, Fraction& member, std::string_view help) {
  return fraction_option(name, member.automatic, member.amount, help);
}

template <NamedEnum Enum>
Option choice_option(std::string_view name, Enum& member, std::string_view help) {
  Option option{.name = name, .type = OptionType::choice, .help = help};
  for (const NamedValue<Enum>& known : EnumNames<Enum>::values) option.words.push_back(known.name);
  option.text = [&member] { return std::string(to_string(member)); };
  option.assign = [&member](std::string_view text) { member = enum_from<Enum>(text); };
  return option;
}

}  // namespace lbw
