// SPDX-License-Identifier: MIT
#include "core/message.hpp"

#include <cmath>

namespace lbw {

MessagePart::MessagePart(double value) {
  if (std::isnan(value)) {
    text_ = "nan";  // for both signs
    return;
  }
  const auto result = std::to_chars(buffer_.data(), buffer_.data() + buffer_.size(), value);
  n_buffered_ = static_cast<std::size_t>(result.ptr - buffer_.data());
}

std::string joined(std::initializer_list<MessagePart> parts) {
  std::string text;
  for (const MessagePart& part : parts) text += part.text();
  return text;
}

void throw_invalid_argument(std::initializer_list<MessagePart> parts) {
  throw InvalidArgument(joined(parts));
}

std::string to_text(double value) { return message(value); }

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
      message(option, ": '", shortened(name), "' is unknown, expected ", choice_list(names, "'")));
}

}  // namespace lbw
