// SPDX-License-Identifier: MIT
// What every function shares: errors, how work is run, random numbers.
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

/// What lbw throws. A message names the function, the argument, the value seen, the condition it
/// breaks and, where we know one, the way out.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that cannot be meant: wrong shape, NaN, weights below 0.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// Valid input on which the computation cannot succeed: singular data, infeasible matching.
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// Work that ended because Execution::stop asked for it. Nothing was kept.
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

/// The name of an option and those of its values, in every language, on the command line and in
/// files. Specialised beside every enum that is an option, with the members `option` and `values`.
template <typename Enum>
struct EnumNames;

template <typename Enum>
concept NamedEnum = requires {
  EnumNames<Enum>::values;
};

/// @throws InvalidArgument: `name` is not among the names of an option's values
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

/// The value of a name. @throws InvalidArgument listing the names
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

/// How work is run. The number of threads never changes a result.
struct Execution {
  /// Threads used at most; 0 means one per core.
  int n_threads = 0;
  /// Asked to stop, work over samples ends with Interrupted at the next chunk of them, which is a
  /// small part of a pass. Without a source it cannot be asked.
  std::stop_token stop = {};
  /// The device that loops over samples run on. This build has "cpu" alone; any other name raises
  /// UnsupportedDevice.
  std::string device = "cpu";
};

/// The seeded generator behind every draw in lbw: xoshiro256++, with our own uniform and normal
/// draws from its bits, because the distributions of standard libraries differ.
class Random {
 public:
  /// Streams of one seed are independent; restarts and groups take one each.
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
