// SPDX-License-Identifier: MIT
// Shared types: exceptions, execution settings and random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

namespace lbw {

/// Base class of the exceptions that lbw throws. A message names the function, the argument, the
/// value received, the violated condition and, if there is one, a fix.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid argument, such as a wrong shape, a NaN or a negative weight.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// Valid input for which the computation fails, such as singular data or an infeasible matching.
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// The computation was stopped through Execution::stop. Partial results are discarded.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read, is malformed, or cannot be written.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A device that this build of the library does not have.
class UnsupportedDevice : public Error {
 public:
  using Error::Error;
};

/// A value of an enum and its name.
template <typename Enum>
struct NamedValue {
  Enum value;
  std::string_view name;
};

/// The name of an option and the names of its values. Python, the command line and files use the
/// same names. Every enum that is an option has a specialization with members `option` and
/// `values`.
template <typename Enum>
struct EnumNames;

template <typename Enum>
concept NamedEnum = requires {
  EnumNames<Enum>::values;
};

/// @throws InvalidArgument  always; `name` is not one of the names of the option's values
[[noreturn]] void throw_unknown_name(std::string_view option, std::string_view name,
                                     std::span<const std::string_view> names);

/// The name of a value.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::string_view to_string(Enum value) {
  for (const NamedValue<Enum>& known : EnumNames<Enum>::values) {
    if (known.value == value) return known.name;
  }
  return {};
}

/// The value with this name. @throws InvalidArgument listing the valid names
template <NamedEnum Enum>
[[nodiscard]] Enum enum_from(std::string_view name) {
  std::string_view names[std::size(EnumNames<Enum>::values)];
  std::size_t n_names = 0;
  for (const NamedValue<Enum>& known : EnumNames<Enum>::values) {
    if (known.name == name) return known.value;
    names[n_names++] = known.name;
  }
  throw_unknown_name(EnumNames<Enum>::option, name, names);
}

/// Execution settings. The number of threads never changes a result.
struct Execution {
  /// The maximum number of threads; 0 means one per core.
  int n_threads = 0;
  /// Once a stop is requested, a computation over samples throws Interrupted at its next chunk of
  /// samples, which is a small fraction of one pass. By default, it cannot be stopped.
  std::stop_token stop = {};
  /// The device that runs the loops over samples. This build supports only "cpu"; any other name
  /// throws UnsupportedDevice.
  std::string device = "cpu";
};

/// The seeded generator of all random numbers in lbw: xoshiro256++. Uniform and normal numbers are
/// computed from its bits because the distributions of standard libraries differ.
class Random {
 public:
  /// Streams of one seed are independent. Each restart and each group uses its own stream.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  /// Uniform on [0, 1), 53 bits.
  double uniform();
  /// Uniform on {0, ..., bound - 1}, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();

 private:
  std::uint64_t state_[4];
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace lbw
