// SPDX-License-Identifier: MIT
// For standard libraries without std::jthread. Only group_source.cpp uses it, for groups with a
// SampleSource, which the module never has.
#pragma once

#include <thread>

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_jthread)

_LIBCPP_BEGIN_NAMESPACE_STD

/// A thread that is joined by its destructor, without requests to stop it.
class jthread : public thread {
 public:
  using thread::thread;
  jthread(jthread&&) = default;
  jthread& operator=(jthread&&) = default;
  ~jthread() {
    if (joinable()) join();
  }
};

_LIBCPP_END_NAMESPACE_STD

#endif
