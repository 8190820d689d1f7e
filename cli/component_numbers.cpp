// SPDX-License-Identifier: MIT
#include "cli/component_numbers.hpp"

#include "cli/options.hpp"

namespace lbw::cli {

namespace {

constexpr std::size_t most_numbers = 10'000;  // more are assumed to be a typing error

/// first:last:step; step and last are optional.
struct ComponentRange {
  int first = 0;
  int last = 0;
  int step = 1;
};

std::optional<ComponentRange> range_from(const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& part : split(text, ':')) {
    const std::optional<int> number = number_from<int>(part);
    if (!number || *number < 1) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() > 3) return std::nullopt;
  ComponentRange range = {.first = numbers[0], .last = numbers[0]};
  if (numbers.size() > 1) range.last = numbers[1];
  if (numbers.size() > 2) range.step = numbers[2];
  return range.last < range.first ? std::nullopt : std::optional(range);
}

}  // namespace

std::vector<int> component_numbers_from(const std::string& text) {
  const std::string seen = "--components is '" + text + "', expected ";
  std::vector<int> components;
  for (const std::string& part : split(text, ',')) {
    const std::optional<ComponentRange> range = range_from(part);
    if (!range) throw UsageError(seen + "numbers >= 1, for example 5, 1:40, 1:40:3 or 5,10,20");
    for (std::int64_t k = range->first; k <= range->last; k += range->step) {
      components.push_back(static_cast<int>(k));
      if (components.size() > most_numbers) {
        throw UsageError(seen + "at most " + to_text(most_numbers) + " numbers");
      }
    }
  }
  return components;
}

void add_criterion_option(Command& command, Criterion& criterion) {
  command.add(choice_option("criterion", criterion,
                            "Select the number of components by AIC, BIC, or the likelihood of "
                            "held-out samples (one in five)"));
}

}  // namespace lbw::cli
