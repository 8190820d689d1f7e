// SPDX-License-Identifier: MIT
#include "core/message.hpp"

#include <array>
#include <cmath>

#include "core/sample_pass.hpp"

namespace lbw {

namespace {

constexpr double largest_magnitude = 1e100;

}  // namespace

std::string to_text(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

void check_samples(SampleView samples, const char* function, const char* argument) {
  require(samples.n_samples() > 0, function, ": ", argument, " holds no samples");
  require(samples.n_features() > 0, function, ": ", argument, " has no features");
  SamplePass pass(samples);
  for (Index sample = 0; sample < samples.n_samples(); ++sample) {
    for (Index feature = 0; feature < samples.n_features(); ++feature) {
      const double value = samples(sample, feature);
      if (std::abs(value) <= largest_magnitude) continue;
      throw InvalidArgument(
          message(function, ": ", argument, " holds ", value, " at row ", sample, ", column ",
                  feature, " (counted from 0), expected finite values",
                  std::isfinite(value) ? " up to 1e+100; rescale that feature" : ""));
    }
    pass.used_up_to(sample + 1);
  }
}

void check_execution(const Execution& execution, const char* function) {
  require(execution.n_threads >= 0, function, ": n_threads is ", execution.n_threads,
          ", expected 0 (one per core) or more");
}

void check_simplex(std::span<const double> weights, Index expected_size, const char* function,
                   const char* argument) {
  require(std::ssize(weights) == expected_size, function, ": ", argument, " has ", weights.size(),
          " entries, expected ", expected_size);
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(weights[i] >= 0.0, function, ": ", argument, "[", i, "] is ", weights[i],
            ", expected a number >= 0");
    sum += weights[i];
  }
  require(std::abs(sum - 1.0) <= 1e-9, function, ": ", argument, " sum to ", sum,
          ", expected 1 within 1e-9");
}

std::string quoted_list(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ", ";
    list += "'" + name + "'";
  }
  return list;
}

}  // namespace lbw
