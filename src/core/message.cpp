// SPDX-License-Identifier: MIT
#include "core/message.hpp"

#include <array>
#include <cmath>

namespace lbw {

std::string to_text(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

void check_execution(const Execution& execution, const char* function) {
  require(execution.n_threads >= 0, function, ": n_threads is ", execution.n_threads,
          ", expected 0 (one per core) or more");
}

void check_simplex(std::span<const double> weights, Index expected_size, const char* function,
                   const char* argument) {
  require(std::ssize(weights) == expected_size, function, ": ", argument, " has ",
          counted(weights.size(), "entry"), ", expected ", expected_size);
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(weights[i] >= 0.0, function, ": ", argument, "[", i, "] is ", weights[i],
            ", expected a number >= 0");
    sum += weights[i];
  }
  require(std::abs(sum - 1.0) <= 1e-9, function, ": ", argument, " sum to ", sum,
          ", expected 1 within 1e-9");
}

void throw_unknown_name(std::string_view option, std::string_view name,
                        std::span<const std::string_view> names) {
  throw InvalidArgument(
      message(option, ": '", name, "' is unknown, expected ", choice_list(names, "'")));
}

}  // namespace lbw
