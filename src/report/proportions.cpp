// SPDX-License-Identifier: MIT
#include "report/proportions.hpp"

#include <cmath>
#include <numbers>

#include "core/message.hpp"

namespace lbw {

namespace {

constexpr Index few_for_wilson = 50;  // rows

/// Where an increasing function is 0, to the last bit.
template <typename Function>
double root_of(double low, double high, Function&& function) {
  while (true) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) return middle;
    (function(middle) < 0.0 ? low : high) = middle;
  }
}

/// The probability that at least `n_passed` of `n_rows` pass, each with `probability`.
double upper_tail(Index n_passed, Index n_rows, double probability) {
  const auto n = static_cast<double>(n_rows);
  double sum = 0.0;
  for (Index k = n_passed; k <= n_rows; ++k) {
    const auto passed = static_cast<double>(k);
    const double logarithm = std::lgamma(n + 1.0) - std::lgamma(passed + 1.0) -
                             std::lgamma(n - passed + 1.0) + passed * std::log(probability) +
                             (k == n_rows ? 0.0 : (n - passed) * std::log1p(-probability));
    sum += std::exp(logarithm);
  }
  return sum;
}

}  // namespace

double normal_deviations(double probability) {
  return root_of(0.0, 40.0, [probability](double z) {
    return probability - 0.5 * std::erfc(z / std::numbers::sqrt2);
  });
}

ProportionLimits::ProportionLimits(Index n_rows, double tail)
    : n_rows_(static_cast<double>(n_rows)) {
  const double z = normal_deviations(tail);
  square_ = z * z / n_rows_;
  if (n_rows >= few_for_wilson) return;
  for (Index passed = 0; passed <= n_rows; ++passed) {
    Interval limits{0.0, 1.0};
    if (passed > 0) {
      limits.low =
          root_of(0.0, 1.0, [&](double p) { return upper_tail(passed, n_rows, p) - tail; });
    }
    if (passed < n_rows) {
      limits.high = root_of(
          0.0, 1.0, [&](double p) { return upper_tail(passed + 1, n_rows, p) - (1.0 - tail); });
    }
    exact_.push_back(limits);
  }
}

Interval ProportionLimits::at(double share) const {
  if (!exact_.empty()) return exact_[static_cast<std::size_t>(std::lround(share * n_rows_))];
  const double middle = (share + square_ / 2.0) / (1.0 + square_);
  const double arm = std::sqrt(square_ * (share * (1.0 - share) + square_ / 4.0)) / (1.0 + square_);
  return {middle - arm, middle + arm};
}

Interval proportion_interval(Index n_passed, Index n_rows, double confidence) {
  require(n_rows > 0 && n_passed >= 0 && n_passed <= n_rows, "proportion_interval: n_passed is ",
          n_passed, " of ", n_rows, ", expected 0 to n_rows of one or more");
  require(confidence > 0.0 && confidence < 1.0, "proportion_interval: confidence is ", confidence,
          ", expected between 0 and 1");
  const ProportionLimits limits(n_rows, (1.0 - confidence) / 2.0);
  return limits.at(static_cast<double>(n_passed) / static_cast<double>(n_rows));
}

}  // namespace lbw
