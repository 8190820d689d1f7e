// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/options.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

/// 2^63 as a double, to which the largest signed integer rounds.
constexpr double most_signed = 0x1p63;

Option number_of(std::string_view name, OptionType type, OptionBounds bounds,
                 std::string_view help) {
  return {.name = name, .type = type, .least = bounds.least, .most = bounds.most, .help = help};
}

/// "a whole number >= 1", "a number from 0 to 1"
std::string expected_number(const Option& option) {
  const bool is_integer = option.type == OptionType::integer;
  const auto number_text = [&](double value) {  // 100000, not 1e+05
    return is_integer ? std::to_string(static_cast<std::int64_t>(value)) : to_text(value);
  };
  const std::string kind = is_integer ? "a whole number" : "a number";
  if (option.most >= 0x1p64 && std::isfinite(option.most)) return kind + " from 0 to 2^64 - 1";
  if (option.most < std::numeric_limits<int>::max()) {
    return message(kind, " from ", number_text(option.least), " to ", number_text(option.most));
  }
  return std::isfinite(option.least) ? message(kind, " >= ", number_text(option.least)) : kind;
}

}  // namespace

std::string Option::expected() const {
  if (type == OptionType::boolean) return "true or false";
  if (type == OptionType::choice) return choice_list(words);
  const std::string number = expected_number(*this);
  std::vector<std::string_view> alternatives = words;
  alternatives.push_back(number);
  return choice_list(alternatives);
}

bool Option::accepts(std::string_view value) const {
  if (type == OptionType::boolean) return value == "true" || value == "false";
  if (std::ranges::find(words, value) != words.end()) return true;
  if (type == OptionType::choice) return false;
  const std::optional<double> number = number_from<double>(value);
  if (!number || !std::isfinite(*number) || *number < least || *number > most) return false;
  if (type == OptionType::number) return true;
  return most > most_signed ? number_from<std::uint64_t>(value).has_value()
                            : number_from<std::int64_t>(value).has_value();
}

void Option::set(std::string_view value) const {
  if (!accepts(value)) {
    throw InvalidArgument(message(name, " is '", value, "', expected ", expected()));
  }
  assign(value);
}

const Option& find_option(std::span<const Option> options, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Option& option : options) {
    if (option.name == name) return option;
    names.push_back(option.name);
  }
  throw_unknown_name("option", name, names);
}

void check_options(std::span<const Option> options, const char* function) {
  for (const Option& option : options) {
    const std::string text = option.text();
    require(option.accepts(text), function, ": ", option.name, " is ", text, ", expected ",
            option.expected());
  }
}

Option boolean_option(std::string_view name, bool& member, std::string_view help) {
  Option option{.name = name, .type = OptionType::boolean, .help = help};
  option.text = [&member] { return std::string(member ? "true" : "false"); };
  option.assign = [&member](std::string_view text) { member = text == "true"; };
  return option;
}

Option integer_option(std::string_view name, int& member, OptionBounds bounds,
                      std::string_view help) {
  bounds.most = std::min(bounds.most, static_cast<double>(std::numeric_limits<int>::max()));
  Option option = number_of(name, OptionType::integer, bounds, help);
  option.text = [&member] { return std::to_string(member); };
  option.assign = [&member](std::string_view text) { member = *number_from<int>(text); };
  return option;
}

Option integer_option(std::string_view name, Index& member, OptionBounds bounds,
                      std::string_view help) {
  bounds.most = std::min(bounds.most, most_signed);
  Option option = number_of(name, OptionType::integer, bounds, help);
  option.text = [&member] { return std::to_string(member); };
  option.assign = [&member](std::string_view text) { member = *number_from<Index>(text); };
  return option;
}

Option integer_option(std::string_view name, std::uint64_t& member, std::string_view help) {
  Option option = number_of(name, OptionType::integer, {.least = 0.0, .most = 0x1p64}, help);
  option.text = [&member] { return std::to_string(member); };
  option.assign = [&member](std::string_view text) { member = *number_from<std::uint64_t>(text); };
  return option;
}

Option integer_option(std::string_view name, std::optional<Index>& member, OptionBounds bounds,
                      std::string_view none, std::string_view help) {
  bounds.most = std::min(bounds.most, most_signed);
  Option option = number_of(name, OptionType::integer, bounds, help);
  option.words = {none, "all"};
  option.text = [&member, none] { return member ? std::to_string(*member) : std::string(none); };
  option.assign = [&member](std::string_view text) {
    member = text == "all" ? std::numeric_limits<Index>::max() : number_from<Index>(text);
  };
  return option;
}

Option number_option(std::string_view name, double& member, OptionBounds bounds,
                     std::string_view help) {
  Option option = number_of(name, OptionType::number, bounds, help);
  option.text = [&member] { return to_text(member); };
  option.assign = [&member](std::string_view text) { member = *number_from<double>(text); };
  return option;
}

Option fraction_option(std::string_view name, bool& automatic, double& amount,
                       std::string_view help) {
  Option option = number_of(name, OptionType::number, {.least = 0.0, .most = 1.0}, help);
  option.words = {"auto"};
  option.text = [&automatic, &amount] { return automatic ? std::string("auto") : to_text(amount); };
  option.assign = [&automatic, &amount](std::string_view text) {
    const std::optional<double> number = number_from<double>(text);
    automatic = !number;
    if (number) amount = *number;
  };
  return option;
}

}  // namespace lbw
