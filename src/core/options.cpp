// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/options.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

/// 2^63 as a double, to which the largest signed integer rounds.
constexpr double most_signed = 0x1p63;

/// "a, b or c"
std::string alternatives(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_last = i + 1 == words.size();
    list += message(i == 0 ? "" : is_last ? " or " : ", ", words[i]);
  }
  return list;
}

/// The number if all of `text` is one; otherwise empty.
template <typename Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

Option number_of(std::string_view name, OptionType type, OptionBounds bounds,
                 std::string_view help) {
  return {.name = name, .type = type, .least = bounds.least, .most = bounds.most, .help = help};
}

}  // namespace

std::string Option::expected() const {
  if (type == OptionType::boolean) return "true or false";
  if (type == OptionType::choice) return alternatives(words);
  const auto number_text = [this](double value) {  // 100000, not 1e+05
    return type == OptionType::integer ? std::to_string(static_cast<std::int64_t>(value))
                                       : to_text(value);
  };
  const std::string_view kind = type == OptionType::integer ? "a whole number" : "a number";
  std::string word;
  for (std::size_t i = 0; i < words.size(); ++i) {
    word += message(words[i], i + 1 < words.size() ? ", " : " or ");
  }
  if (most >= 0x1p64 && std::isfinite(most)) return message(word, kind, " from 0 to 2^64 - 1");
  if (most < std::numeric_limits<int>::max()) {
    return message(word, kind, " from ", number_text(least), " to ", number_text(most));
  }
  return std::isfinite(least) ? message(word, kind, " >= ", number_text(least))
                              : message(word, kind);
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
