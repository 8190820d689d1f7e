// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

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

}  // namespace lbw
