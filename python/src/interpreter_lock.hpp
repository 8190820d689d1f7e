// SPDX-License-Identifier: MIT
// The global interpreter lock, released during long work and taken for calls into Python.
//
// A daemon thread may still work when the interpreter ends. Before Python 3.14, taking the lock
// then ends the thread by unwinding its stack, which C++ answers with std::terminate: the process
// would abort. Such threads wait for the end of the process instead, as in Python 3.14.
#pragma once

#include <nanobind/nanobind.h>

namespace lbw::python {

namespace nb = nanobind;

/// Tells whether the lock is being taken; does not return on another thread after the interpreter
/// began to end.
class TakingLock {
 public:
  TakingLock();
  ~TakingLock();
  TakingLock(const TakingLock&) = delete;
  TakingLock& operator=(const TakingLock&) = delete;
};

/// Releases the lock for its lifetime.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    const TakingLock taking;
    PyEval_RestoreThread(state_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// Holds the lock for its lifetime, on any thread.
class Locked {
 public:
  Locked() {
    const TakingLock taking;
    state_ = PyGILState_Ensure();
  }
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Asks the interpreter to tell when it begins to end.
void watch_end_of_interpreter(nb::module_& m);

}  // namespace lbw::python
